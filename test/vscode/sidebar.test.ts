// The sidebar in a workbench: compositions, local renders, cloud renders of a real service, and signing in.
// This file is long, because all tests share one window and one service, which are slow to start.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../cloud/service/storage/database.ts';
import type { RenderRow } from '../../cloud/service/storage/tables.ts';
import { addRender } from '../support/service/renderRows.ts';
import { addKey, type ServedProgram, serveProgram } from '../support/service/serveProgram.ts';
import { password, type WebService } from '../support/service/webService.ts';
import { docImage } from '../support/vscode/docImage.ts';
import { icon, openFolder, suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  closeNotifications,
  frameWith,
  openFile,
  pressButton,
  runCommand,
  selectors,
  typeValue,
  waitForInput,
  waitForNone,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const pane = (view: string) => `.pane:has(> .pane-header[aria-label^="${view}"])`;
const rows = (view: string) => `${pane(view)} .monaco-list-row`;
const menu = '.monaco-menu .action-label';
const rowsFile = '[\n  { "title": "One" },\n  { "title": "Broken" }\n]\n';

/** Saves a screenshot, in the documentation when UPDATE_SCREENSHOTS is 1. */
async function shot(page: Page, name: string): Promise<void> {
  await (process.env.UPDATE_SCREENSHOTS === '1' ? docImage : saveScreenshot)(page, name);
}

/** Label and description of the visible rows from top to bottom. They are sorted, because the list reuses its elements. */
function shown(page: Page, view: string): Promise<string[]> {
  return page.$$eval(rows(view), (all) =>
    all
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => row.textContent?.replaceAll('\u00a0', ' ') ?? ''),
  );
}

async function rowHandle(page: Page, view: string, text: string) {
  await waitForText(page, rows(view), text);
  for (const row of await page.$$(rows(view)))
    if ((await row.evaluate((one) => one.textContent?.replaceAll('\u00a0', ' ')))?.includes(text)) return row;
  throw new Error(`no row ${text} in ${view}`);
}

async function clickRow(page: Page, view: string, text: string): Promise<void> {
  await (await rowHandle(page, view, text)).click();
}

/** Presses an icon that a row shows while the mouse is over it. */
async function pressInline(page: Page, view: string, text: string, action: string): Promise<void> {
  const row = await rowHandle(page, view, text);
  await row.hover();
  await row.waitForSelector(`.action-label[aria-label^="${action}"]`);
  // A mouse click could miss a row that is redrawn at the same time.
  const isPressed = await page.$$eval(
    rows(view),
    (all, wanted, label) => {
      const found = all.find((one) => one.textContent?.replaceAll('\u00a0', ' ').includes(wanted));
      const button = found?.querySelector<HTMLElement>(`.action-label[aria-label^="${label}"]`);
      button?.click();
      return button !== null && button !== undefined;
    },
    text,
    action,
  );
  expect(isPressed).toBe(true);
}

/** Rows with a click action expand only by their arrow. */
async function expand(page: Page, view: string, text: string): Promise<void> {
  const row = await rowHandle(page, view, text);
  if ((await row.evaluate((one) => one.getAttribute('aria-expanded'))) === 'false')
    await row.$eval('.monaco-tl-twistie', (arrow) => (arrow as HTMLElement).click());
}

/** Waits until no row of the Videos view starts with this text. */
async function waitUntilGone(page: Page, text: string): Promise<void> {
  await page
    .waitForFunction(
      (where, wanted) =>
        [...document.querySelectorAll(where)].every(
          (row) => !row.textContent?.replaceAll('\u00a0', ' ').startsWith(wanted),
        ),
      { timeout: 60_000, polling: 100 },
      rows('Videos'),
      text,
    )
    .catch(async () => {
      throw new Error(`"${text}" is still among ${JSON.stringify(await shown(page, 'Videos'))}`);
    });
}

/**
 * Presses an item of a context menu, which is in a shadow tree. A menu ignores clicks for 100 ms after it opens, and closes when
 * another element gets the focus. So the menu is opened and pressed again until a press closes it.
 */
