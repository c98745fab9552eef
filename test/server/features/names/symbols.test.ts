// Outline, workspace symbols, inlay hints and semantic tokens, each as lines of plain text.

import { describe, expect, test } from 'vitest';
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver-types';
import { inlayHints } from '../../../../server/features/inlayHints.ts';
import { documentSymbols, outline } from '../../../../server/features/navigation/outline.ts';
import { workspaceSymbols } from '../../../../server/features/navigation/workspaceSymbols.ts';
import { encodeTokens, semanticTokens, tokenLegend } from '../../../../server/features/semanticTokens.ts';
import { spanOf } from '../../../../server/features/sourceFile.ts';
import type { OutlineItem } from '../../../../server/protocol.ts';
import { filesOf } from '../../../support/editor/markup.ts';
import { fileWithCursor, sourceFile } from '../../../support/editor/sourceFile.ts';

describe('the outline', () => {
  function check(source: string, expected: string[], durations: Record<string, number> = {}): void {
    const { file } = fileWithCursor(source, durations);
    const lines = (symbols: DocumentSymbol[], indent: string): string[] =>
      symbols.flatMap((symbol) => {
        const range = spanOf(file, symbol.range);
        const selection = spanOf(file, symbol.selectionRange);
        expect(range.start <= selection.start && selection.end <= range.end).toBe(true);
        return [`${indent}${symbol.name}: ${symbol.detail}`, ...lines(symbol.children ?? [], `${indent}  `)];
      });
    expect(lines(documentSymbols(file), '')).toEqual(expected);
  }

  test('contains the composition, its variables and its clips sorted by start time', () => {
    check(
      `=== index.html
<html data-composition-variables='[{"id":"title","type":"string","default":"Hi"},{"id":"n","type":"number"}]'>
<div data-composition-id="main" data-width="1920" data-height="1080" data-duration="5">
<h1 id="late" data-start="intro" data-duration="1" data-track-index="2">x</h1>
<h1 id="intro" data-start="0.5" data-duration="2"><b data-start="0.5" data-duration="1">in  it</b></h1>
<video src="media/a.mp4?x" data-start="0"></video><p data-start="nobody">lost</p>
<i data-composition-id="card" data-composition-src="parts/card.html" data-start="late - 0.5" data-duration="1.5"></i>
<div data-composition-id="part"><img src="p.png" data-start="1"></div>
</div></html>
=== parts/card.html
`,
      [
        'main: 1920 × 1080, 5 s',
        '  Variables: 2',
        '    title: string = "Hi"',
        '    n: number',
        '  a.mp4: 0 – 12.5 s',
        '  part: ',
        '    p.png: from 1 s',
        '  intro: 0.5 – 2.5 s',
        '    in it: 0.5 – 1.5 s',
        '  late: 2.5 – 3.5 s, track 2',
        '  card: 3 – 4.5 s, → card.html',
        '  lost: start unknown',
      ],
      { 'media/a.mp4': 12.5 },
    );
  });

  test('contains the kind of each item and the file that a host embeds', () => {
    const { file } = fileWithCursor(`=== index.html
<html data-composition-variables='[{"id":"accent","type":"color"}]'>
<div data-composition-id="main"><p data-start="0"></p><video src="a.mp4" data-start="1"></video>
<i data-composition-src="parts/card.html" data-start="2"></i><i data-composition-src="nowhere.html" data-start="3"></i>
<b data-composition-id="part"></b></div></html>
=== parts/card.html
<div data-composition-id="card"></div>
`);
    const flat = (items: OutlineItem[]): (string | undefined)[][] =>
      items.flatMap(({ what, target, children }) => [[what, ...(target ? [target] : [])], ...flat(children)]);
    expect(flat(outline(file))).toEqual([
      ['composition'],
      ['variables'],
      ['color'],
      ['clip'],
      ['composition'],
      ['video'],
      ['host', 'file:///project/parts/card.html'],
      ['host'],
    ]);
  });

  test('is empty without a composition', () =>
    check('<div data-composition-src="a.html" data-composition="x"></div>', []));
});

test('matches the letters of a workspace symbol in order, and lists the closest name first', () => {
  const files = filesOf(`=== index.html
<html data-composition-variables='[{"id":"titleText","type":"string"},{"id":"size","type":"number"}]'>
<div data-composition-id="main"><h1 id="titles" data-start="0"></h1><div data-composition-id="tail"></div></div>
=== parts/card.html
<div data-composition-id="title-card"></div>
`);
  const sources = [...files.keys()].map((path) => sourceFile(files, path)).filter((file) => file !== undefined);
  const search = (query: string) =>
    workspaceSymbols(sources, query).map(({ name, kind, containerName }) => [name, kind, containerName]);
  expect(search('title')).toEqual([
    ['titles', SymbolKind.Object, 'main (index.html)'],
    ['titleText', SymbolKind.String, 'main (index.html)'],
    ['title-card', SymbolKind.Class, 'parts/card.html'],
  ]);
  expect(search('tTx').map(([name]) => name)).toEqual(['titleText']);
  expect(search('zz')).toEqual([]);
  expect(search('').map(([name]) => name)).toEqual(['main', 'size', 'tail', 'titles', 'titleText', 'title-card']);
});

