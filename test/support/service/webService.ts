// A hosted service on 127.0.0.1, and a browser that keeps cookies.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createAccount, newAccount } from '../../../cloud/service/auth/accounts.ts';
import type { ServiceContext } from '../../../cloud/service/context.ts';
import { createService, type Service } from '../../../cloud/service/service.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import type { AccountRow } from '../../../cloud/service/storage/tables.ts';
import { listen } from '../servers/listen.ts';
import { testSettings } from './service.ts';

export type WebService = {
  url: string;
  context: ServiceContext;
  /** The account ID of an access token, from the API; undefined if the token is rejected. */
  accountOf(token: string): Promise<string | undefined>;
  /** Moves the service's clock forward. */
  wait(seconds: number): void;
  addAccount(email?: string): Promise<AccountRow>;
  /** Restarts it at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

export const password = 'correct horse battery';

export async function startWebService(given: Partial<ServiceSettings> = {}): Promise<WebService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-'));
  // The clock advances only through `wait`. It starts at the real time, because the OAuth library reads the computer's clock.
  let time = Date.now();
  const now = (): number => time;
  const server = createServer();
  const url = await listen(server);
  const settings = testSettings(dataDir, { openSignUp: true, publicUrl: url, ...given });
  let running = await run(server, settings, now);
  return {
    url,
    get context() {
      return running.context;
    },
    async accountOf(token) {
      const response = await fetch(`${url}/v3/users/me`, { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) return undefined;
      return ((await response.json()) as { data: { user_id: string } }).data.user_id;
    },
    wait: (seconds) => {
      time += seconds * 1000;
    },
    addAccount: async (email = 'ann@example.com') =>
      createAccount(running.context.database, await newAccount({ email, password, credits: 100 }), now()),
    async restart() {
      await running.close();
      running = await run(server, settings, now);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await running.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function run(server: Server, settings: ServiceSettings, now: () => number): Promise<Service> {
  const service = await createService(settings, { now, log: () => {} });
  server.removeAllListeners('request');
  server.on('request', getRequestListener(service.app.fetch));
  return service;
}

export type Page = { status: number; headers: Headers; text: string; url: string };

/** Follows redirects within the service like a browser, and stops at external ones. */
export type Browser = {
  cookies: Map<string, string>;
  get(path: string): Promise<Page>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Fills in the form with this action on a page, including hidden fields, and submits it. */
  submit(page: Page, fields: Record<string, string>, action?: string): Promise<Page>;
  signIn(email?: string): Promise<Page>;
};

export function createBrowser(url: string): Browser {
  const cookies = new Map<string, { value: string; path: string }>();
  const header = (path: string): string =>
    [...cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');

  async function send(target: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Page> {
    const address = new URL(target, url);
    const cookie = header(address.pathname);
    const headers = { ...(cookie === '' ? {} : { cookie }), accept: 'text/html', ...init.headers };
    const response = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(line);
    const location = response.headers.get('location');
    if (location !== null && response.status < 400) {
      const next = new URL(location, address);
      if (next.origin === url) return send(next.href, { method: 'GET' });
    }
    return { status: response.status, headers: response.headers, text: await response.text(), url: address.href };
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    const isOver = attributes.some((attribute) => /^(max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute));
    if (value === '' || isOver) cookies.delete(name);
    else cookies.set(name, { value, path });
  }

  const browser: Browser = {
    get cookies() {
      return new Map([...cookies].map(([name, { value }]) => [name, value]));
    },
    get: (path) => send(path, { method: 'GET' }),
    post: (path, fields, headers = { origin: url }) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    submit(page, fields, action) {
      const form = formOf(page, action);
      return browser.post(new URL(form.action, page.url).href, { ...form.hidden, ...fields });
    },
    async signIn(email = 'ann@example.com') {
      return browser.submit(await browser.get('/sign-in'), { email, password }, '/sign-in');
    },
  };
  return browser;
}

/** The first form on a page, or the one with this action. */
export function formOf(page: Page, action?: string): { action: string; hidden: Record<string, string> } {
  for (const [, attributes = '', body = ''] of page.text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const own = /action="([^"]*)"/.exec(attributes)?.[1];
    if (own === undefined || (action === undefined ? own === '/sign-out' : own !== action)) continue;
    const inputs = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    return { action: own, hidden: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) };
  }
  throw new Error(`no form ${action ?? ''} on ${page.url} (${page.status})`);
}