async function pressInMenu(page: Page, view: string, text: string, label: string): Promise<void> {
  const item = `>>> ${menu}[aria-label^="${label}"]`;
  for (let tries = 0; tries < 10; tries++) {
    if (!(await page.$(item))) await (await rowHandle(page, view, text)).click({ button: 'right' });
    const chosen = await page.waitForSelector(item, { timeout: 3000 }).catch(() => null);
    const isPressed = await chosen?.click().then(
      () => true,
      () => false,
    );
    if (!isPressed) continue;
    const isGone = await page.waitForSelector(item, { hidden: true, timeout: 1000 }).catch(() => false);
    if (isGone !== false) return;
  }
  throw new Error(`"${label}" in the menu of "${text}" could not be pressed.`);
}

/** The icon appears when the extension's contributions are loaded. */
async function showSidebar(page: Page): Promise<void> {
  await (await page.waitForSelector(icon, { timeout: 60_000 }))?.click();
  await page.waitForSelector(pane('Compositions'));
}

/** Chooses the API key as the way to sign in. The input for the key is then open. */
async function chooseApiKey(page: Page): Promise<void> {
  await waitForInput(page, 'Sign In to Framework');
  await page.keyboard.type('API Key');
  await waitForText(page, selectors.focusedRow, 'With an API Key');
  await page.keyboard.press('Enter');
  await waitForInput(page, 'Sign In with an API Key');
}

/** Expands one view and collapses the others. */
async function showOnly(page: Page, view: string): Promise<void> {
  for (const other of ['Compositions', 'Variables', 'Videos']) {
    const header = await page.$(`.pane-header[aria-label^="${other}"]`);
    const isOpen = await header?.evaluate((one) => one.getAttribute('aria-expanded') === 'true');
    if (isOpen !== (other === view)) await header?.click();
  }
  await page.waitForSelector(`.pane-header[aria-label^="${view}"][aria-expanded="true"]`);
}

describe('without a folder', () => {
  const editor = suiteWindow(() => ({ copies: [] }));

  test('shows welcome views', async () => {
    const page = await editor.workbench.open(undefined, []);
    await showSidebar(page);
    await waitForText(page, `${pane('Compositions')} .welcome-view`, 'an HTML file that becomes a video');
    await waitForText(page, `${pane('Compositions')} .welcome-view .monaco-button`, 'New Composition');
    await waitForText(page, `${pane('Compositions')} .welcome-view .monaco-button`, 'Open Folder');
    await waitForText(page, `${pane('Videos')} .welcome-view`, 'Renders and their progress appear here.');
    await saveScreenshot(page, 'sidebar-empty');
    await page.click(`${pane('Compositions')} .welcome-view a[title], ${pane('Compositions')} .welcome-view p a`);
    await waitForText(page, '.getting-started-category-title, .category-title', 'Get Started with Framework');
    await page.close();
  });

  test('shows the welcome view for a folder without compositions', async () => {
    await editor.page.bringToFront();
    await showSidebar(editor.page);
    await waitForText(
      editor.page,
      `${pane('Compositions')} .welcome-view`,
      'This folder contains no compositions yet.',
    );
  });
});

