// The layout of all web pages (head, navigation, script), and the error page.
import { type Html, html, trustedHtml } from './html.ts';
import { pageScript, stylePath } from './pageAssets.ts';

export type PageFrame = {
  title: string;
  content: Html;
  /** The signed-in account; without it there is no navigation. */
  account?: { email: string; formToken: string };
  current?: 'renders' | 'keys' | 'webhooks' | 'account';
  /** A narrow, centered page for a single form or message. */
  small?: boolean;
};

export const logo = trustedHtml(
  '<svg viewBox="0 0 256 256" aria-hidden="true"><rect width="256" height="256" rx="56" fill="#1d203a"/><path d="M84 52H64a12 12 0 0 0-12 12v20M172 52h20a12 12 0 0 1 12 12v20M84 204H64a12 12 0 0 1-12-12v-20M172 204h20a12 12 0 0 0 12-12v-20" fill="none" stroke="#e8eaf6" stroke-width="16" stroke-linecap="round"/><path d="M104 84c0-6 6-9 11-6l66 43c5 3 5 11 0 14l-66 43c-5 3-11 0-11-6z" fill="#ff8a52"/></svg>',
);

const icon = `data:image/svg+xml,${encodeURIComponent(
  logo.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '),
)}`;

export function pageHtml({ title, content, account, current, small = false }: PageFrame): string {
  return html`${trustedHtml('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Framework</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${account && header(account, current)}
<main id="content"${trustedHtml(small ? ' class="small"' : '')}>
${small && !account && html`<p class="brand">${logo} Framework</p>`}
${content}
</main>
<p id="news" class="visually-hidden" role="status"></p>
<script>${trustedHtml(pageScript)}</script>
</body>
</html>
`.toString();
}

const navigation = [
  { name: 'renders', path: '/', label: 'Renders' },
  { name: 'keys', path: '/keys', label: 'API keys' },
  { name: 'webhooks', path: '/webhooks', label: 'Webhooks' },
  { name: 'account', path: '/account', label: 'Account' },
] as const;

function header({ email, formToken }: { email: string; formToken: string }, current: PageFrame['current']): Html {
  return html`<header class="top"><div>
<a class="brand" href="/">${logo} Framework</a>
<nav aria-label="Pages">${navigation.map(
    ({ name, path, label }) =>
      html`<a href="${path}"${name === current && trustedHtml(' aria-current="page"')}>${label}</a>`,
  )}</nav>
<form class="who" method="post" action="/sign-out">${tokenField(formToken)}<span title="${email}">${email}</span><button class="quiet slim">Sign out</button></form>
</div></header>`;
}

export function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">`;
}

/** `detail` is for the developer of the client or the operator of the service. */
export function errorPage({ title, text, detail }: { title: string; text: string; detail?: string }): string {
  const content = html`<section class="card"><h1>${title}</h1><p>${text}</p>
${detail !== undefined && html`<p class="meta"><code>${detail}</code></p>`}
<p><a href="/">Go to your renders</a></p></section>`;
  return pageHtml({ title, content, small: true });
}
