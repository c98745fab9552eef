// The popup of an element in a real browser: its colors, its image, and new variables.
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { editInPreview } from '../support/editor/previewEditing.ts';
import { openPreview } from '../support/editor/previewPage.ts';
import { project } from '../support/project.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';
import { core } from '../support/suites.ts';

const launched = sharedBrowser();

const png = new Uint8Array(PNG.sync.write(new PNG({ width: 2, height: 2 })));
const markup = `<html data-composition-variables='[{"id":"ink","type":"color","default":"#003366"}]'><head><style>
.card { background: #ffeedd; color: #222222 }
h1 { color: var(--ink); margin: 0 }
i { color: tomato }
</style></head><body style="margin:0">
<div data-composition-id="main" data-width="640" data-height="360" data-duration="4" style="font: 30px sans-serif">
<div class="card"><h1 id="title">A title</h1><p id="text">Some text</p><i id="made">red?</i></div>
<img id="photo" src="a.png" style="width:100px;height:100px">
<script>document.querySelector('#made').style.color = 'rgb(0, 128, 0)'</script>
</div></body></html>`;

const open = () => editInPreview(launched(), markup, { 'a.png': png, 'media/b.png': png });
type Opened = Awaited<ReturnType<typeof open>>;

const rows = ({ inside }: Opened) =>
  inside.$eval('.menu', (menu) =>
    [...menu.children].map((one) => {
      const { ariaLabel, value } = one as HTMLInputElement;
      return one.matches('input, select') ? `[${ariaLabel}: ${value}]` : one.textContent;
    }),
  );

/** Chooses a value in a field, as a user does. */
const choose = ({ inside }: Opened, selector: string, value: string) =>
  inside.$eval(
    selector,
    (field, chosen) => {
      (field as HTMLInputElement).value = chosen;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    },
    value,
  );

test('changes the color of the rule that wins, also an inherited one', core, async () => {
  const opened = await open();
  await opened.rightClick('#text');
  expect(await rows(opened)).toEqual([
    'p#text',
    'Text',
    'Some text',
    'Add Variable',
    'Color .card',
    '[Color: #222222]',
    'Add Variable',
  ]);
  if (process.env.LOOK)
    await opened.page.screenshot({ path: join(process.env.LOOK, 'element-menu.png') as `${string}.png` });
  await choose(opened, '.menu input', '#0a0b0c');
  await expect.poll(opened.text).toBe(markup.replace('#222222', '#0a0b0c'));
});

test('changes the draft value of a variable', async () => {
  const opened = await open();
  await opened.rightClick('#title');
  expect((await rows(opened)).slice(4)).toEqual(['Color h1', '[Color: #003366]', 'variable ink']);
  await choose(opened, '.menu input', '#0a0b0c');
  await expect.poll(() => opened.drafts).toEqual({ ink: '#0a0b0c' });
  expect(opened.text()).toBe(markup);
});

test('says why a color cannot be changed', async () => {
  const opened = await open();
  await opened.rightClick('#made');
  expect((await rows(opened)).slice(4)).toEqual([
    'Color i',
    '#ff6347',
    '',
    'The frame shows another color. Go to Source',
  ]);
});

test('chooses another image', async () => {
  const opened = await open();
  await opened.rightClick('#photo');
  expect(await rows(opened)).toEqual(['img#photo', 'Image', '[Image: a.png]', 'Add Variable']);
  await choose(opened, '.menu select', 'media/b.png');
  await expect.poll(opened.text).toBe(markup.replace('a.png', 'media/b.png'));
});

test('turns a text into a variable with keys', async () => {
  const opened = await open();
  const { page, inside, rightClick, text } = opened;
  await rightClick('#text');
  await page.keyboard.press('Escape');
  await inside.waitForSelector('.menu:not(:popover-open)', { timeout: 60_000 });
  await page.keyboard.down('Shift');
  await page.keyboard.press('F10');
  await page.keyboard.up('Shift');
  await inside.waitForSelector('.menu:popover-open', { timeout: 60_000 });
  await page.keyboard.press('Enter');
  await expect.poll(text).toContain('<p id="text" data-var-text="text">Some text</p>');
});

