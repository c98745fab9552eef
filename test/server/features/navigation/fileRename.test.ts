// Renaming files: the texts of the project after the edits, before the files have moved.
import { describe, expect, test } from 'vitest';
import { fileRename, type Move } from '../../../../server/features/navigation/fileRename.ts';
import { filesOf } from '../../../support/editor/markup.ts';
import { sourceFile } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

/** `before` and `after` are the text of `index.html`; the other files only exist. */
function check(before: string, moves: Move[], after: string, path = 'index.html'): void {
  const project = (text: string) =>
    `=== ${path}\n${text}\n=== img/a b.png\n=== img/c.png\n=== parts/card.html\n<p data-composition-id="c"><img src="../img/c.png"></p>\n`;
  const files = filesOf(project(before));
  const sources = [...files.keys()].map((name) => sourceFile(files, name)).filter((file) => file !== undefined);
  const edited = filesOf(applied(project(before), fileRename(sources, moves)));
  expect(edited.get(path)).toBe(`${after}\n`);
}

const root = (inner: string) => `<div data-composition-id="main">${inner}</div>`;

describe('references to a moved file', () => {
  const image = [{ from: 'img/a b.png', to: 'pictures/new name.png' }];
  test.each([
    ['<img src="img/a%20b.png?v=1#x">', '<img src="pictures/new%20name.png?v=1#x">'],
    ['<img src="img/a b.png">', '<img src="pictures/new name.png">'],
    ['<img src="/img/a%20b.png">', '<img src="/pictures/new%20name.png">'],
    ['<img src="./img/a%20b.png">', '<img src="./pictures/new%20name.png">'],
    [
      `<img src='img/a b.png' srcset="img/c.png 1x, img/a%20b.png 2x">`,
      `<img src='pictures/new name.png' srcset="img/c.png 1x, pictures/new%20name.png 2x">`,
    ],
    [
      '<p style="background: url(&quot;img/a b.png&quot;)"></p>',
      '<p style="background: url(&quot;pictures/new%20name.png&quot;)"></p>',
    ],
    [
      '<style>p { background: url(img/a%20b.png) }</style>',
      '<style>p { background: url(pictures/new%20name.png) }</style>',
    ],
    [
      '<script>load("img/a b.png", "img/c.png")</script>',
      '<script>load("pictures/new name.png", "img/c.png")</script>',
    ],
    ['<img src="img/c.png"><img src="other/a%20b.png">', '<img src="img/c.png"><img src="other/a%20b.png">'],
  ])('change %s to %s', (before, after) => check(root(before), image, root(after)));

  test('are encoded where necessary', () => {
    check(
      root(`<img src='img/a b.png'>`),
      [{ from: 'img/a b.png', to: 'img/50% "it\'s".png' }],
      root(`<img src='img/50%25 "it&#39;s".png'>`),
    );
    check(
      root('<img src="img/c.png">'),
      [{ from: 'img/c.png', to: 'img/c&d#1@2x.png' }],
      root('<img src="img/c%26d%231@2x.png">'),
    );
  });

  test('are updated in declarations, and in values relative to the embedded file', () => {
    check(
      `<html data-composition-variables='[{"id":"p","type":"string","default":"img/c.png"}]'>${root('<i data-composition-src="parts/card.html" data-variable-values="{&quot;photo&quot;:&quot;../img/c.png&quot;,&quot;text&quot;:&quot;c.png&quot;}"></i>')}`,
      [{ from: 'img/c.png', to: 'parts/d.png' }],
      `<html data-composition-variables='[{"id":"p","type":"string","default":"parts/d.png"}]'>${root('<i data-composition-src="parts/card.html" data-variable-values="{&quot;photo&quot;:&quot;d.png&quot;,&quot;text&quot;:&quot;c.png&quot;}"></i>')}`,
    );
  });
});

test('are updated in hosts, relative to the file or the project', () => {
  const moves = [{ from: 'parts/card.html', to: 'cards/intro/main.html' }];
  check(
    root('<i data-composition-src="parts/card.html"></i>'),
    moves,
    root('<i data-composition-src="cards/intro/main.html"></i>'),
  );
  const inFolder = root(
    '<i data-composition-src="parts/card.html"></i><i data-composition-src="../parts/card.html"></i>',
  );
  check(
    inFolder,
    moves,
    root('<i data-composition-src="cards/intro/main.html"></i><i data-composition-src="../cards/intro/main.html"></i>'),
    'scenes/index.html',
  );
});

test('are updated when a folder moves', () => {
  check(
    root('<img src="img/c.png"><img src="img/a b.png">'),
    [{ from: 'img', to: 'assets/img' }],
    root('<img src="assets/img/c.png"><img src="assets/img/a b.png">'),
  );
});

describe('a moved file', () => {
  const page = (up: string) =>
    root(
      `<img src="${up}img/c.png"><img src="/img/c.png"><img src="none.png"><img src="https://example.com/c.png"><a href="#x"></a><i data-composition-src="${up}parts/card.html"></i>`,
    );
  test('refers to other files relative to its new folder', () => {
    check(page(''), [{ from: 'index.html', to: 'a/b/index.html' }], page('../../'));
  });

  test('keeps its references when everything moves together', () => {
    check(page('../'), [{ from: 'scenes', to: 'shots' }], page('../'), 'scenes/index.html');
  });
});

describe('with <base>', () => {
  const page = (base: string, url: string) =>
    `<html><head><base href="${base}"></head><body>${root(`<img src="${url}">`)}</body></html>`;
  test.each([
    ['a moved file', 'index.html', { from: 'img/c.png', to: 'img/new/d.png' }, 'img/', 'c.png', 'new/d.png'],
    ['a moved folder', 'index.html', { from: 'img', to: 'pictures' }, 'img/', 'c.png', '../pictures/c.png'],
    [
      'a moved page',
      'scenes/index.html',
      { from: 'scenes/index.html', to: 'index.html' },
      '../img/',
      'c.png',
      'img/c.png',
    ],
  ])('updates references: %s', (_, path, move, base, before, after) =>
    check(page(base, before), [move], page(base, after), path));
});
