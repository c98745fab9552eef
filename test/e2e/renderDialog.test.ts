// The page of the render dialog in a browser without VS Code: options, keyboard, screen readers, contrast.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ToForm } from '../../client/form/formMessages.ts';
import { formStrings } from '../../client/form/formStrings.ts';
import type { CheckResult, DialogState, ToDialog } from '../../client/renderDialog/dialogMessages.ts';
import { dialogStrings } from '../../client/renderDialog/dialogStrings.ts';
import { costFact, sizeFact, timeFact, videoText } from '../../client/renderDialog/estimateText.ts';
import {
  controlsOf,
  faint,
  openWebview,
  themeKinds,
  type WebviewLook,
  type WebviewPage,
} from '../support/editor/webview.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';

vi.mock('vscode', () => import('../support/editor/vscodeWords.ts'));

const earlier = { name: 'launch-card.mp4', frames: 270, framesPerSecond: 44, isSameSize: true };
const state: DialogState = {
  name: 'launch-card',
  choice: { target: 'local', video: {} },
  output: '',
  suggestion: 'renders/launch-card-halo-two.mp4',
  own: { size: '1920 × 1080', fps: '30', duration: '9' },
  stack: '',
  isBatch: false,
};
const plan = { width: 1920, height: 1080, fps: { num: 30, den: 1 }, frames: 270, duration: 9 };
const valid: CheckResult = {
  state: 'valid',
  video: videoText({ ...plan, format: 'mp4', quality: 'standard' }),
  time: timeFact('local', { amount: 6.1, basis: { kind: 'earlier', earlier } }),
  size: sizeFact({ amount: 1_840_000, basis: earlier }),
  cost: costFact({ amount: 0, basis: { unit: 'free' } }),
};

