// Navigation for any text at any offset: nothing throws, and a rename replaces every occurrence of the old ID.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { colorPresentations, colors } from '../../../server/features/colors.ts';
import { inlayHints } from '../../../server/features/inlayHints.ts';
import { findReferences, symbolAt } from '../../../server/features/names/symbols.ts';
import { definition } from '../../../server/features/navigation/definition.ts';
import { documentLinks } from '../../../server/features/navigation/documentLinks.ts';
import { fileRename } from '../../../server/features/navigation/fileRename.ts';
import { foldingRanges } from '../../../server/features/navigation/folding.ts';
import { documentSymbols } from '../../../server/features/navigation/outline.ts';
import { references } from '../../../server/features/navigation/references.ts';
import { prepareRename, rename } from '../../../server/features/navigation/rename.ts';
import { workspaceSymbols } from '../../../server/features/navigation/workspaceSymbols.ts';
import { semanticTokens } from '../../../server/features/semanticTokens.ts';
import type { SourceFile } from '../../../server/features/sourceFile.ts';
import { filesOf } from '../../support/editor/markup.ts';
import { sourceFile } from '../../support/editor/sourceFile.ts';
import { applied } from '../../support/editor/workspaceEdit.ts';

const sample = `<!doctype html><html data-composition-variables='[{"id":"title","type":"string","default":"img/a.png"},
{"id":"tint","type":"color","default":"#ff0000"}]'>\r\n<head><style>p { color: var(--tint) } #a > b, [data-composition-id="main"] { --tint: red }</style></head><body>
<div id="root" data-composition-id="main" data-width="1920" data-duration="5">
<h1 id="a" data-start="0" data-duration="2" data-var-text="title">Hi</h1><p data-start="a + 1" style="background: url(img/a.png)">x
<video src="v.mp4" data-start="a" data-color-grading="{&quot;preset&quot;:&quot;$title&quot;}"></video>
<div data-composition-id="card" data-composition-src="card.html" data-variable-values='{"heading":"Pro","tint":"#00ff00"}'></div>
<svg><path stroke="var(--tint)"/><use href="#a"/></svg></div></body>
<script>const { title, tint: t = "x" } = __framework.getVariables(); gsap.to("#a", { color: "var(--tint)" });
window.__timelines["main"] = __timelines.main; document.getElementById('a')</script></html>`;

const card = `<template><div data-composition-id="card" data-composition-variables='[{"id":"heading","type":"string"},
{"id":"tint","type":"color"}]'><p data-var-text="heading"></p></div></template>`;

const projectOf = (text: string) => `=== index.html\n${text}\n=== card.html\n${card}\n=== img/a.png\n`;

function open(project: string): SourceFile[] {
  const files = filesOf(project);
  return ['index.html', 'card.html'].map((path) => sourceFile(files, path)).filter((file) => file !== undefined);
}

function check(text: string, offset: number, newName: string): void {
  const project = projectOf(text);
  const files = open(project);
  const file = files.find(({ path }) => path === 'index.html');
  if (!file) return;
  const whole = { start: { line: 0, character: 0 }, end: file.document.positionAt(text.length) };
  const found = colors(file);
  for (const { color, range } of found) colorPresentations(file, color, range);
  definition(file, offset);
  documentLinks(file);
  documentSymbols(file);
  foldingRanges(file);
  inlayHints(file, whole);
  semanticTokens(file);
  workspaceSymbols(files, newName);
  references(file, offset, true);
  applied(
    project,
    fileRename(files, [
      { from: 'index.html', to: 'a/b.html' },
      { from: 'img', to: newName || 'x' },
    ]),
  );
  checkRename(project, file, offset, newName);
}

/** Overlapping edits throw when they are applied. */
function checkRename(project: string, file: SourceFile, offset: number, newName: string): void {
  const prepared = prepareRename(file, offset);
  const result = rename(file, offset, newName);
  if (!prepared) expect(result).toHaveProperty('problem');
  if ('problem' in result) return;
  const found = symbolAt(file, offset);
  const renamed = open(applied(project, result)).find(({ path }) => path === file.path);
  if (!found || !renamed) throw new Error('the file is gone');
  const path = found.symbol.path;
  const count = (of: SourceFile, id: string) => findReferences(of, { ...found.symbol, path, id }).length;
  expect(count(renamed, newName.trim())).toBeGreaterThanOrEqual(count(file, found.symbol.id));
  if (newName.trim() !== found.symbol.id) expect(count(renamed, found.symbol.id)).toBe(0);
}

test('returns results from every feature for the sample', () => {
  const [file] = open(projectOf(sample));
  if (!file) throw new Error('no file');
  const counts = [colors(file), documentLinks(file), foldingRanges(file), semanticTokens(file).data].map(
    (list) => list.length,
  );
  expect(counts.every((count, index) => index === 2 || count > 0)).toBe(true);
  for (const [id, count] of Object.entries({ title: 4, tint: 6, a: 7, main: 4, card: 2, heading: 3 })) {
    const places = references(file, new RegExp(`(?<=["'])${id}(?=["'])`).exec(sample)?.index ?? 0, true);
    expect([id, places.length]).toEqual([id, count]);
  }
});

test('works at every offset of the sample', () => {
  for (let offset = 0; offset <= sample.length; offset += 3) {
    for (const file of open(projectOf(sample)).slice(0, 1)) checkRename(projectOf(sample), file, offset, 'new name');
    for (const file of open(projectOf(sample)).slice(0, 1)) checkRename(projectOf(sample), file, offset, 'fresh');
  }
});

const noise = fc.constantFrom(
  ...[
    '"',
    "'",
    '<',
    '>',
    '{',
    '}',
    '[',
    ']',
    '&quot;',
    '&',
    '\\',
    '$',
    '#',
    '--',
    '/*',
    '*/',
    '\n',
    '\r',
    ' ',
    '=',
    '💧',
    '\0',
  ],
  ...[
    'title',
    'a',
    '</script>',
    '<script>',
    '</style>',
    '<style>',
    '<template>',
    'data-start="',
    'getVariables()',
    '`',
    '${',
  ],
);
const names = fc.constantFrom(
  'fresh',
  'a-b',
  'two words',
  '1st',
  `it's "so"`,
  '</script>',
  '$x',
  '{y}',
  'ü',
  '\\',
  'tint',
  '',
  'a&b',
);

test('works for any mutation of the sample at any offset', () => {
  const edits = fc.array(fc.tuple(fc.nat(sample.length), fc.nat(30), noise), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(edits, fc.nat(sample.length), names, (changes, offset, name) => {
      let text = sample;
      for (const [at, length, put] of changes) text = text.slice(0, at) + put + text.slice(at + length);
      check(text.replaceAll('=== ', '==='), Math.min(offset, text.length), name);
    }),
    { numRuns: 300 },
  );
});
