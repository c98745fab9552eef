// The page is the author's: its scripts see no element, sheet or frame of the product.
import { test } from 'vitest';
import { checkCells, green, page } from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';

/** Each is true in a page that a browser opens by itself. */
const views: Record<string, string> = {
  'the first sheet is the author’s': 'document.styleSheets[0].ownerNode.id === "first"',
  'all sheets are the author’s': '[...document.styleSheets].map((s) => s.ownerNode.localName).join() === "style,style"',
  'sheets by item': 'document.styleSheets.item(1) === document.styleSheets[1] && document.styleSheets.item(2) === null',
  'the list is one of sheets':
    'document.styleSheets instanceof StyleSheetList && Object.keys(document.styleSheets).join() === "0,1"',
  'no constructed sheets': 'document.adoptedStyleSheets.length === 0',
  'no links': 'document.querySelector("link") === null',
  'the first script is the author’s': 'document.scripts[0].id === "script"',
  'the first element of the head': 'document.head.firstElementChild.id === "first"',
  'no frame': 'parent === window && frameElement === null && self.parent.location === location',
  'no referrer': 'document.referrer === ""',
};

test('scripts see a page that is opened by itself', core, async () => {
  const html = page(
    `<script>addEventListener("load", () => [${Object.values(views)}].forEach((is, i) => is && cell(i, "${green}")))</script>`,
    { width: 8 * Object.keys(views).length, head: '<style id="first"></style><script id="script"></script>' },
  );
  await checkCells({ 'index.html': html }, { 0: Object.keys(views).map(() => green) });
});

test('the author’s constructed sheets work, and the sheets of the product stay', async () => {
  const script = `
const sheet = (css) => { const s = new CSSStyleSheet(); s.replaceSync(css); return s };
const list = document.adoptedStyleSheets;
document.adoptedStyleSheets = [sheet("#a{background:${green}!important}")];
list.push(sheet("#b{background:${green}!important}"));
list.unshift(sheet("#c{background:${green}!important}"));
list.splice(1, 1, list[1], sheet("#a{left:0!important}"));
if (list.length === 4 && list === document.adoptedStyleSheets) cell(3, "${green}");`;
  const boxes = ['a', 'b', 'c'].map(
    (id, index) =>
      `<div id="${id}" style="position:absolute;top:0;left:${8 * index}px;width:8px;height:8px;background:red"></div>`,
  );
  // Clips are hidden by a constructed sheet of the product.
  const later =
    '<div data-start="0.1" data-duration="1" style="position:absolute;left:32px;top:0;width:8px;height:8px;background:red"></div>';
  await checkCells(
    { 'index.html': page(`${boxes.join('')}${later}<script>${script}</script>`) },
    {
      0: [green, green, green, green, '#000000'],
    },
  );
});

test('the content security policy of the page does not apply to the product', async () => {
  const head = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">`;
  const html = page(`<script>cell(0, "${green}")</script>`, { head });
  await checkCells({ 'index.html': html }, { 0: [green] });
});
