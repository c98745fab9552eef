// The local port that receives the redirect of the sign-in page, and the page that the browser then shows.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The redirect's query, and a function that shows the user the outcome. */
export type Callback = { parameters: URLSearchParams; show(ended: { ok: boolean; message: string }): Promise<void> };

export type CallbackServer = {
  /** `http://127.0.0.1:<port>/callback`. */
  redirectUri: string;
  /** Resolves with the first redirect that has the right `state`. */
  answer: Promise<Callback>;
  /** Frees the port at once. */
  close(): void;
};

const showMs = 2_000;

/** Listens on a free port of 127.0.0.1. A request without `state` gets an error page. */
export async function listenForCallback(state: string): Promise<CallbackServer> {
  let take: ((callback: Callback) => void) | undefined;
  const answer = new Promise<Callback>((resolve) => {
    take = resolve;
  });
  const server = createServer((request, response) => {
    const parameters = callbackParameters(request, port());
    if (typeof parameters === 'number') return respond(response, parameters, refusedPage);
    if (take === undefined) return respond(response, 410, usedPage);
    if (parameters.get('state') !== state) return respond(response, 400, otherSignInPage);
    take({ parameters, show: ({ ok, message }) => showOutcome(response, ok, message) });
    take = undefined;
  });
  const port = (): number => (server.address() as AddressInfo | null)?.port ?? 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    redirectUri: `http://127.0.0.1:${port()}/callback`,
    answer,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns an HTTP status to refuse the request. Another host name means DNS rebinding. */
function callbackParameters({ method, url = '/', headers }: IncomingMessage, port: number): URLSearchParams | number {
  if (headers.host !== `127.0.0.1:${port}`) return 421;
  // The target comes from the network: `//`, for example, is not a valid URL.
  const address = URL.canParse(url, 'http://127.0.0.1') ? new URL(url, 'http://127.0.0.1') : undefined;
  if (address?.pathname !== '/callback') return 404;
  return method === 'GET' ? address.searchParams : 405;
}

type Page = { title: string; message: string };

const refusedPage: Page = { title: 'Not found', message: 'This address only accepts the result of a sign-in.' };
const usedPage: Page = {
  title: 'Already completed',
  message: 'This sign-in was already completed. You can close this page.',
};
const otherSignInPage: Page = {
  title: 'Wrong sign-in',
  message: 'This result belongs to another sign-in. Use the page that was opened last.',
};

/** Waits until the page is sent, but not for a browser that does not read it. */
async function showOutcome(response: ServerResponse, ok: boolean, message: string): Promise<void> {
  if (response.closed || response.destroyed) return;
  const sent = Promise.race([once(response, 'close'), sleep(showMs, undefined, { ref: false })]);
  respond(response, ok ? 200 : 400, { title: ok ? 'You are signed in' : 'Sign-in failed', message });
  await sent;
}

function respond(response: ServerResponse, status: number, page: Page): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // The address of this page contains the code.
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(pageHtml(page));
}

function pageHtml({ title, message }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; }
</style>
</head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p></main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
