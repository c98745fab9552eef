// The web pages in a real browser: the security policy allows redirects of sign-in forms, and progress updates by
// itself.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from '../../../support/renders/warmRender.ts';
import { createProgram, type Program } from '../../../support/service/oauthProgram.ts';
import { addRender } from '../../../support/service/renderRows.ts';
import { password, startWebService, type WebService } from '../../../support/service/webService.ts';

const launched = sharedBrowser();
let service: WebService;
let program: Program;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startWebService();
  program = await createProgram(service);
  page = await launched().browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});
afterAll(async () => {
  await page?.close();
  await service?.close();
});

async function press(selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

test("redirects a sign-in to the program's port", async () => {
  const answers: URL[] = [];
  const loopback = createServer((request, response) => {
    answers.push(new URL(request.url ?? '', 'http://127.0.0.1'));
    response.end('Done');
  }).listen(0, '127.0.0.1');
  await once(loopback, 'listening');
  const { port } = loopback.address() as AddressInfo;
  const request = await program.begin({ redirect_uri: `http://127.0.0.1:${port}/callback` });
  await page.goto(request.url.href);
  await page.type('#email', program.email);
  await page.type('#password', password);
  await press('form[action="/sign-in"] button');
  await press('button[value="allow"]');
  expect(await page.$eval('body', ({ textContent }) => textContent)).toBe('Done');
  expect(answers[0]?.searchParams.get('state')).toBe(request.state);
  expect(answers[0]?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  loopback.closeAllConnections();
  loopback.close();
  expect(complaints).toEqual([]);
});

test('updates progress and shows the result of a completed render', async () => {
  const { database } = service.context;
  const id = await addRender(service, program.email, { title: 'Film', status: 'rendering', progress: 0.1 });
  const set = (changes: object) => database.updateTable('renders').set(changes).where('id', '=', id).execute();
  await page.goto(service.url);
  await set({ progress: 0.6 });
  await page.waitForFunction(
    (part) => document.querySelector<HTMLProgressElement>(`[data-render="${part}"] progress`)?.value === 0.6,
    {},
    id,
  );
  await set({ status: 'completed', completed_at: Date.now(), credits: 3 });
  await page.waitForSelector(`[data-render="${id}"] .badge.completed`);
  expect(await page.$(`[data-render="${id}"] progress`)).toBeNull();
  expect(await page.$eval('#news', ({ textContent }) => textContent)).toBe('Film: Completed');
  expect(complaints).toEqual([]);
});

test('fits into a narrow screen', async () => {
  const wide = { title: 'L'.repeat(200), failure_message: 'x'.repeat(300) };
  const id = await addRender(service, program.email, { ...wide, status: 'failed' });
  await page.setViewport({ width: 320, height: 640 });
  for (const path of ['/', `/renders/${id}`, `/renders/${id}/delete`, '/keys', '/webhooks', '/account', '/device']) {
    await page.goto(service.url + path);
    const { scrollWidth, clientWidth } = await page.$eval('html', (root) => ({
      scrollWidth: root.scrollWidth,
      clientWidth: root.clientWidth,
    }));
    expect([path, scrollWidth]).toEqual([path, clientWidth]);
  }
});
