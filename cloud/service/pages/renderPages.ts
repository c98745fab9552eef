// The list of an account's renders, and a page for each one with its progress and result.
import type { Hono } from 'hono';
import type { RenderRecord } from '../../client/apiTypes.ts';
import { renderIdPattern } from '../api/apiSchemas.ts';
import { deleteRender, getRender, listRenders } from '../api/renderRequests.ts';
import { webSession } from '../auth/webSessions.ts';
import type { ServiceContext, ServicePart } from '../context.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { logo, tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, type PageContext, sendPage, timeHtml } from './pageRequests.ts';
import { securityHeaders } from './pageSecurity.ts';

const perPage = 12;
/** Maximum number of renders in one progress request. */
const maxPolled = 50;

export function mountRenderPages(app: Hono, context: ServiceContext, queue: ServicePart): void {
  app.get(
    '/',
    forAccount(context, (pageContext) => listPage(context, pageContext)),
  );

  app.get('/renders/progress', async (c) => {
    for (const [name, value] of Object.entries(securityHeaders())) c.header(name, value);
    const session = await webSession(context, c);
    if (session === undefined) return c.json({ renders: [] }, 401);
    const ids = (c.req.query('ids') ?? '').split(',', maxPolled).filter((id) => renderIdPattern.test(id));
    if (ids.length === 0) return c.json({ renders: [] });
    const renders = await context.database
      .selectFrom('renders')
      .select(['id', 'status', 'progress'])
      .where('account_id', '=', session.account.id)
      .where('deleted_at', 'is', null)
      .where('id', 'in', ids)
      .execute();
    return c.json({ renders });
  });

  app.get(
    '/renders/:id',
    forAccount(context, async (pageContext) => {
      const render = await getRender(context, pageContext.account.id, pageContext.c.req.param('id') ?? '');
      return renderPage(context, pageContext, render);
    }),
  );
  app.get(
    '/renders/:id/delete',
    forAccount(context, async (pageContext) => {
      const render = await getRender(context, pageContext.account.id, pageContext.c.req.param('id') ?? '');
      return deletePage(pageContext, render);
    }),
  );
  app.post(
    '/renders/:id/delete',
    limitForm,
    forAccountForm(context, async ({ c, account }) => {
      await deleteRender(context, account.id, c.req.param('id') ?? '');
      // The queue stops the render.
      queue.wake();
      return c.redirect('/', 303);
    }),
  );
}

async function listPage(context: ServiceContext, pageContext: PageContext): Promise<Response> {
  const token = pageContext.c.req.query('token');
  const page = await listRenders(context, pageContext.account.id, {
    limit: perPage,
    ...(token ? { token } : {}),
  }).catch(
    // An invalid token shows the first page.
    () => listRenders(context, pageContext.account.id, { limit: perPage }),
  );
  const list = html`<ol class="renders">${page.data.map(listItem)}</ol>`;
  const content = html`<div class="head"><h1>Renders</h1></div>
${page.data.length > 0 ? list : emptyList(context.settings.publicUrl)}
${(token !== undefined || page.has_more) && html`<nav class="pages" aria-label="More renders">${token !== undefined ? html`<a href="/">Newest</a>` : html`<span></span>`}${page.next_token !== null && html`<a href="/?token=${page.next_token}">Older</a>`}</nav>`}`;
  return sendRenders(context, pageContext, 'Renders', content);
}

function sendRenders(
  { objects }: ServiceContext,
  { c, account, formToken }: PageContext,
  title: string,
  content: Html,
): Response {
  const frame = { title, content, account: { email: account.email, formToken }, current: 'renders' } as const;
  return sendPage(c, frame, 200, { media: objects.origin === undefined ? [] : [objects.origin] });
}

function emptyList(publicUrl: string): Html {
  return html`<section class="card empty">${logo}
<h2>No renders yet</h2>
<p class="muted">In a project folder on your computer:</p>
<ol>
<li>Set the address of this service<br><code>export SERVICE_API_URL=${publicUrl}</code></li>
<li>Sign in<br><code>framework auth login</code></li>
<li>Render<br><code>framework cloud render</code></li>
</ol></section>`;
}

const stateNames = { queued: 'Queued', rendering: 'Rendering', completed: 'Completed', failed: 'Failed' } as const;

function badge({ status }: RenderRecord): Html {
  return html`<span class="badge ${status}">${stateNames[status]}</span>`;
}

function nameOf({ title, composition }: RenderRecord): string {
  return title ?? composition;
}

/** Attributes for the page script. */
function liveAttributes(render: RenderRecord): Html {
  const { render_id: id, status } = render;
  const isRunning = status === 'queued' || status === 'rendering';
  return html`data-render="${id}" data-news="${nameOf(render)}: ${stateNames[status]}"${isRunning && html` data-running="${status}"`}`;
}

