// Accessibility of the extension's webviews: keyboard, screen readers, themes, motion. The pages run in a browser without VS Code.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { describe, expect, test, vi } from 'vitest';
import type { FormState, ToForm } from '../../client/form/formMessages.ts';
import { formStrings } from '../../client/form/formStrings.ts';
import type { ToCompare } from '../../client/preview/compareMessages.ts';
import { busyPage, doctorPage } from '../../client/setup/doctorPage.ts';
import {
  controlsOf,
  faint,
  openWebview,
  tabOrder,
  themeKinds,
  type WebviewLook,
  type WebviewPage,
} from '../support/editor/webview.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';
import { soak } from '../support/suites.ts';

vi.mock('vscode', () => import('../support/editor/vscodeWords.ts'));

const state: FormState = {
  uri: 'file:///w/index.html',
  name: 'launch-card',
  declarations: [
    { id: 'title', type: 'string', label: 'Title', default: 'Hello', maxLength: 20, placeholder: 'A few words' },
    { id: 'size', type: 'number', label: 'Size', default: 40, min: 10, max: 90, step: 5, unit: 'px' },
    { id: 'accent', type: 'color', label: 'Accent', default: '#ff5500' },
    { id: 'bold', type: 'boolean', label: 'Bold', default: true },
    {
      id: 'mood',
      type: 'enum',
      label: 'Mood',
      default: 'calm',
      options: [option('calm', 'Calm'), option('wild', 'Wild')],
    },
    { id: 'count', type: 'number', label: 'Count', default: 3 },
  ],
  values: { title: 'Good morning', count: 5, old: 'gone' },
  size: '9:16, cover',
  sets: { names: ['spring', 'autumn'], chosen: 'spring', isModified: true },
  edit: 0,
};

function option(value: string, label: string) {
  return { value, label };
}

const diagnosis = {
  ok: false,
  rows: [
    { name: 'Node.js', status: 'ok', value: '24.1.0' },
    {
      name: 'browser',
      status: 'missing',
      value: 'none found',
      fix: 'Install Chrome.',
      remedy: { program: 'browser', bytes: 120e6 },
    },
    { name: 'ffmpeg', status: 'warning', value: '4.0', fix: 'Run sudo apt-get install ffmpeg.' },
  ],
} as const;

