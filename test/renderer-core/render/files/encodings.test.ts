// Pages, style sheets and scripts in other encodings have the letters that a browser shows.
import { expect, test } from 'vitest';
import { renderVideo } from '../../../../sdk/renders.ts';
import { composition, project } from '../../../support/project.ts';
import { type Files, mount, readCell, renderFrames } from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const sheet = (id: string, rule = '') => latin1(`${rule}#${id}::before{content:"M\xFCller"}`);

/** Cells: the page's own text, then the text of each sheet, then that of each script. Green: "Müller". */
const check = `<script>
const texts = [document.querySelector('#own')?.textContent, ...[...document.querySelectorAll('i')].map((i) => getComputedStyle(i, '::before').content.slice(1, -1)), ...(window.names ?? [])];
texts.forEach((text, index) => { const box = document.createElement('div');
  box.style.cssText = 'position:fixed;top:0;width:8px;height:8px;left:' + 8 * index + 'px;background:' + (text === 'M\\u00FCller' ? '#00ff00' : '#ff0000');
  document.body.append(box); });
</script>`;
const page = (head: string, body: string) =>
  composition(`<p id="own">M\xFCller</p>${body}`, { head, duration: 0.1 }).replace('</body>', `${check}</body>`);

async function cells(files: Files, count: number): Promise<string[]> {
  const [frame] = await renderFrames(files);
  return Array.from({ length: count }, (_, index) => String(readCell(frame, index, 'color')));
}
const green = (count: number) => Array.from({ length: count }, () => '#00ff00');

test('a page in windows-1252 gives its encoding to sheets and scripts without one', core, async () => {
  const head = `<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">
<link rel="stylesheet" href="a.css"><link rel="stylesheet" href="own.css"><link rel="stylesheet" href="greek.css"><link rel="stylesheet" href="import.css">
<script>window.names = []</script><script src="a.js"></script><script src="utf8.js" charset="utf-8"></script>
<script type="module" src="module.js"></script>`;
  const files = {
    'index.html': latin1(page(head, '<i id="a"></i><i id="own8"></i><i id="greek"></i><i id="imported"></i>')),
    'a.css': sheet('a'),
    'own.css': Buffer.from('@charset "utf-8";#own8::before{content:"Müller"}'),
    'greek.css': Buffer.from('\uFEFF#greek::before{content:"Müller"}'),
    'import.css': latin1('@import "imported.css";'),
    'imported.css': sheet('imported'),
    'a.js': latin1('names.push("M\xFCller")'),
    'utf8.js': Buffer.from('names.push("Müller")'),
    'module.js': Buffer.from(''),
  };
  expect(await cells(files, 7)).toEqual(green(7));
});

test('mounted files, their sheets and their scripts keep their encodings', async () => {
  const card = `<!doctype html><meta charset="windows-1252"><link rel="stylesheet" href="card.css"><body>
<div data-composition-id="card" data-width="64" data-height="48"><i id="inner"></i><b>M\xFCller</b><script src="card.js"></script>
<script>names.push(document.querySelector('b').textContent)</script></div>`;
  const files = {
    'index.html': page('<script>window.names = []</script>', mount('parts/card.html', {})).replace(
      check,
      `<script defer src="check.js"></script>`,
    ),
    'check.js': `addEventListener('load', () => { ${check.replace(/<\/?script>/g, '')} })`,
    'parts/card.html': latin1(card),
    'parts/card.css': sheet('inner'),
    'parts/card.js': latin1('names.push("M\xFCller")'),
  };
  expect(await cells(files, 4)).toEqual(green(4));
});

test('reads a page in UTF-16, and sheets and scripts with a charset attribute', async () => {
  const utf16 = Buffer.from(`\uFEFF${page('', '')}`, 'utf16le');
  expect(await cells({ 'index.html': utf16 }, 1)).toEqual(green(1));
  const head = `<link rel="stylesheet" href="a.css" charset="latin1"><script>window.names = []</script><script src="a.js" charset="latin1"></script>`;
  const named = {
    'index.html': page(head, '<i id="a"></i>'),
    'a.css': sheet('a'),
    'a.js': latin1('names.push("M\xFCller")'),
  };
  expect(await cells(named, 3)).toEqual(green(3));
});

test.each([
  [
    'index.html',
    'composition_invalid',
    { 'index.html': latin1('<meta charset=utf-8>\n\xFC<div data-composition-id="a"></div>') },
  ],
  [
    'a.css',
    'asset_invalid',
    {
      'index.html': composition('', { head: '<link rel="stylesheet" href="a.css">' }),
      'a.css': latin1('\na{content:"\xFC"}'),
    },
  ],
])('fails and names %s, which cannot be decoded', async (file, code, files) => {
  const rendering = renderVideo({ projectDir: project(files as Files), output: 'never.mp4' });
  await expect(rendering).rejects.toMatchObject({
    code,
    message: `${file} is not valid UTF-8 text`,
    place: { file, line: 2 },
  });
});