describe('inlay hints', () => {
  /** `expected` contains the hints in brackets at their positions. */
  function check(source: string, expected: string, durations: Record<string, number> = {}): void {
    const { file } = fileWithCursor(source, durations);
    const { text } = file.composition;
    const hints = inlayHints(file, { start: { line: 0, character: 0 }, end: file.document.positionAt(text.length) });
    let shown = text;
    for (const { position, label } of hints.toReversed()) {
      const at = file.document.offsetAt(position);
      const value = typeof label === 'string' ? label : label.map((part) => part.value).join('');
      shown = `${shown.slice(0, at)}[${value}]${shown.slice(at)}`;
    }
    expect(shown).toBe(expected);
  }

  test('show the start of a clip that follows another', () => {
    check(
      '<div data-composition-id="m"><p id="a" data-start="0.5" data-duration="2"></p><p data-start="a + 0.25"></p><p data-start="b"></p></div>',
      '<div data-composition-id="m"><p id="a" data-start="0.5" data-duration="2"></p><p data-start="a + 0.25"[= 2.75 s]></p><p data-start="b"></p></div>',
    );
  });

  test('show the duration of media without a duration attribute', () => {
    check(
      '<div data-composition-id="m"><video data-start="0" src="a.mp4" muted></video><video src="a.mp4" data-duration="2"></video><audio><source src=b.mp3></audio></div>',
      '<div data-composition-id="m"><video data-start="0" src="a.mp4"[12.48 s] muted></video><video src="a.mp4" data-duration="2"></video><audio><source src=b.mp3></audio></div>',
      { 'a.mp4': 12.4799 },
    );
  });

  test('show the defaults that an instance inherits', () => {
    const project = (hint: string) =>
      `<div data-composition-id="m"><i data-composition-src="card.html" data-variable-values='{"b":2${hint}}'></i></div>\n`;
    const card = `=== card.html
<div data-composition-id="card" data-composition-variables='[{"id":"a","type":"string","default":"Hi"},{"id":"b","type":"number","default":1},
{"id":"c","type":"boolean","default":false},{"id":"d","type":"string"},{"id":"e","type":"number","default":3},{"id":"f","type":"number","default":4},{"id":"g","type":"number","default":5}]'></div>
`;
    check(`=== index.html\n${project('')}${card}`, project('[a: "Hi", c: false, e: 3 +2]'));
  });

  test('are limited to the range', () => {
    const { file } = fileWithCursor(
      '<div data-composition-id="m"><p id="a" data-start="0" data-duration="1"></p>\n<p data-start="a"></p>\n<p data-start="a"></p></div>',
    );
    const line = { start: { line: 1, character: 0 }, end: { line: 1, character: 22 } };
    expect(inlayHints(file, line).map(({ position }) => position.line)).toEqual([1]);
  });
});

describe('semantic tokens', () => {
  /** All tokens as `text type modifiers`. */
  function check(source: string, expected: string[]): void {
    const { file } = fileWithCursor(source);
    const { data } = semanticTokens(file);
    const lines = file.composition.text.split('\n');
    const shown: string[] = [];
    let line = 0;
    let character = 0;
    for (let i = 0; i < data.length; i += 5) {
      const [lineStep = 0, step = 0, length = 0, type = 0, modifiers = 0] = data.slice(i, i + 5);
      line += lineStep;
      character = lineStep === 0 ? character + step : step;
      const names = tokenLegend.tokenModifiers.filter((_, bit) => modifiers & (1 << bit));
      shown.push([lines[line]?.slice(character, character + length), tokenLegend.tokenTypes[type], ...names].join(' '));
    }
    expect(shown).toEqual(expected);
  }

  test('classify keys, values and references', () => {
    check(
      `<html data-composition-variables='[
  {"id":"title","type":"enum","default":"a","options":[{"value":"a","label":"A"}],"other":1}]'>
<div data-composition-id="m"><p data-start="a + 1" data-var-text=" title " class="x"></p>
<b data-composition-id="n" data-variable-values="{&quot;title&quot;:1,&quot;x&quot;:&quot;$title&quot;}"></b>
<video loop data-color-grading='{"preset":"$title","adjust":{"exposure":1}}'></video></div>`,
      [
        'data-composition-variables decorator defaultLibrary',
        'id property defaultLibrary',
        'title variable declaration',
        'type property defaultLibrary',
        'enum type defaultLibrary',
        'default property defaultLibrary',
        'a enumMember readonly',
        'options property defaultLibrary',
        'value property defaultLibrary',
        'a enumMember declaration',
        'label property defaultLibrary',
        'data-composition-id decorator defaultLibrary',
        'data-start decorator defaultLibrary',
        'a label readonly',
        'data-var-text decorator defaultLibrary',
        'title variable readonly',
        'data-composition-id decorator defaultLibrary',
        'data-variable-values decorator defaultLibrary',
        'title variable readonly',
        'x variable readonly',
        '$title variable readonly',
        'data-color-grading decorator defaultLibrary',
        'preset property defaultLibrary',
        '$title variable readonly',
        'adjust property defaultLibrary',
        'exposure property defaultLibrary',
      ],
    );
  });

  test('are encoded relative to the previous token', () => {
    const token = (line: number, character: number) => ({ line, character, length: 3, type: 1, modifiers: 2 });
    expect(encodeTokens([token(0, 4), token(0, 10), token(0, 11), token(3, 2)])).toEqual([
      ...[0, 4, 3, 1, 2],
      ...[0, 6, 3, 1, 2],
      ...[3, 2, 3, 1, 2],
    ]);
  });
});