describe('the render dialog', () => {
  const launched = sharedBrowser();

  async function open(given: Partial<DialogState> = {}, check = valid, look: WebviewLook = {}): Promise<WebviewPage> {
    const size = { width: 1280, height: 900, background: '--vscode-editor-background' };
    const opened = await openWebview(launched().browser, 'renderDialog', { ...size, ...look });
    await opened.post({ type: 'start', location: 'panel', strings: formStrings() } satisfies ToForm);
    await opened.post({ type: 'dialogStart', strings: dialogStrings() } satisfies ToDialog);
    await opened.post({
      type: 'state',
      state: {
        uri: 'file:///w/index.html',
        name: 'launch-card',
        declarations: [
          { id: 'title', type: 'string', label: 'Product', default: 'Halo', maxLength: 24 },
          { id: 'tagline', type: 'string', label: 'Tagline', default: 'Light that follows you', maxLength: 60 },
          { id: 'price', type: 'number', label: 'Price', default: 129, min: 0, max: 999, unit: '€' },
          { id: 'accent', type: 'color', label: 'Accent', default: '#ff5500' },
          { id: 'badge', type: 'boolean', label: 'Show badge', default: true },
        ],
        values: { title: 'Halo Two' },
        size: '',
        sets: { names: ['spring', 'autumn'], isModified: false },
        edit: 0,
      },
    } satisfies ToForm);
    await opened.post({ type: 'dialogState', state: { ...state, ...given } } satisfies ToDialog);
    await opened.post({ type: 'dialogCheck', result: check } satisfies ToDialog);
    return opened;
  }
  /** Saves `render-dialog-<name>.png` in the folder of the variable SCREENSHOTS. */
  async function screenshot({ page }: WebviewPage, name: string): Promise<void> {
    const target = process.env.SCREENSHOTS;
    if (!target) return;
    await mkdir(target, { recursive: true });
    await page.screenshot({ path: join(target, `render-dialog-${name}.png`) as `${string}.png` });
  }
  const last = async ({ posted }: WebviewPage) => (await posted()).at(-1);
  const choose = ({ page }: WebviewPage, label: string) =>
    page.evaluate((wanted: string) => {
      const found = [...document.querySelectorAll('.radios label')].find(({ textContent }) => textContent === wanted);
      found?.querySelector('input')?.click();
    }, label);
  const type = async ({ page }: WebviewPage, label: string, text: string) => {
    await page.locator(`::-p-aria(${label})`).click({ count: 3 });
    await page.keyboard.type(text);
  };

  test('posts the choice with every change', async () => {
    const dialog = await open();
    await choose(dialog, 'WebM');
    const video: Record<string, string> = { format: 'webm' };
    expect(await last(dialog)).toEqual({ type: 'dialogChoice', choice: { target: 'local', video }, output: '' });
    await choose(dialog, 'High');
    await type(dialog, 'Start', '1.5');
    await type(dialog, 'End', '75f');
    await type(dialog, 'Frame rate', '25');
    await type(dialog, 'Output', 'out/card.webm');
    await choose(dialog, 'Cloud');
    Object.assign(video, { quality: 'high', from: '1.5', to: '75f', fps: '25' });
    const sent = { type: 'dialogChoice', choice: { target: 'cloud', video }, output: 'out/card.webm' };
    expect(await last(dialog)).toEqual(sent);
    await choose(dialog, 'GIF');
    expect(await last(dialog)).toMatchObject({ choice: { video: { format: 'gif' } }, output: 'out/card.gif' });
    await dialog.page.close();
  });

  test('offers fit and bars only for another aspect ratio, and a time range, captions and colors only on this computer', async () => {
    const dialog = await open();
    const names = async () =>
      (await controlsOf(dialog.page)).filter((name) => /^(?:combobox|textbox): (?:Fit|Color of the bars)/.test(name));
    expect(await names()).toEqual([]);
    await dialog.page.select('select[aria-labelledby="option-6-label"]', '9:16');
    expect(await names()).toEqual(['combobox: Fit', 'textbox: Color of the bars']);
    const isDisabled = () => dialog.page.$$eval('.option.disabled', (all) => all.length);
    expect(await isDisabled()).toBe(0);
    await choose(dialog, 'AWS');
    expect(await isDisabled()).toBe(4);
    await dialog.page.close();
  });

  test('offers the colors that the format can have, and names their codec', async () => {
    const dialog = await open();
    const select = 'select[aria-labelledby="option-5-label"]';
    const shown = () =>
      dialog.page.$eval(select, (list) => ({
        chosen: (list as HTMLSelectElement).selectedOptions[0]?.text,
        offered: [...(list as HTMLSelectElement).options].flatMap(({ text, disabled }) => (disabled ? [] : text)),
        hint: list.closest('.option')?.querySelector('.hint')?.textContent,
      }));
    const forMp4 = ['8 bits', '10 bits', 'HDR (PQ)', 'HDR (HLG)'];
    expect(await shown()).toEqual({ chosen: '8 bits', offered: forMp4, hint: '' });
    await dialog.page.select(select, '10-bit');
    expect(await shown()).toMatchObject({ chosen: '10 bits', hint: 'Gradients without bands. The codec is H.265.' });
    await choose(dialog, 'WebM');
    const hint = 'Gradients without bands. The codec is VP9.';
    expect(await shown()).toEqual({ chosen: '10 bits', offered: ['8 bits', '10 bits'], hint });
    await choose(dialog, 'MOV');
    expect(await shown()).toEqual({
      ...{ chosen: '10 bits (ProRes)', hint: '' },
      offered: ['10 bits (ProRes)', 'HDR (PQ)', 'HDR (HLG)'],
    });
    expect(await last(dialog)).toMatchObject({ choice: { video: { format: 'mov' } } });
    await dialog.page.close();
  });

  test('keeps the typed text and the choice when the extension updates its state', async () => {
    const dialog = await open();
    await type(dialog, 'Frame rate', '29.9');
    await dialog.post({ type: 'dialogState', state: { ...state, suggestion: 'renders/other.mp4' } } satisfies ToDialog);
    await dialog.page.keyboard.type('7');
    const video = { fps: '29.97' };
    expect(await last(dialog)).toEqual({ type: 'dialogChoice', choice: { target: 'local', video }, output: '' });
    await dialog.page.close();
  });

  test('renders with Ctrl+Enter and with its button', async () => {
    const dialog = await open();
    await type(dialog, 'Output', 'a.mp4');
    await dialog.page.keyboard.down('Control');
    await dialog.page.keyboard.press('Enter');
    await dialog.page.keyboard.up('Control');
    expect(await last(dialog)).toEqual({ type: 'action', uri: 'file:///w/index.html', action: 'render' });
    await dialog.page.click('.estimates .primary');
    expect(await last(dialog)).toEqual({ type: 'dialogRender' });
    await dialog.page.click('.estimates .secondary');
    expect(await last(dialog)).toEqual({ type: 'dialogCopy' });
    await dialog.page.close();
  });

  test('shows what is wrong instead of estimates', async () => {
    const message = 'The time range ends after the end of the composition';
    const dialog = await open({}, { state: 'invalid', message, hint: 'The composition has 270 frames (9 s).' });
    expect(await dialog.page.$eval('.estimates [role=alert]', (one) => one.textContent)).toBe(
      `${message}The composition has 270 frames (9 s).`,
    );
    expect(await dialog.page.$eval('.facts', (one) => one.checkVisibility())).toBe(false);
    await dialog.page.close();
  });

  test('keeps the buttons visible in a narrow panel', async () => {
    const dialog = await open({}, valid, { width: 460, height: 700 });
    await screenshot(dialog, 'narrow');
    const bottom = await dialog.page.$eval('.estimates', (one) => one.getBoundingClientRect().bottom);
    expect(bottom).toBe(700);
    const heights = await dialog.page.$eval('.columns', (one) => [
      one.scrollHeight > one.clientHeight,
      one.clientHeight > 350,
    ]);
    expect(heights).toEqual([true, true]);
    expect(await dialog.page.$eval('.fact', (one) => one.getAttribute('title'))).toBe(
      'From launch-card.mp4: 270 frames at 44 per second.',
    );
    await dialog.page.close();
  });

  test.each(themeKinds)('names all controls, and has enough contrast in the theme %s', async (theme) => {
    const dialog = await open({}, valid, { theme });
    await screenshot(dialog, theme);
    const controls = await controlsOf(dialog.page);
    expect(controls.filter((name) => name.endsWith(': '))).toEqual([]);
    expect(controls).toContain('radio: PNG frames');
    expect(controls).toContain('button: Copy CLI Command');
    expect(await faint(dialog.page)).toEqual([]);
    await dialog.page.close();
  });
});
