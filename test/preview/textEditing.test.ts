// Texts edited in place in a real browser, with the edits of the language server and without VS Code.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editInPreview } from '../support/editor/previewEditing.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';
import { core } from '../support/suites.ts';

const launched = sharedBrowser();
const patient = { timeout: 60_000 };

/** Longer than the preview waits for the next movement before it makes an exact frame. */
const waitForRest = () => new Promise((resolve) => setTimeout(resolve, 500));

const markup = `<html data-composition-variables='[{"id":"title","type":"string","default":"Halo"}]'><body style="margin:0">
<div data-composition-id="main" data-width="640" data-height="360" data-duration="4" style="font: 30px sans-serif">
<h1 id="literal">Plain <i>and</i> &amp; more</h1>
<p id="bound" data-var-text="title"></p>
<p id="made"></p>
<script>document.querySelector('#made').textContent = 1 + 1</script>
</div></body></html>`;

const editing = async () => {
  const opened = await editInPreview(launched(), markup);
  await opened.content('#made').toBe('2');
  return opened;
};

test('edits a literal text with one minimal change', core, async () => {
  const { page, doubleClick, field, text, content } = await editing();
  await doubleClick('#literal');
  await field();
  await page.keyboard.type('Fine <');
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'edit-text.png') as `${string}.png` });
  await page.keyboard.press('Enter');
  // Without the field, which has the same text.
  await content('#literal:not(:has(framework-text))').toBe('Fine < and & more');
  expect(text()).toBe(markup.replace('Plain <i>', 'Fine &lt; <i>'));
});

test('leaves the focus where the user has moved it when the page with the new text appears', async () => {
  const { page, doubleClick, field, content } = await editing();
  await page.evaluate(() => {
    const input = document.createElement('input');
    // Without a place in the layout: the composition would move below the pointer.
    input.style.position = 'fixed';
    document.body.append(input);
  });
  await doubleClick('#literal');
  await field();
  await page.keyboard.type('Fine');
  await page.keyboard.press('Enter');
  await page.focus('input');
  // The field with the same text goes when the page is loaded again.
  await content('#literal:not(:has(framework-text))').toBe('Fine and & more');
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('input');
});

test('loads the page for the exact frame when no text is edited and no menu is open', async () => {
  // Frames of this page depend on those before, so that its frame is not exact after a jump.
  const clock = '<script>(function tick() { requestAnimationFrame(tick) })()</script>';
  const opened = await editInPreview(launched(), markup.replace('<script>', `${clock}<script>`));
  const { page, inside, doubleClick, rightClick, field, send, isExact } = opened;
  const playFromJump = async () => {
    await send({ type: 'seek', time: 3 });
    await send({ type: 'seek', time: 1 });
    await send({ type: 'play' });
  };
  await playFromJump();
  await doubleClick('#literal');
  const edited = await field();
  await page.keyboard.type('Fine');
  await waitForRest();
  expect(await edited?.evaluate((one) => [one.isConnected, one.textContent])).toEqual([true, 'Fine']);
  await page.keyboard.press('Escape');
  await expect.poll(isExact, patient).toBe(true);

  await playFromJump();
  await rightClick('#literal');
  await waitForRest();
  expect(await inside.$$('.menu:popover-open')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect.poll(isExact, patient).toBe(true);
});

test('edits the draft value of a variable', async () => {
  const { page, doubleClick, field, text, drafts, content } = await editing();
  await doubleClick('#bound');
  await field();
  await page.keyboard.type('Nova');
  await page.keyboard.press('Enter');
  await content('#bound:not(:has(framework-text))').toBe('Nova');
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
