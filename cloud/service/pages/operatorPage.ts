// The operator page: accounts, queue, workers, disk, and failures by code. Only for the accounts that the settings name.
import type { Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import type { ListedAccount } from '../operator/accountCommands.ts';
import { type Overview, readOverview } from '../operator/overview.ts';
import { type Html, html } from './html.ts';
import { forAccount, notFound, sendError, sendPage, timeHtml } from './pageRequests.ts';

export const operatorPath = '/operator';

/** For all other accounts, the page does not exist. */
export function mountOperatorPage(app: Hono, context: ServiceContext): void {
  if (context.settings.operators.length === 0) return;
  app.get(
    operatorPath,
    forAccount(context, async ({ c, account, formToken }) => {
      if (!context.settings.operators.includes(account.email)) return sendError(c, 404, notFound);
      const content = overviewHtml(await readOverview(context), context.settings.workers);
      return sendPage(c, { title: 'Operator', content, account: { email: account.email, formToken } });
    }),
  );
}

function overviewHtml({ accounts, queue, workers, disk, failures }: Overview, ownWorkers: number): Html {
  const { queued, rendering, oldestAge } = queue;
  return html`<div class="head"><h1>Operator</h1></div>
<section class="card"><h2>Queue</h2><dl class="facts"><dt>Queued</dt><dd>${queued}${oldestAge !== null && html` <span class="muted">oldest for ${ageText(oldestAge)}</span>`}</dd>
<dt>Rendering</dt><dd>${rendering}</dd></dl></section>
<section class="card"><h2>Workers</h2><p class="muted">This instance has ${ownWorkers} ${ownWorkers === 1 ? 'worker' : 'workers'}.</p>${workerTable(workers)}</section>
<section class="card"><h2>Disk</h2><dl class="facts"><dt>Free</dt><dd>${bytesText(disk.free)} <span class="muted">of ${bytesText(disk.total)}, at the data folder</span></dd>
<dt>Stored</dt><dd>${bytesText(disk.stored)} <span class="muted">of projects and videos</span></dd></dl></section>
<section class="card"><h2>Failures in the last seven days</h2>${failureTable(failures)}</section>
<section class="card"><div class="head"><h2>Accounts</h2><p><strong>${accounts.length}</strong></p></div>${accountTable(accounts)}
<p class="muted">To change them, run <code>framework serve account --help</code> on the machine of the service.</p></section>`;
}

function workerTable(workers: Overview['workers']): Html {
  if (workers.length === 0) return html`<p class="muted">No instance is rendering.</p>`;
  return html`<table><thead><tr><th>Instance</th><th class="number">Rendering</th></tr></thead>
<tbody>${workers.map(({ instance, renders }) => html`<tr><td><code>${instance}</code></td><td class="number">${renders}</td></tr>`)}</tbody></table>`;
}

function failureTable(failures: Overview['failures']): Html {
  if (failures.length === 0) return html`<p class="muted">None.</p>`;
  return html`<table><thead><tr><th>Code</th><th class="number">Renders</th></tr></thead>
<tbody>${failures.map(({ code, count }) => html`<tr><td><code>${code}</code></td><td class="number">${count}</td></tr>`)}</tbody></table>`;
}

const maxShown = 200;

function accountTable(accounts: readonly ListedAccount[]): Html {
  const newest = accounts.toReversed().slice(0, maxShown);
  return html`<table class="stack"><thead><tr><th>E-mail address</th><th>Created</th><th class="number">Renders</th><th class="number">Credits</th></tr></thead>
<tbody>${newest.map(accountRow)}</tbody></table>
${accounts.length > maxShown && html`<p class="muted">The newest ${maxShown} are shown.</p>`}`;
}

function accountRow({ email, created_at, renders, credits, suspended_at }: ListedAccount): Html {
  const state = suspended_at !== null && html` <span class="badge failed">Suspended</span>`;
  return html`<tr><td><strong>${email}</strong>${state}</td><td data-name="Created">${timeHtml(created_at)}</td><td class="number" data-name="Renders">${renders}</td><td class="number" data-name="Credits">${credits}</td></tr>`;
}

const units = [
  [1024 ** 4, 'TB'],
  [1024 ** 3, 'GB'],
  [1024 ** 2, 'MB'],
] as const;

export function bytesText(bytes: number): string {
  const [size, unit] = units.find(([one]) => bytes >= one) ?? [1024, 'kB'];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}

/** Minutes, hours or days, rounded down. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
