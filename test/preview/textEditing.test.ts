// Texts edited in place in a real browser, with the edits of the language server and without VS Code.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FromPage } from '../../preview/messages.ts';
import { changeText, findText } from '../../server/features/refactor/shownText.ts';
import { openPreview, previewBrowser } from '../support/previewPage.ts';
import { project } from '../support/project.ts';
import { sourceFile } from '../support/sourceFile.ts';
import { applied } from '../support/workspaceEdit.ts';

const launched = previewBrowser();
const patient = { timeout: 60_000 };

const markup = `<html data-composition-variables='[{"id":"title","type":"string","default":"Halo"}]'><body style="margin:0">
<div data-composition-id="main" data-width="640" data-height="360" data-duration="4" style="font: 30px sans-serif">
<h1 id="literal">Plain <i>and</i> &amp; more</h1>
<p id="bound" data-var-text="title"></p>
<p id="made"></p>
<script>document.querySelector('#made').textContent = 1 + 1</script>
</div></body></html>`;

/** An editor around the preview, which changes the text and the draft values. */
async function editing() {
  const opened = await openPreview(launched(), project(markup));
  const outer = await launched().browser.newPage();
  onTestFinished(() => outer.close());
  let text = markup;
  const drafts: Record<string, unknown> = {};
  type Message = Extract<FromPage, { type: 'findText' | 'changeText' }>;
  await outer.exposeFunction('ask', ({ text: { shown, hosts }, ...message }: Message) => {
    const file = sourceFile(new Map([['index.html', text]]), 'index.html');
    if (!file) throw new Error('no composition');
    const request = { shown, hosts, drafts };
    if (message.type === 'findText') return { type: 'foundText', found: findText(file, request) };
    const change = changeText(file, request, message.value);
    if ('reason' in change) return { type: 'textEdited', reason: change.reason };
    if ('draft' in change) drafts[change.draft.id] = change.draft.value;
    else text = applied(text, { changes: { [file.uri]: change.edits } });
    opened.preview.text('index.html', text);
    opened.preview.show('index.html', { ...drafts });
    return { type: 'textEdited', reason: null };
  });
  await outer.setViewport({ width: 1000, height: 640 });
  await outer.setContent(`<body style="margin:0"><iframe style="border:0;width:1000px;height:640px"></iframe><script>
    const post = (message) => document.querySelector('iframe').contentWindow.postMessage({ framework: 'preview', ...message }, '*');
    addEventListener('message', async ({ data }) => {
      if (data.type === 'loaded') post({ type: 'editable' });
      if (data.type === 'findText' || data.type === 'changeText') post(await ask(data));
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
  await content('#made').toBe('2');
  return {
    page: outer,
    inside,
    drafts,
    content,
    text: () => text,
    async doubleClick(id: string) {
      // The composition is scaled, and the preview is at the top left.
      const frame = await inside.$eval('iframe.shown', (one) => {
        const { x, y, width } = one.getBoundingClientRect();
        return { x, y, scale: width / one.clientWidth };
      });
      const at = await (await shown()).$eval(id, (one) => {
        const { x, y, height } = one.getBoundingClientRect();
        return { x: x + 8, y: y + height / 2 };
      });
      await outer.mouse.click(frame.x + at.x * frame.scale, frame.y + at.y * frame.scale, { count: 2 });
    },
    field: async () => (await shown()).waitForSelector('framework-text', patient),
  };
}

test('edits a literal text with one minimal change', async () => {
  const { page, doubleClick, field, text, content } = await editing();
  await doubleClick('#literal');
  await field();
  await page.keyboard.type('Fine <');
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'edit-text.png') as `${string}.png` });
  await page.keyboard.press('Enter');
  await content('#literal').toBe('Fine < and & more');
  expect(text()).toBe(markup.replace('Plain <i>', 'Fine &lt; <i>'));
});

test('edits the draft value of a variable', async () => {
  const { page, doubleClick, field, text, drafts, content } = await editing();
  await doubleClick('#bound');
  await field();
  await page.keyboard.type('Nova');
  await page.keyboard.press('Enter');
  await content('#bound').toBe('Nova');
  expect(drafts).toEqual({ title: 'Nova' });
  expect(text()).toBe(markup);
});

test('restores the text with Escape', async () => {
  const { page, doubleClick, field, text, content } = await editing();
  await doubleClick('#literal');
  await field();
  await page.keyboard.type('Gone');
  await page.keyboard.press('Escape');
  await content('#literal').toBe('Plain and & more');
  expect(text()).toBe(markup);
});

test('says why a text of a script cannot be edited', async () => {
  const { inside, doubleClick } = await editing();
  await doubleClick('#made');
  await expect
    .poll(() => inside.$eval('.note', (note) => ((note as HTMLElement).hidden ? '' : note.textContent)), patient)
    .toBe('A script creates this text. Change the script to edit it.');
});