describe('webviews', () => {
  const launched = sharedBrowser();

  async function form(look: WebviewLook = {}, given: FormState = state): Promise<WebviewPage> {
    const opened = await openWebview(launched().browser, 'form', look);
    await opened.post({ type: 'start', location: 'sidebar', strings: formStrings() } satisfies ToForm);
    await opened.post({ type: 'state', state: given } satisfies ToForm);
    return opened;
  }
  async function doctor(look: WebviewLook = {}): Promise<WebviewPage> {
    const opened = await openWebview(launched().browser, 'doctor', {
      width: 900,
      background: '--vscode-editor-background',
      ...look,
    });
    await opened.post({ type: 'show', page: doctorPage(diagnosis, '/home/ann/programs') });
    return opened;
  }
  async function notice(look: WebviewLook = {}): Promise<WebviewPage> {
    const opened = await openWebview(launched().browser, 'preview', {
      width: 600,
      height: 500,
      background: '--vscode-editor-background',
      ...look,
    });
    const button = { label: 'Restart', action: 'restart' };
    await opened.post({ type: 'notice', notice: { text: 'The preview has stopped.', detail: 'status 1', button } });
    return opened;
  }

  async function compare(look: WebviewLook = {}): Promise<WebviewPage> {
    const size = { width: 900, height: 400, background: '--vscode-editor-background' };
    const opened = await openWebview(launched().browser, 'compare', { ...size, ...look });
    const strings = { play: 'Play', pause: 'Pause', time: 'Time', left: 'Left', right: 'Right' };
    const urls = { left: 'about:blank', right: 'about:blank' };
    await opened.post({ type: 'frames', urls, origin: 'null', strings, texts: {} } satisfies ToCompare);
    await opened.post({
      type: 'choices',
      choices: [
        { value: 'defaults', label: 'Defaults' },
        { value: 'set spring', label: 'spring' },
      ],
      chosen: { left: 'defaults', right: 'set spring' },
    } satisfies ToCompare);
    return opened;
  }

  /** A form with a text that is too long. */
  async function invalid(given: WebviewLook): Promise<WebviewPage> {
    const opened = await form(given);
    await opened.page.type('.field[data-id="title"] input', ', and a good day');
    await opened.page.waitForSelector('.invalid');
    return opened;
  }
  /** Saves a screenshot in the folder named by the environment variable LOOK. */
  async function look(page: Page, name: string): Promise<void> {
    const { LOOK } = process.env;
    if (!LOOK) return;
    await mkdir(LOOK, { recursive: true });
    await page.screenshot({ path: join(LOOK, `${name}.png`) as `${string}.png` });
  }

  test('gives every control a name', async () => {
    expect(await controlsOf((await form()).page)).toMatchInlineSnapshot(`
      [
        "combobox: Set",
        "option: No set",
        "option: spring (changed)",
        "option: autumn",
        "button: Save Variables as Set…",
        "button: Delete Variable Set…",
        "button: Reset Title to its default",
        "textbox: Title",
        "slider: Size",
        "spinbutton: Size",
        "ColorWell: Pick a color for Accent",
        "textbox: Accent",
        "switch: Bold",
        "radio: Calm",
        "radio: Wild",
        "button: Reset Count to its default",
        "spinbutton: Count",
        "button: Add Variable…",
        "button: Remove old",
        "button: Reset Variables",
        "button: Size: 9:16, cover",
        "button: Render",
        "button: Write Variables as Defaults",
        "button: Copy CLI Command",
      ]
    `);
    expect(await controlsOf((await doctor()).page)).toMatchInlineSnapshot(`
      [
        "button: Download Missing Programs (120 MB)",
        "button: Run Again",
        "button: Copy as Text",
        "button: browser: Download (120 MB)",
        "button: browser: Open Setting",
        "button: ffmpeg: Copy Command",
        "button: ffmpeg: Open Setting",
      ]
    `);
    expect(await controlsOf((await notice()).page)).toMatchInlineSnapshot(`
      [
        "button: Restart",
      ]
    `);
  });

  test('keeps the fields when the declarations contain an error, and links to it', async () => {
    const problem = { message: 'Expected , or } after the value of "title"', line: 4 };
    const { page, posted, post } = await form({}, { ...state, problem });
    await look(page, 'form-broken');
    const shown = (selector: string) => page.$eval(selector, (one) => (one as HTMLElement).innerText);
    expect((await shown('.alert')).split('\n').filter(Boolean)).toEqual([
      'The declarations contain an error: Expected , or } after the value of "title"',
      'Go to Line 4',
    ]);
    expect(await page.$$eval('.field', (all) => all.length)).toBe(6);
    expect(await page.$eval('.unknown', (one) => (one as HTMLElement).hidden)).toBe(true);
    await page.click('.alert button');
    expect((await posted()).at(-1)).toEqual({ type: 'goToProblem', uri: state.uri });
    await post({ type: 'state', state: { ...state, declarations: [], problem } } satisfies ToForm);
    expect(await shown('main')).not.toContain('declares no variables');
    expect(await shown('.alert p')).toContain('The declarations contain an error');
    await post({ type: 'state', state } satisfies ToForm);
    expect(await page.$eval('.alert', (one) => (one as HTMLElement).hidden)).toBe(true);
    await page.close();
  });

  test('offers to add a variable, also to a composition without variables', async () => {
    const { page, posted } = await form({}, { ...state, declarations: [], values: {} });
    expect(await page.$eval('.fields', (one) => one.textContent)).toContain('launch-card declares no variables.');
    await look(page, 'form-without-variables');
    await page.click('.add');
    expect((await posted()).at(-1)).toEqual({ type: 'action', uri: state.uri, action: 'addVariable' });
    await page.close();
  });

  test('reaches every control with Tab in reading order, with a visible focus', async () => {
    expect(await tabOrder((await form()).page)).toMatchInlineSnapshot(`
      [
        "select Set",
        "button Save Variables as Set…",
        "button Delete Variable Set…",
        "button Reset Title to its default",
        "input Title",
        "input Size",
        "input Size",
        "input Pick a color for Accent",
        "input Accent",
        "input Bold",
        "input Calm",
        "button Reset Count to its default",
        "input Count",
        "button Add Variable…",
        "button Remove old",
        "button Reset Variables",
        "button Size: 9:16, cover",
        "button Render",
        "button Write Variables as Defaults",
        "button Copy CLI Command",
      ]
    `);
    expect(await tabOrder((await doctor()).page)).toMatchInlineSnapshot(`
      [
        "button Download Missing Programs (120 MB)",
        "button Run Again",
        "button Copy as Text",
        "button browser: Download (120 MB)",
        "button browser: Open Setting",
        "button ffmpeg: Copy Command",
        "button ffmpeg: Open Setting",
      ]
    `);
  });

  const focusIn = ({ page }: WebviewPage) =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

  test('names the controls of compared sets, and posts the choice', async () => {
    const { page, posted } = await compare();
    const controls = await controlsOf(page);
    expect(controls.filter((name) => !name.startsWith('option'))).toEqual([
      'combobox: Left',
      'combobox: Right',
      'button: Play',
      'slider: Time',
    ]);
    await page.select('select[aria-label="Left"]', 'set spring');
    expect((await posted()).at(-1)).toEqual({ type: 'choose', side: 'left', value: 'set spring' });
    await page.close();
  });

  test('moves the focus when the focused button is removed', async () => {
    const opened = await form();
    await opened.page.focus('.unknown-value button');
    await opened.page.keyboard.press('Enter');
    expect(await focusIn(opened)).toBe('Render');
    await opened.page.focus('#resetAll');
    await opened.page.keyboard.press('Enter');
    expect(await focusIn(opened)).toBe('Undo');
    await opened.page.keyboard.press('Enter');
    expect(await focusIn(opened)).toBe('Reset Variables');
    const table = await doctor();
    await table.page.focus('button[aria-label="ffmpeg: Open Setting"]');
    const known = doctorPage(diagnosis, '/home/ann/programs');
    await table.post({ type: 'show', page: busyPage(known) });
    await table.post({ type: 'show', page: known });
    expect(await focusIn(table)).toBe('ffmpeg: Open Setting');
  });

  test('changes a number with the arrow keys and reports it to screen readers', async () => {
    const { page } = await form();
    await page.focus('.field[data-id="size"] input[type="text"]');
    await page.keyboard.press('ArrowUp');
    const reported = await page.$eval('[role="spinbutton"]', (input) =>
      ['aria-valuenow', 'aria-valuemin', 'aria-valuemax'].map((name) => input.getAttribute(name)),
    );
    expect(reported).toEqual(['45', '10', '90']);
  });

  test('shows no animation with reduced motion', async () => {
    const busy = { type: 'show', page: busyPage(undefined) };
    for (const preference of ['reduce', 'no-preference'] as const) {
      const pages = [await form(), await doctor()];
      await pages[1]?.post(busy);
      const moving = await Promise.all(
        pages.map(async ({ page }) => {
          await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: preference }]);
          return page.$$eval(
            'body *',
            (all) =>
              all.filter((one) => {
                const { animationName, transitionDuration } = getComputedStyle(one);
                return animationName !== 'none' || /[1-9]/.test(transitionDuration);
              }).length,
          );
        }),
      );
      expect(moving.map((count) => count > 0)).toEqual(preference === 'reduce' ? [false, false] : [true, true]);
    }
  });

  const contrast = async (theme: (typeof themeKinds)[number]): Promise<void> => {
    for (const [name, open] of Object.entries({ form, invalid, doctor, notice, compare })) {
      const { page } = await open({ theme });
      await look(page, `${name}-${theme}`);
      expect(await faint(page), `${name}, ${theme}`).toEqual([]);
      await page.close();
    }
  };
  for (const theme of themeKinds)
    test(`has sufficient contrast in the theme ${theme}`, theme === 'light' ? {} : soak, () => contrast(theme));

  test('finds text with too little contrast (control)', async () => {
    const { page } = await notice();
    await page.addStyleTag({ content: '.notice p { color: #555 }' });
    expect(await faint(page)).toEqual(['status 1: 2.2']);
  });

  test('shows selected controls with forced colors', async () => {
    const { page } = await form();
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
    const chosen = await page.$$eval('input[role="switch"], .radios label, input[type="color"]', (all) =>
      all.map((one) => getComputedStyle(one).forcedColorAdjust),
    );
    expect(chosen).toEqual(['none', 'none', 'none', 'auto']);
    await look(page, 'form-forced');
  });
});