function listItem(render: RenderRecord): Html {
  const { render_id: id, thumbnail_url: thumbnail, video_url: video, status } = render;
  return html`<li ${liveAttributes(render)}>
<a class="thumb" href="/renders/${id}" tabindex="-1" aria-hidden="true">${thumbnail === null ? playMark : html`<img src="${thumbnail}" alt="" loading="lazy">`}</a>
<div class="about"><h2><a href="/renders/${id}">${nameOf(render)}</a></h2>
<p class="meta">${badge(render)}<span>${facts(render)}</span>${timeHtml(render.created_at * 1000)}</p>
${progress(render)}
${status === 'failed' && html`<p class="meta">${render.failure_message ?? 'The render failed.'}</p>`}</div>
<div class="actions">${video !== null && html`<a class="button quiet slim" href="${video}" download="${fileName(render)}">Download<span class="visually-hidden"> ${nameOf(render)}</span></a>`}<a class="button quiet slim" href="/renders/${id}/delete">Delete<span class="visually-hidden"> ${nameOf(render)}</span></a></div>
</li>`;
}

const playMark = trustedHtml(
  '<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M8 5.5v13l11-6.5z"/></svg>',
);

function progress(render: RenderRecord): Html | undefined {
  if (render.status === 'queued')
    return html`<progress aria-label="Waiting for a free worker" max="1" value="0"></progress>`;
  if (render.status !== 'rendering') return undefined;
  return html`<progress aria-label="Progress of ${nameOf(render)}" max="1" value="${render.progress}"></progress>`;
}

function facts({ resolution, format, duration, credits }: RenderRecord): string {
  const known = [
    resolution,
    format,
    duration !== null && `${Math.round(duration * 10) / 10} s`,
    credits !== null && `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
  ];
  return known.filter(Boolean).join(' · ');
}

function fileName({ render_id, format }: RenderRecord): string {
  return `${render_id}.${format}`;
}

function renderPage(context: ServiceContext, pageContext: PageContext, render: RenderRecord): Response {
  const { render_id: id, video_url: video } = render;
  const content = html`<p><a href="/">← Renders</a></p>
<div class="head"><h1>${nameOf(render)}</h1>
<div class="actions">${video !== null && html`<a class="button" href="${video}" download="${fileName(render)}">Download</a>`}<a class="button quiet" href="/renders/${id}/delete">Delete</a></div></div>
<section class="card" ${liveAttributes(render)}>${resultPanel(render)}
<dl class="facts">
<dt>Status</dt><dd>${badge(render)}</dd>
<dt>ID</dt><dd><code>${id}</code> <button class="quiet slim" data-copy="${id}" hidden>Copy</button></dd>
<dt>Composition</dt><dd><code>${render.composition}</code></dd>
<dt>Output</dt><dd>${outputOf(render)}</dd>
<dt>Cost</dt><dd>${costOf(render)}</dd>
${render.callback_id !== null && html`<dt>Callback ID</dt><dd>${render.callback_id}</dd>`}
<dt>Submitted</dt><dd>${timeHtml(render.created_at * 1000)}</dd>
${render.completed_at !== null && html`<dt>Ended</dt><dd>${timeHtml(render.completed_at * 1000)}</dd>`}
</dl></section>`;
  return sendRenders(context, pageContext, nameOf(render), content);
}

/** The video, the progress or the error. */
function resultPanel(render: RenderRecord): Html {
  const { status, video_url: video, thumbnail_url: poster } = render;
  if (status === 'failed')
    return html`<div class="problem"><h2>This render failed</h2><p>${render.failure_message ?? 'The reason is unknown.'}</p>
${render.failure_code !== null && html`<p class="meta"><code>${render.failure_code}</code></p>`}</div>`;
  if (status === 'completed' && video === null)
    return html`<p class="note">The video was deleted because its retention time is over.</p>`;
  if (video !== null)
    return html`<video controls playsinline preload="metadata" src="${video}"${poster !== null && html` poster="${poster}"`}></video>`;
  return html`<div class="running"><p>${status === 'queued' ? 'Waiting for a free worker' : html`Rendering, <span data-percent>${Math.floor(render.progress * 100)} %</span>`}</p>${progress(render)}</div>`;
}

function costOf({ status, credits }: RenderRecord): string {
  if (credits !== null) return `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
  return status === 'failed' ? 'Not charged' : 'Known when the render completes';
}

function outputOf({ resolution, aspect_ratio, fps, quality, format, duration }: RenderRecord): string {
  const known = [
    resolution,
    aspect_ratio,
    fps !== null && `${fps} fps`,
    `${quality} quality`,
    format,
    duration !== null && `${Math.round(duration * 10) / 10} s`,
  ];
  return known.filter(Boolean).join(' · ');
}

function deletePage({ c, account, formToken }: PageContext, render: RenderRecord): Response {
  const isRunning = render.status === 'queued' || render.status === 'rendering';
  const content = html`<section class="card"><h1>Delete “${nameOf(render)}”?</h1>
<p>${isRunning ? 'The render will be stopped. You are charged only for worker time after its first minute.' : 'The video will be deleted permanently. Its credits are not refunded.'}</p>
<form method="post" action="/renders/${render.render_id}/delete">${tokenField(formToken)}
<div class="actions"><button class="danger">Delete</button><a class="button quiet" href="/renders/${render.render_id}">Cancel</a></div></form></section>`;
  const frame = { title: 'Delete render', content, account: { email: account.email, formToken }, small: true };
  return sendPage(c, { ...frame, current: 'renders' });
}
