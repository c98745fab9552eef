// Clips moved and trimmed in a real browser, with the edits of the language server and without VS Code.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FromPage } from '../../preview/messages.ts';
import { clipEdits } from '../../server/features/refactor/clipEdits.ts';
import { openPreview } from '../support/editor/previewPage.ts';
import { sourceFile } from '../support/editor/sourceFile.ts';
import { applied } from '../support/editor/workspaceEdit.ts';
import { composition, project } from '../support/project.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';
import { core } from '../support/suites.ts';

const launched = sharedBrowser();
const patient = { timeout: 60_000 };

const clips = `<h1 id="intro" data-start="0" data-duration="2" data-track-index="1">Intro</h1>
<p id="name" data-start="intro + 0.5" data-duration="3" data-track-index="2">Name</p>
<p id="late" data-start="6" data-duration="2" data-track-index="2">Late</p>`;
const page = (body = clips) => composition(body, { width: 640, height: 360, duration: 10 });

/** An editor around the preview, which applies its edits to the text. */
async function editing(markup = page()) {
  const opened = await openPreview(launched(), project(markup));
  const outer = await launched().browser.newPage();
  onTestFinished(() => outer.close());
  let text = markup;
  const edits: FromPage[] = [];
  await outer.exposeFunction('editClip', (message: Extract<FromPage, { type: 'editClip' }>) => {
    edits.push(message);
    const file = sourceFile(new Map([['index.html', text]]), 'index.html');
    if (!file) return 'no composition';
    const result = clipEdits(file, message.offset, message.change);
    if ('reason' in result) return result.reason;
    text = applied(text, { changes: { [file.uri]: result.edits } });
    opened.preview.text('index.html', text);
    return null;
  });
  await outer.setViewport({ width: 1000, height: 640 });
  await outer.setContent(`<body style="margin:0"><iframe style="border:0;width:1000px;height:640px"></iframe><script>
    const post = (message) => document.querySelector('iframe').contentWindow.postMessage({ framework: 'preview', ...message }, '*');
    addEventListener('message', async ({ data }) => {
      if (data.type === 'loaded') post({ type: 'editable' });
      if (data.type === 'shown') window.shown = (window.shown ?? 0) + 1;
      if (data.type === 'editClip') post({ type: 'edited', reason: await editClip(data) });
    });
    document.querySelector('iframe').src = ${JSON.stringify(`${opened.preview.url}?composition=index.html`)};
  </script>`);
  const inside = await (await outer.$('iframe'))?.contentFrame();
  if (!inside) throw new Error('the preview has no frame');
  // Only clips that can be changed have shortcuts.
  await inside.waitForSelector('.clip[aria-keyshortcuts]', patient);
  // These are one step each, because the page replaces the clips with each edit. The frame is at the top left.
  const focusClip = (name: string) =>
    inside.$eval(`.clip[aria-label^="${name},"]`, (clip) => (clip as HTMLElement).focus());
  const boxOf = (name: string) =>
    inside.$eval(`.clip[aria-label^="${name},"]`, (clip) => {
      const { x, y, width, height } = clip.getBoundingClientRect();
      return { x, y, width, height };
    });
  return {
    page: outer,
    inside,
    edits,
    focusClip,
    /** The start tag of the element with this id in the current text. */
    tag: (id: string) => expect.poll(() => new RegExp(`<\\w+ id="${id}"[^>]*>`).exec(text)?.[0], patient),
    /** Waits until the page shows the text with all edits. Before, the browser may drop pointer events. */
    shown: () =>
      outer.waitForFunction((count) => (window as { shown?: number }).shown === count, patient, edits.length + 1),
    label: () => inside.$eval('.clip-label', (one) => ((one as HTMLElement).hidden ? '' : one.textContent)),
    /** Presses the pointer on a clip, at a share of its width, and moves it by seconds and rows. */
    async drag(name: string, share: number, seconds: number, rows = 0) {
      const { x, y, width, height } = await boxOf(name);
      const area = (await (await inside.$('.area'))?.boundingBox())?.width ?? 1;
      const from = { x: x + Math.min(width - 2, Math.max(2, width * share)), y: y + height / 2 };
      await outer.mouse.move(from.x, from.y);
      await outer.mouse.down();
      await outer.mouse.move(from.x + (seconds / 10) * area, from.y + rows * 24, { steps: 6 });
    },
  };
}

