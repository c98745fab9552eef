// An editor around the preview, without VS Code: it changes the text and the draft values with the language server's edits.

import { expect, onTestFinished } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FromPage, MenuTexts, PreviewState, ToPage } from '../../../preview/messages.ts';
import type { WithoutName } from '../../../preview/page/editor.ts';
import type { LaunchedBrowser } from '../../../renderer-core/capture/launch.ts';
import { changePart, findParts, partVariable } from '../../../server/features/refactor/shownParts.ts';
import { changeText, findText } from '../../../server/features/refactor/shownText.ts';
import type { PartVariable, TextChange } from '../../../server/protocol.ts';
import { project } from '../project.ts';
import { openPreview } from './previewPage.ts';
import { sourceFile } from './sourceFile.ts';

const patient = { timeout: 60_000 };

const menuTexts: MenuTexts = {
  text: 'Text',
  image: 'Image',
  color: 'Color',
  'background-color': 'Background',
  fill: 'Fill',
  stroke: 'Stroke',
  addVariable: 'Add Variable',
  variable: 'variable {0}',
  goTo: 'Go to Source',
  none: 'Nothing here can be changed in the preview.',
  notFound: 'No style of this file sets it.',
  other: 'The frame shows another color.',
};

/** Opens a composition. `files`: other files of the project. */
export async function editInPreview(
  launched: LaunchedBrowser,
  markup: string,
  files: Record<string, string | Uint8Array> = {},
) {
  const opened = await openPreview(launched, project({ 'index.html': markup, ...files }));
  const outer = await launched.browser.newPage();
  onTestFinished(() => outer.close());
  const sources = new Map(
    Object.entries({ 'index.html': markup, ...files }).map(([path, text]) => [path, String(text)] as const),
  );
  const open = (path: string) => {
    const file = sourceFile(sources, path);
    if (!file) throw new Error(`${path} is not a composition`);
    return file;
  };
  const drafts: Record<string, unknown> = {};
  type Ask = 'findText' | 'changeText' | 'findParts' | 'changePart' | 'addVariable';
  const apply = (change: TextChange | PartVariable) => {
    if ('reason' in change) return { type: 'textEdited', reason: change.reason };
    if ('draft' in change) drafts[change.draft.id] = change.draft.value;
    else {
      const path = [...sources.keys()].find((one) => sourceFile(sources, one)?.uri === change.uri) ?? '';
      const document = TextDocument.create(change.uri, 'html', 1, sources.get(path) ?? '');
      sources.set(path, TextDocument.applyEdits(document, change.edits));
      opened.preview.text(path, sources.get(path) ?? '');
    }
    opened.preview.show('index.html', { ...drafts });
    return { type: 'textEdited', reason: null };
  };
  await outer.exposeFunction('ask', (message: Extract<FromPage, { type: Ask }>) => {
    const file = open('element' in message ? message.element.file : message.text.file);
    if (message.type === 'findText') return { type: 'foundText', found: findText(file, { ...message.text, drafts }) };
    if (message.type === 'changeText') return apply(changeText(file, { ...message.text, drafts }, message.value));
    const request = { ...message.element, drafts };
    if (message.type === 'findParts') return { type: 'foundParts', parts: findParts(file, request), texts: menuTexts };
    if (message.type === 'changePart') return apply(changePart(file, request, message.part, message.value));
    return apply(partVariable(file, request, message.part));
  });
  await outer.setViewport({ width: 1000, height: 640 });
  await outer.setContent(`<body style="margin:0"><iframe style="border:0;width:1000px;height:640px"></iframe><script>
    window.post = (message) => document.querySelector('iframe').contentWindow.postMessage({ framework: 'preview', ...message }, '*');
    addEventListener('message', async ({ data }) => {
      if (data.type === 'loaded') post({ type: 'editable' });
      if (data.type === 'state') window.state = data.state;
      if (/^(?:find|change|addVariable)/.test(data.type)) post(await ask(data));
    });
    document.querySelector('iframe').src = ${JSON.stringify(`${opened.preview.url}?composition=index.html`)};
  </script>`);
  const inside = await (await outer.$('iframe'))?.contentFrame();
  if (!inside) throw new Error('the preview has no frame');
  const shown = async () => {
    const frame = await (await inside.waitForSelector('iframe.shown', patient))?.contentFrame();
    if (!frame) throw new Error('the composition has no frame');
    return frame;
  };
  const content = (id: string) =>
    expect.poll(async () => (await shown()).$eval(id, (one) => one.textContent).catch(() => ''), patient);
  const pointIn = async (id: string) => {
    await shown();
    // The composition is scaled, and the preview is at the top left.
    const frame = await inside.$eval('iframe.shown', (one) => {
      const { x, y, width } = one.getBoundingClientRect();
      return { x, y, scale: width / one.clientWidth };
    });
    const at = await (await shown()).$eval(id, (one) => {
      const { x, y, height } = one.getBoundingClientRect();
      return { x: x + 8, y: y + height / 2 };
    });
    return { x: frame.x + at.x * frame.scale, y: frame.y + at.y * frame.scale };
  };
  /** Resolves when the browser passes the pointer to the preview: a click before that is lost, as before a page is shown. */
  const getsPointer = async () => {
    await inside.evaluate(() => {
      const page = window as Window & { hasPointer?: boolean };
      page.hasPointer = false;
      page.addEventListener('pointermove', () => {
        page.hasPointer = true;
      });
    });
    let x = 0;
    const isSeen = async () => {
      await outer.mouse.move(++x, 1);
      return inside.evaluate(() => (window as Window & { hasPointer?: boolean }).hasPointer);
    };
    await expect.poll(isSeen, patient).toBe(true);
  };
  await shown();
  await getsPointer();
  return {
    page: outer,
    inside,
    drafts,
    content,
    text: (path = 'index.html') => sources.get(path),
    send: (message: WithoutName<ToPage>) => outer.evaluate((one) => Reflect.get(globalThis, 'post')(one), message),
    isExact: () => outer.evaluate(() => (Reflect.get(globalThis, 'state') as PreviewState).exact),
    doubleClick: async (id: string) => {
      const at = await pointIn(id);
      await outer.mouse.click(at.x, at.y, { count: 2 });
    },
    rightClick: async (id: string) => {
      const at = await pointIn(id);
      await outer.mouse.click(at.x, at.y, { button: 'right' });
      return inside.waitForSelector('.menu:popover-open', patient);
    },
    note: () => inside.$eval('.note', (note) => ((note as HTMLElement).hidden ? '' : note.textContent)),
    field: async () => (await shown()).waitForSelector('framework-text', patient),
  };
}
