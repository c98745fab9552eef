// The doctor and the installation of programs, on a machine with all programs and on one without.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { embeddedExecutable } from '../support/renders/ffmpeg.ts';
import { decode } from '../support/renders/video.ts';
import { type Mirror, packBrowser, packProgram, pathOf, publish, startMirror } from '../support/servers/mirror.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  closeNotifications,
  frameWith,
  pressButton,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Saves a screenshot, in the documentation when UPDATE_SCREENSHOTS is 1. */
async function shot(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS === '1') await page.screenshot({ path: join(images, `${name}.png`) as 'x.png' });
  await saveScreenshot(page, name);
}

async function openDoctor(page: Page): Promise<Frame> {
  await runCommand(page, 'Framework: Run Doctor');
  return frameWith(page, '.verdict');
}

async function pressInFrame(frame: Frame, label: RegExp): Promise<void> {
  await waitInFrame(frame, 'button', label);
  const pressed = await frame.$$eval(
    'button',
    (all, pattern) => {
      const found = all.find(({ textContent }) => new RegExp(pattern).test(textContent ?? ''));
      found?.click();
      return found !== undefined;
    },
    label.source,
  );
  expect(pressed, String(label)).toBe(true);
}

const rowsOf = (frame: Frame) =>
  frame.$$eval('tbody tr', (all) => all.map((row) => [row.className, row.querySelector('th')?.textContent]));