describe('with the pointer', () => {
  test('moves a clip to a whole second, and keeps the reference of its start', async () => {
    const { drag, page, inside, tag, edits, label } = await editing();
    await drag('name', 0.5, 1.53);
    expect(await label()).toBe('0:04.00 – 0:07.00 (3 s)');
    expect(await inside.$$eval('.snap', (lines) => lines.length)).toBe(1);
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'drag-clip.png') as `${string}.png` });
    await page.mouse.up();
    await tag('name').toBe('<p id="name" data-start="intro + 2" data-duration="3" data-track-index="2">');
    expect(edits).toHaveLength(1);
    // The page shows the edited text.
    await inside.waitForSelector('.clip[aria-label="name, 0:04.00 – 0:07.00"]', patient);
  });

  test('trims both ends', core, async () => {
    const { drag, page, tag, label, shown } = await editing();
    await drag('late', 1, 0.98);
    expect(await label()).toBe('0:06.00 – 0:09.00 (3 s)');
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'trim-clip.png') as `${string}.png` });
    await page.mouse.up();
    await tag('late').toBe('<p id="late" data-start="6" data-duration="3" data-track-index="2">');
    await shown();
    await drag('late', 0, -0.52);
    await page.mouse.up();
    await tag('late').toBe('<p id="late" data-start="5.5" data-duration="3.5" data-track-index="2">');
  });

  test('moves a clip to another track, and to a new one', async () => {
    const { drag, page, tag, shown } = await editing();
    await drag('late', 0.5, 0, -1);
    await page.mouse.up();
    await tag('late').toBe('<p id="late" data-start="6" data-duration="2" data-track-index="1">');
    await shown();
    await drag('late', 0.5, 0, 2);
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'new-track.png') as `${string}.png` });
    await page.mouse.up();
    await tag('late').toBe('<p id="late" data-start="6" data-duration="2" data-track-index="3">');
  });

  test('gives up with Escape, and seeks with a click', async () => {
    const { drag, page, edits, inside } = await editing();
    await drag('late', 0.5, 1);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await inside.$$eval('.ghost', (ghosts) => ghosts.length)).toBe(0);
    await drag('late', 0.5, 0);
    await page.mouse.up();
    await inside.waitForSelector('.clip.selected[aria-label^="late,"]', patient);
    await expect
      .poll(() => inside.$eval('.ruler', (ruler) => ruler.getAttribute('aria-valuenow')), patient)
      .toMatch(/^(6\.97|7\.00)$/);
    expect(edits).toEqual([]);
  });

  test('explains why a clip cannot change, and shows it at its place again', async () => {
    const { drag, page, label, inside } = await editing(scripted());
    await drag('made', 0.5, 1);
    expect(await label()).toBe('A script creates this clip. Change the script to move it.');
    await page.mouse.up();
    await drag('early', 0, -1);
    await page.mouse.up();
    await expect.poll(label, patient).toBe('"early" has no content before this: its file starts 1 s later.');
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'reason.png') as `${string}.png` });
    expect(await inside.$$eval('.clip[aria-label="early, 0:02.00 – 0:04.00"]', (all) => all.length)).toBe(1);
  });
});

/** One clip that a script creates, and a video without content before its start. */
const scripted = () =>
  page(`<video id="early" src="gone.mp4" data-start="2" data-duration="2"></video>
    <script>document.querySelector('#root').insertAdjacentHTML('beforeend', '<p id="made" data-start="5" data-duration="2">Made</p>')</script>`);

test('moves, trims and changes the track with keys, and keeps the focus', async () => {
  const { page, inside, tag, focusClip } = await editing();
  const press = async (...keys: string[]) => {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key as 'Alt');
    await page.keyboard.press(keys.at(-1) as 'ArrowLeft');
    for (const key of keys.slice(0, -1)) await page.keyboard.up(key as 'Alt');
  };
  await focusClip('late');
  await press('Alt', 'ArrowRight');
  await tag('late').toBe('<p id="late" data-start="6.033" data-duration="2" data-track-index="2">');
  // Several edits before the text is loaded again become one.
  for (let count = 0; count < 5; count++) await press('Alt', 'ArrowRight');
  await tag('late').toBe('<p id="late" data-start="6.2" data-duration="2" data-track-index="2">');
  await press('Alt', 'Shift', 'ArrowLeft');
  await tag('late').toBe('<p id="late" data-start="5.2" data-duration="2" data-track-index="2">');
  await press('Alt', 'ArrowUp');
  await tag('late').toBe('<p id="late" data-start="5.2" data-duration="2" data-track-index="1">');
  // Its text is selected. A click could be dropped while the page with the edit appears.
  await inside.focus('.time');
  await page.keyboard.type('6');
  await page.keyboard.press('Enter');
  await focusClip('late');
  await press(']');
  await tag('late').toBe('<p id="late" data-start="5.2" data-duration="0.8" data-track-index="1">');
  expect(await inside.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^late,/);
});

test('does not edit clips in a browser without an editor', async () => {
  const opened = await openPreview(launched(), project(page()));
  await opened.atRest();
  const box = await (await opened.page.$('.clip[aria-label^="late,"]'))?.boundingBox();
  if (!box) throw new Error('there is no clip');
  await opened.page.mouse.move(box.x + 20, box.y + 10);
  await opened.page.mouse.down();
  await opened.page.mouse.move(box.x + 120, box.y + 10, { steps: 3 });
  expect(await opened.page.$$eval('.ghost, .lane.new', (found) => found.length)).toBe(0);
  await opened.page.mouse.up();
});