const card = `<html data-composition-variables='[{"id":"ink","type":"color","default":"#003366"}]'><head><style>
p { background: #ffeedd; color: var(--ink) }
</style></head><body><div data-composition-id="card" data-width="640" data-height="200"><p id="text">Some text</p></div></body></html>`;
const main = `<html><body style="margin:0"><div data-composition-id="main" data-width="640" data-height="360" data-duration="4">
<div data-composition-id="one" data-composition-src="card.html" data-start="0" data-duration="4"></div></div></body></html>`;

const openEmbedded = async () => {
  const opened = await editInPreview(launched(), main, { 'card.html': card });
  await opened.content('#text').toBe('Some text');
  await opened.rightClick('#text');
  return opened;
};

test('changes a color in an embedded file', async () => {
  const opened = await openEmbedded();
  expect((await rows(opened)).slice(4)).toEqual([
    ...['Color p', '[Color: #003366]', 'variable ink'],
    ...['Background p', '[Background: #ffeedd]', 'Add Variable'],
  ]);
  await choose(opened, '.menu input[aria-label=Background]', '#0a0b0c');
  await expect.poll(() => opened.text('card.html')).toBe(card.replace('#ffeedd', '#0a0b0c'));
});

test('changes the value that a host gives', async () => {
  const opened = await openEmbedded();
  await choose(opened, '.menu input[aria-label=Color]', '#0a0b0c');
  const values = ` data-variable-values='{"ink":"#0a0b0c"}'`;
  await expect
    .poll(() => opened.text())
    .toBe(main.replace('data-duration="4"></div></div>', `data-duration="4"${values}></div></div>`));
  expect(opened.text('card.html')).toBe(card);
});

/** The rows of the text in `card`, below its text. */
async function colorOfText(card: string, root = '') {
  const opened = await editInPreview(launched(), main.replace('data-width', `${root} data-width`), {
    'card.html': `<html><body><div data-composition-id="card" data-width="640" data-height="200">${card}</div></body></html>`,
  });
  await opened.content('#text').toBe('Some text');
  await opened.rightClick('#text');
  return { ...opened, shown: (await rows(opened)).slice(4), choose: () => choose(opened, '.menu input', '#0a0b0c') };
}

test.each([
  ['a custom property', '<style>:root{--a:#123456}p{color:var(--a)}</style><p id="text">Some text</p>', 'p · --a'],
  ['an element around it', '<div class="a" style="color:#123456"><p id="text">Some text</p></div>', 'div.a'],
  ['the root of an embedded file', '<style>body{color:#123456}</style><p id="text">Some text</p>', 'body'],
])('names %s, which changes more than the element', async (_what, card, name) => {
  const { shown, choose, text } = await colorOfText(card);
  expect(shown).toEqual([`Color ${name}`, '[Color: #123456]', 'Add Variable']);
  await choose();
  await expect.poll(() => text('card.html')).toContain(card.replace('#123456', '#0a0b0c'));
});

test('does not apply the styles of an embedded file to the elements around it', async () => {
  const card = '<style>.a{color:#123456}</style><p id="text">Some text</p>';
  const { shown } = await colorOfText(card, 'class="a" style="color:#123456"');
  expect(shown).toEqual(['Color', '#123456', '', 'No style of this file sets it. Go to Source']);
});

test('shows the color while it is being chosen, and restores it with Escape', async () => {
  const opened = await open();
  const { page, inside, rightClick, text } = opened;
  await rightClick('#text');
  const shownColor = () =>
    inside.$eval('iframe.shown', (frame) => {
      const card = (frame as HTMLIFrameElement).contentDocument?.querySelector('.card');
      return card && getComputedStyle(card).color;
    });
  await inside.$eval('.menu input', (field) => {
    field.value = '#0000ff';
    field.dispatchEvent(new Event('input'));
  });
  expect(await shownColor()).toBe('rgb(0, 0, 255)');
  await page.keyboard.press('Escape');
  await expect.poll(shownColor).toBe('rgb(34, 34, 34)');
  expect(text()).toBe(markup);
});

test('leaves the menu of the browser alone without an editor', async () => {
  const { page } = await openPreview(launched(), project(main.replace('card.html', '')));
  const isShown = await page.$eval('.stage', (stage) =>
    stage.dispatchEvent(new MouseEvent('contextmenu', { cancelable: true, button: 2 })),
  );
  expect(isShown).toBe(true);
});