/** A machine whose PATH is the empty folder `bin`, and a server from which the programs are downloaded. */
async function emptyMachine() {
  const root = mkdtempSync(join(tmpdir(), 'fw-mirror-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const packed = { browser: join(root, 'browser.zip'), ffmpeg: join(root, 'ffmpeg.gz') };
  const ffmpeg = embeddedExecutable(join(root, 'ffmpeg'));
  await packBrowser((await findBrowser({ env: process.env })).path, packed.browser);
  await packProgram(ffmpeg, packed.ffmpeg);
  const mirror = await startMirror();
  publish(mirror, packed);
  const env = {
    PATH: bin,
    // Without it, the server uses the PATH of a login shell.
    VSCODE_CLI: '1',
    FRAMEWORK_CACHE: join(root, 'cache'),
    PUPPETEER_CACHE_DIR: bin,
    FRAMEWORK_BROWSER_MIRROR: mirror.url,
    FRAMEWORK_FFMPEG_MIRROR: mirror.url,
  };
  const remove = async () => {
    await mirror.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { bin, packed, ffmpeg, mirror, env, remove };
}

describe('on a machine with all programs', () => {
  const editor = suiteWindow(() => ({ open: 'index.html' }));
  let page: Page;
  beforeAll(async () => {
    ({ page } = editor);
    await waitForText(page, selectors.lens, 'Render');
  });

  test('shows the table of framework doctor in a tab', async () => {
    const frame = await openDoctor(page);
    await waitInFrame(frame, '.verdict', 'This machine can render.');
    const names = (await rowsOf(frame)).map(([, name]) => name);
    expect(names.slice(0, 5)).toEqual(['Node.js', 'browser', 'capture', 'ffmpeg', 'H.264 encoder']);
    await waitForText(page, '.tab.active', 'Framework Doctor');
    await shot(page, 'doctor');
    // Texts for screen readers.
    expect(
      await frame.$$eval('tbody .sign .visually-hidden', (all) => all.every(({ textContent }) => textContent)),
    ).toBe(true);
  });

  test('runs the doctor again', async () => {
    const frame = await openDoctor(page);
    await waitInFrame(frame, '.verdict', 'This machine can render.');
    await pressInFrame(frame, /^Run Again$/);
    await waitInFrame(frame, '.verdict', 'Checking this machine');
    await waitInFrame(frame, '.verdict', 'This machine can render.');
  });

  test('downloads nothing when the settings name the programs', async () => {
    await runCommand(page, 'Framework: Install Browser and ffmpeg…');
    await waitForText(page, selectors.notification, 'name the programs: framework.browserPath, framework.ffmpegPath.');
    await closeNotifications(page);
  });
});

describe('on a machine without programs', () => {
  let machine: Awaited<ReturnType<typeof emptyMachine>>;
  let mirror: Mirror;
  /** The download folder of the extension. */
  const storage = () =>
    join(dirname(editor.workbench.browserLink), 'data/data/User/globalStorage/framework.framework/programs');
  const left = () => readdir(storage()).catch(() => []);

  afterAll(() => machine?.remove());
  const editor = suiteWindow(async () => {
    machine = await emptyMachine();
    mirror = machine.mirror;
    return { open: 'index.html', withoutPrograms: true, env: machine.env };
  });
  let page: Page;
  beforeAll(async () => {
    ({ page } = editor);
    await waitForText(page, selectors.lens, 'Render');
  });

  test('shows missing programs with their sizes in the doctor and in the language status', async () => {
    const frame = await openDoctor(page);
    await waitInFrame(frame, '.verdict', 'This machine cannot render yet.');
    const rows = await rowsOf(frame);
    expect(rows.filter(([status]) => status === 'missing')).toEqual([
      ['missing', 'browser'],
      ['missing', 'ffmpeg'],
    ]);
    await waitInFrame(frame, 'button', /^Download Missing Programs \(1\d\d MB\)$/);
    await waitInFrame(frame, 'tr.missing button', 'Open Setting');
    await saveScreenshot(page, 'doctor-missing');
    await runCommand(page, 'View: Open Previous Editor');
    await waitForText(page, '.tab.active', 'index.html');
    await (await page.waitForSelector(selectors.status))?.hover();
    await waitForText(page, selectors.statusDetail, 'Setup required');
    await saveScreenshot(page, 'setup-status');
    await page.mouse.move(600, 300);
  });

  test('leaves no files after a cancelled download', async ({ onTestFinished }) => {
    onTestFinished(() => publish(mirror, machine.packed));
    // It is as large as the real download; the mirror stops after a part of it.
    mirror.files.set(pathOf('browser'), { content: Buffer.alloc(119_809_080), holdAfter: 70_000_000 });
    const frame = await openDoctor(page);
    await waitInFrame(frame, '.verdict', 'This machine cannot render yet.');
    await pressInFrame(frame, /^Download Missing Programs/);
    // Progress is reported several times a second, so the last bytes may not be included.
    await waitForText(page, selectors.notification, /Chrome Headless Shell .*: \d\d MB of 120 MB/);
    await shot(page, 'setup-download');
    await pressButton(page, 'Cancel');
    await waitForNone(page, selectors.notification);
    // VS Code hides the notification immediately; the program takes longer to end.
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  });

  test('shows the sizes and waits for confirmation', async () => {
    const asked = mirror.asked.length;
    await runCommand(page, 'Framework: Install Browser and ffmpeg…');
    await waitForText(
      page,
      selectors.notification,
      /requires Chrome Headless Shell .* \(120 MB\), ffmpeg .* \(30 MB\)/,
    );
    await saveScreenshot(page, 'setup-confirmation');
    expect(mirror.asked).toHaveLength(asked);
    await closeNotifications(page);
    expect(await left()).toEqual([]);
  });

  test('offers the download when a render fails, and continues the render after it', async () => {
    await runCommand(page, 'View: Open Previous Editor');
    await waitForText(page, '.tab.active', 'index.html');
    await runCommand(page, 'Framework: Render');
    // Either program can be reported first.
    const first = await waitForText(
      page,
      selectors.notification,
      /(?:browser|ffmpeg) was (?:not )?found on this machine\./i,
    );
    await saveScreenshot(page, 'render-without-programs');
    const both = ['browser', 'ffmpeg'];
    for (const name of /browser was/i.test(first) ? both : both.reverse()) {
      await waitForText(page, selectors.notification, new RegExp(`${name} was (?:not )?found on this machine`));
      await pressButton(page, name === 'browser' ? 'Download (120 MB)' : 'Download (30 MB)');
    }
    await waitForText(page, selectors.notification, 'Rendered renders/first.mp4');
    await saveScreenshot(page, 'rendered-after-setup');
    expect(await decode(editor.inFolder('renders/first.mp4'), 320, 180)).toHaveLength(10);
    expect(readdirSync(storage())).toHaveLength(2);
    await closeNotifications(page);
  });

  test('shows in the doctor that the programs were downloaded', async () => {
    const frame = await openDoctor(page);
    await waitInFrame(frame, '.verdict', 'This machine can render.');
    await waitInFrame(frame, 'tbody tr', 'downloaded by framework setup');
    await saveScreenshot(page, 'doctor-after-setup');
    await runCommand(page, 'Framework: Install Browser and ffmpeg…');
    await waitForText(page, selectors.notification, 'Everything needed for rendering is installed.');
    await closeNotifications(page);
  });
});

describe('on a machine with an installed browser and ffmpeg', () => {
  let machine: Awaited<ReturnType<typeof emptyMachine>>;
  afterAll(() => machine?.remove());
  const editor = suiteWindow(async () => {
    machine = await emptyMachine();
    symlinkSync((await findBrowser({ env: process.env })).path, join(machine.bin, 'chromium-headless-shell'));
    symlinkSync(machine.ffmpeg, join(machine.bin, 'ffmpeg'));
    return { open: 'index.html', withoutPrograms: true, env: machine.env };
  });

  test('offers the programs of the release after the first render', async () => {
    const { page } = editor;
    await waitForText(page, selectors.lens, 'Render');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'Rendered renders/first.mp4');
    await waitForText(
      page,
      selectors.notification,
      /used other programs .* Download Chrome Headless Shell .*, ffmpeg .*\?/,
    );
    await saveScreenshot(page, 'setup-pinned');
    await pressButton(page, 'Download (150 MB)');
    await waitForText(page, selectors.notification, /Installed Chrome Headless Shell .*, ffmpeg/);
    await closeNotifications(page);
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'Rendered renders/first-2.mp4');
    const notices = await page.$$eval(selectors.notification, (all) => all.map((one) => one.textContent).join());
    expect(notices).not.toContain('used other programs');
  });
});