describe('in a folder, at a service', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'service-'));
  const email = 'ada@example.com';
  let service: ServedProgram;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let key: string;
  afterAll(async () => {
    await database?.destroy();
    await service?.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  // A value that fails only when it is rendered.
  const picky = "if (window.__framework.getVariables().title === 'Broken') throw new Error('This title is broken.');";
  const index = readFileSync(new URL('../fixtures/editor/index.html', import.meta.url), 'utf8');
  const editor = suiteWindow(async () => {
    service = await serveProgram(dataDir, ['--workers', '0']);
    key = await addKey(dataDir, email);
    database = await openDatabase({ dataDir, databaseUrl: undefined });
    return {
      files: { 'rows.json': rowsFile, 'index.html': index.replace('    </script>', `      ${picky}\n    </script>`) },
      open: 'index.html',
      env: { SERVICE_API_URL: service.url, SERVICE_API_KEY: '', FRAMEWORK_API_KEY: '' },
    };
  });
  const { inFolder } = editor;
  let page: Page;

  const render = (row: Partial<RenderRow>) =>
    addRender(
      { context: { database, objects: { put: putObject }, now: Date.now } } as unknown as WebService,
      email,
      row,
    );
  async function putObject(name: string): Promise<void> {
    const path = join(dataDir, 'objects', name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'video');
  }
  const set = (id: string, changes: Partial<RenderRow>) =>
    database.updateTable('renders').set(changes).where('id', '=', id).execute();
  const lists = () => service.requests('/v3/framework/renders').length;

  beforeAll(async () => {
    ({ page } = editor);
    await showSidebar(page);
  });
  // An open menu would receive the keys of the next test.
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await page.keyboard.press('Escape');
  });

  test('lists the command Render first when its name is typed', async () => {
    await page.keyboard.press('F1');
    await page.waitForSelector('.quick-input-widget input');
    await page.keyboard.type('Framework: Render');
    await waitForText(page, selectors.inputRow, 'Framework: Render in the Cloud');
    expect(await page.$eval(selectors.inputRow, (row) => row.getAttribute('aria-label'))).toBe('Framework: Render');
    await page.keyboard.press('Escape');
  });

  test('expands compositions to variables and clips, and opens the element on click', async () => {
    await showOnly(page, 'Compositions');
    await waitForText(page, rows('Compositions'), 'first');
    await expand(page, 'Compositions', 'first');
    await waitForText(page, rows('Compositions'), 'heading0 – 0.5 s');
    await clickRow(page, 'Compositions', 'Variables');
    await waitForText(page, rows('Compositions'), 'accentcolor = "#ff5500"');
    await clickRow(page, 'Compositions', 'late');
    await waitForText(page, selectors.cursorPosition, 'Ln 18');
    expect((await shown(page, 'Compositions')).filter((row) => /^(?:heading|late|card)/.test(row))).toEqual([
      'heading0 – 0.5 s',
      'card0 – 1 s, → card.html',
      'late0.6 – 0.9 s',
    ]);
    await pressInline(page, 'Compositions', 'card0', 'Open Embedded Composition');
    await waitForText(page, '.tab.active', 'card.html');
  });

  test('shows edits, and keeps rows expanded', async () => {
    await openFile(page, 'index.html');
    await clickRow(page, 'Compositions', 'late');
    await waitForText(page, selectors.cursorPosition, 'Ln 18');
    await page.click(selectors.editor);
    await runCommand(page, 'Go to Line/Column...');
    await page.keyboard.type('18:10');
    await page.keyboard.press('Enter');
    await page.keyboard.type('id="later" ');
    // The first of two attributes with the same name counts.
    await waitForText(page, rows('Compositions'), 'later');
    await waitForText(page, rows('Compositions'), 'accentcolor');
    await runCommand(page, 'File: Revert File');
    await waitForText(page, rows('Compositions'), 'late0.6');
  });

  test('shows a render with its progress, and opens and deletes its video', async () => {
    await writeFile(
      inFolder('slow.html'),
      '<!doctype html><html><body><div data-composition-id="slow" data-width="320" data-height="180" data-duration="20" data-fps="30"><h1 id="a" data-start="0" data-duration="20">Slow</h1></div><script>setInterval(() => (document.querySelector("h1").textContent = String(Date.now())), 30)</script></body></html>',
    );
    await waitForText(page, rows('Compositions'), 'slow.html');
    await pressInline(page, 'Compositions', 'slow.html', 'Render');
    await showOnly(page, 'Videos');
    await waitForText(page, rows('Videos'), /first-slow\d+ % · .*frames/);
    await waitForText(page, '.activitybar .composite-bar .badge-content', /^1$/);
    await saveScreenshot(page, 'sidebar-rendering');
    await pressInline(page, 'Videos', 'first-slow', 'Cancel');
    await waitForText(page, rows('Videos'), 'first-slowcancelled');

    await openFile(page, 'index.html');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, rows('Videos'), 'firstjust now');
    expect(existsSync(inFolder('renders/first.mp4'))).toBe(true);
    await closeNotifications(page);
    await clickRow(page, 'Videos', 'first');
    await page.waitForSelector('.tab.active[data-resource-name="first.mp4"]');
    // The focus stays in the tree.
    await frameWith(page, 'video');
    expect(
      await page.evaluate((pane) => document.querySelector(pane)?.contains(document.activeElement), pane('Videos')),
    ).toBe(true);
    await pressInMenu(page, 'Videos', 'first', 'Show Render Log');
    await waitForText(page, '.tab.active', 'first.log');
    await pressInMenu(page, 'Videos', 'first', 'Delete');
    await waitForText(page, selectors.dialog, 'Delete renders/first.mp4?');
    await pressButton(page, 'Delete', selectors.dialogButton);
    await waitUntilGone(page, 'firstjust');
    expect(existsSync(inFolder('renders/first.mp4'))).toBe(false);
    await waitForNone(page, '.tab[data-resource-name="first.mp4"]');
  });

  test('expands a batch to its rows, and opens the line of a failed row', async () => {
    await showOnly(page, 'Videos');
    await openFile(page, 'rows.json');
    await runCommand(page, 'Framework: Render Batch…');
    await waitForInput(page, 'Render all 2 rows of rows.json');
    await page.keyboard.press('Enter');
    await waitForText(page, rows('Videos'), /rows\.json.*(?:%|now)/);
    await waitForText(page, rows('Videos'), /rows\.jsonfailed · just now · 1 of 2/);
    await expand(page, 'Videos', 'rows.json');
    await waitForText(page, rows('Videos'), 'Row 10.mp4 · 1 s');
    await waitForText(page, rows('Videos'), /Row 21\.mp4 · .*This title is broken/);
    await saveScreenshot(page, 'sidebar-batch');
    await closeNotifications(page);
    await openFile(page, 'card.html');
    await clickRow(page, 'Videos', 'Row 2');
    await waitForText(page, '.tab.active', 'rows.json');
    await waitForText(page, selectors.cursorPosition, 'Ln 3');
    await closeNotifications(page);
  });

  test('signs in with a code on the pages of the service', async () => {
    await showOnly(page, 'Videos');
    await waitForText(page, rows('Videos'), 'Sign in to see the renders of your account');
    await runCommand(page, 'Framework: Sign In…');
    await waitForInput(page, 'Sign In to Framework');
    await waitForText(page, selectors.focusedRow, 'With a Code');
    await page.keyboard.press('Enter');
    await waitForInput(page, /Your Code: \S+/);
    const title = await page.$eval(`${selectors.input} .quick-input-title`, (one) => one.textContent ?? '');
    const code = /Your Code: (\S+)/.exec(title)?.[1] ?? '';
    await shot(page, 'sign-in-device');
    await approve(code);
    await page.bringToFront();
    await waitForText(page, selectors.notification, `Signed in as ${email}`);
    await page.waitForSelector(selectors.accountsBadge, { hidden: true });
    expect(await page.$eval(selectors.input, (one) => (one as HTMLElement).style.display)).toBe('none');
    await closeNotifications(page);
    await waitForText(page, rows('Videos'), 'No renders in this account yet');
  });

  async function approve(code: string): Promise<void> {
    const other = await page.browser().newPage();
    const press = (selector: string) => Promise.all([other.waitForNavigation(), other.click(selector)]);
    // VS Code draws nothing while another page is active.
    onTestFinished(async () => {
      if (!other.isClosed()) await other.close();
      await page.bringToFront();
    });
    await other.goto(`${service.url}/device`);
    await other.type('#email', email);
    await other.type('#password', password);
    await press('form[action="/sign-in"] button');
    if (!(await other.$('[name="user_code"]'))) await other.goto(`${service.url}/device`);
    await other.type('[name="user_code"]', code);
    await press('main form button');
    await press('button[value="allow"]');
    await other.close();
  }

  test('shows the account in the Accounts menu, and signs out', async () => {
    await showOnly(page, 'Videos');
    await page.click('.activitybar .codicon-accounts-view-bar-icon');
    await page.waitForSelector(`>>> ${menu}[aria-label^="${email}"]`);
    await saveScreenshot(page, 'accounts-menu');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Framework: Account…');
    await waitForText(page, selectors.inputRow, `Signed in as ${email}`);
    await waitForText(page, selectors.inputRow, 'credits left');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Framework: Sign Out');
    await waitForText(page, selectors.notification, 'Signed out.');
    await waitForText(page, rows('Videos'), 'Sign in to see the renders of your account');
    await closeNotifications(page);
    await page.click('.activitybar .codicon-accounts-view-bar-icon');
    // Only a cloud render asks for a sign-in.
    await page.waitForSelector(`>>> ${menu}`);
    await page.waitForSelector(selectors.accountsBadge, { hidden: true });
    expect(await page.$(`>>> ${menu}[aria-label^="Sign in with Framework"]`)).toBeNull();
    await saveScreenshot(page, 'accounts-menu-signed-out');
    await page.keyboard.press('Escape');
  });

  test('signs in with an API key without showing it', async () => {
    await showOnly(page, 'Videos');
    await clickRow(page, 'Videos', 'Sign in to see');
    await chooseApiKey(page);
    await page.waitForSelector(`${selectors.input} input[type="password"]`);
    await typeValue(page, 'fk_wrong');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputMessage, 'The service does not accept this key.');
    await saveScreenshot(page, 'sign-in-key');
    // The box is still open and has the focus.
    await typeValue(page, key);
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.notification, `Signed in as ${email}`);
    await page.waitForSelector(selectors.accountsBadge, { hidden: true });
    await closeNotifications(page);
  });

  test('loads the cloud renders page by page', async () => {
    await showOnly(page, 'Videos');
    const minute = 60_000;
    for (let index = 1; index <= 45; index++) {
      const created = Date.now() - index * 7 * minute;
      const facts =
        index === 4
          ? { status: 'failed' as const, failure_message: 'The page is blank.', failure_code: 'blank_video' }
          : { status: 'completed' as const, video_key: `videos/v${index}.mp4`, duration: 8, credits: 2, progress: 1 };
      const title =
        index <= 3 ? ['Spring sale, 9:16', 'Spring sale, 16:9', 'Welcome, Ann'][index - 1] : `Card ${index}`;
      await render({ ...facts, title: title ?? null, created_at: created, completed_at: created + minute });
    }
    await runCommand(page, 'Framework: Update Renders');
    await waitForText(page, rows('Videos'), 'Spring sale, 9:16');
    await shot(page, 'renders');
    await clickRow(page, 'Videos', 'Card 5');
    await page.keyboard.press('End');
    await waitForText(page, rows('Videos'), 'Load More');
    expect((await shown(page, 'Videos')).at(-2)).toMatch(/^Card 20/);
    await clickRow(page, 'Videos', 'Load More');
    await waitForText(page, rows('Videos'), 'Card 21');
    await page.keyboard.press('End');
    await waitForText(page, rows('Videos'), 'Card 40');
    await clickRow(page, 'Videos', 'Load More');
    await waitForText(page, rows('Videos'), 'Card 41');
    await page.keyboard.press('End');
    await waitForText(page, rows('Videos'), 'Card 45');
    expect((await shown(page, 'Videos')).at(-1)).toMatch(/^Card 45/);
    await page.keyboard.press('Home');
    await waitForText(page, rows('Videos'), 'This Workspace');
  });

  test('polls while a cloud render is running, and stops when it ends', async () => {
    await showOnly(page, 'Videos');
    const id = await render({ title: 'In progress', status: 'rendering', progress: 0.25 });
    await runCommand(page, 'Framework: Update Renders');
    await waitForText(page, rows('Videos'), 'In progress25 %');
    await waitForText(page, '.activitybar .composite-bar .badge-content', /^1$/);
    await set(id, { progress: 0.5 });
    await waitForText(page, rows('Videos'), 'In progress50 %');
    await set(id, { status: 'completed', progress: 1, completed_at: Date.now(), duration: 8, video_key: null });
    await waitForText(page, rows('Videos'), 'In progressjust now');
    const before = lists();
    // Three times the polling interval.
    await new Promise((done) => setTimeout(done, 9_000));
    expect(lists()).toBe(before);
  });

  test('downloads a video, and deletes a render at the service', async () => {
    await showOnly(page, 'Videos');
    await pressInline(page, 'Videos', 'Spring sale, 9:16', 'Download');
    await waitForText(page, selectors.notification, /Downloaded renders\/Spring-sale-9-16-[\w-]+\.mp4/);
    const name = readdirSync(inFolder('renders')).find((one) => one.startsWith('Spring')) ?? '';
    expect(await readFile(inFolder(`renders/${name}`), 'utf8')).toBe('video');
    await closeNotifications(page);
    await pressInMenu(page, 'Videos', 'Spring sale, 16:9', 'Delete');
    await waitForText(page, selectors.dialog, 'Delete the cloud render Spring sale, 16:9?');
    await pressButton(page, 'Delete', selectors.dialogButton);
    await waitUntilGone(page, 'Spring sale, 16');
    const left = await database.selectFrom('renders').select('title').where('deleted_at', 'is not', null).execute();
    expect(left).toEqual([{ title: 'Spring sale, 16:9' }]);
  });

  test('removes finished entries from the list, restores them, and keeps their files', async () => {
    await showOnly(page, 'Videos');
    await runCommand(page, 'Framework: Remove Finished Entries');
    await waitUntilGone(page, 'This Workspace');
    await waitForText(page, selectors.notification, /Removed \d+ entries from the list/);
    await saveScreenshot(page, 'sidebar-removed');
    await pressButton(page, 'Undo');
    await waitForText(page, rows('Videos'), 'This Workspace');
    await runCommand(page, 'Framework: Remove Finished Entries');
    await waitUntilGone(page, 'This Workspace');
    await closeNotifications(page);
    // Commands for finished entries are hidden while there are none.
    await page.keyboard.press('F1');
    await page.keyboard.type('Framework: Re');
    await waitForText(page, selectors.inputRow, 'Framework: Restart Language Server');
    const offered = await page.$$eval(selectors.inputRow, (all) => all.map((one) => one.textContent).join('\n'));
    expect(offered).not.toContain('Remove Finished Entries');
    await page.keyboard.press('Escape');
    expect(existsSync(inFolder('renders'))).toBe(true);
    await rm(inFolder('renders'), { recursive: true });
  });

  test('lists several projects with their files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-films-'));
    try {
      for (const name of ['launch-card', 'lower-third', 'quote-story'])
        await cp(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), join(folder, name), {
          recursive: true,
        });
      const other = await openFolder(editor, folder, 'launch-card/index.html');
      await waitForText(other, selectors.editor, 'data-composition-variables');
      await showSidebar(other);
      await showOnly(other, 'Compositions');
      await waitForText(other, rows('Compositions'), /launch-card1920 × 1080/);
      await waitForText(other, rows('Compositions'), /quote-story1080 × 1920/);
      await other.click('.pane-header[aria-label^="Videos"]');
      // Without a key of its own for encryption, VS Code in a browser keeps a secret only in the window that stored it.
      await runCommand(other, 'Framework: Sign In…');
      await chooseApiKey(other);
      await typeValue(other, key);
      await other.keyboard.press('Enter');
      await waitForText(other, rows('Videos'), 'Welcome, Ann');
      await closeNotifications(other);
      await expand(other, 'Compositions', 'launch-card');
      await waitForText(other, rows('Compositions'), 'Variables');
      await clickRow(other, 'Compositions', 'Variables');
      await waitForText(other, rows('Compositions'), 'string = ');
      await shot(other, 'sidebar');
      await other.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
