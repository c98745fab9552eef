// The part of the account page that shows what the account uses, and lists its largest projects to delete.
import type { Hono } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import { deleteAsset } from '../api/assets.ts';
import { type AccountUse, type QuotaUse, useOf } from '../api/quotas.ts';
import type { ServiceContext } from '../context.ts';
import type { AccountRow, AssetRow } from '../storage/tables.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { forAccountForm, limitForm, sendError, timeHtml } from './pageRequests.ts';

const maxListed = 20;

/** The form that deletes a project. */
export function mountStoredProjects(app: Hono, context: ServiceContext): void {
  app.post(
    '/account/projects',
    limitForm,
    forAccountForm(context, async ({ c, account }, { project = '' }) => {
      try {
        await deleteAsset(context, account.id, project);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'asset_in_use') throw error;
        return sendError(c, 409, { title: 'A render needs this project', text: error.message });
      }
      return c.redirect('/account', 303);
    }),
  );
}

export async function useSection(context: ServiceContext, account: AccountRow, formToken: string): Promise<Html> {
  const [use, projects] = await Promise.all([useOf(context, account), largestProjects(context, account.id)]);
  return html`<section class="card"><h2>Use</h2>${useList(use)}
${projects.length > 0 && projectTable(projects, formToken)}
<p class="muted">To free space, delete projects here, or renders with their videos. Projects are deleted after ${context.settings.retentionDays} days without a render.</p></section>`;
}

function useList({ stored_bytes: stored, uploads, renders }: AccountUse): Html {
  const count = ({ used, limit }: QuotaUse) => html`${used} of ${limit}`;
  return html`<dl class="facts"><dt>Stored projects and videos</dt><dd>${megabytes(stored.used)} of ${megabytes(stored.limit)} MB</dd>
<dt>Queued and running renders</dt><dd>${count(renders)}</dd><dt>Uploads in progress</dt><dd>${count(uploads)}</dd></dl>`;
}

/** Rounded up. */
const megabytes = (bytes: number): string => Math.ceil(bytes / 1024 / 1024).toLocaleString('en-US');

type StoredProject = Pick<AssetRow, 'id' | 'size_bytes' | 'created_at' | 'used_at'>;

async function largestProjects({ database }: ServiceContext, accountId: string): Promise<StoredProject[]> {
  return database
    .selectFrom('assets')
    .select(['id', 'size_bytes', 'created_at', 'used_at'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('size_bytes', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute();
}

function projectTable(projects: readonly StoredProject[], formToken: string): Html {
  return html`<table class="stack"><thead><tr><th>Largest projects</th><th>Uploaded</th><th>Last rendered</th><th class="number">MB</th><th><span class="visually-hidden">Delete</span></th></tr></thead>
<tbody>${projects.map(
    ({ id, size_bytes, created_at, used_at }) =>
      html`<tr><td><code>${id}</code></td><td data-name="Uploaded">${timeHtml(created_at)}</td><td data-name="Last rendered">${used_at === null ? 'Never' : timeHtml(used_at)}</td><td class="number" data-name="MB">${megabytes(size_bytes)}</td><td class="end"><form class="inline" method="post" action="/account/projects">${tokenField(formToken)}<button class="quiet slim" name="project" value="${id}">Delete<span class="visually-hidden"> ${id}</span></button></form></td></tr>`,
  )}</tbody></table>`;
}
