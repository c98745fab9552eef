import { expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import {
  mergedFonts,
  missingWarnings,
  type ShownFont,
  shownFonts,
} from '../../../../renderer-core/plan/fonts/shownFonts.ts';

const fonts = {
  names: ['Arial', 'Inter'],
  named: [],
  ofProject: ['brand'],
  fallback: [],
  byLanguage: {},
  possible: [],
  neededAtOnce: [],
};

test('lists families with their weights and where they come from', () => {
  const faces = [
    { family: 'Inter', weight: '100 900', style: 'normal' },
    { family: 'Arial', weight: '700', style: 'normal' },
    { family: 'Arial', weight: '400', style: 'normal' },
    { family: 'Arial', weight: '400', style: 'italic' },
    { family: 'Brand', weight: '400', style: 'normal' },
    { family: 'Own', weight: '500', style: 'normal' },
  ];
  expect(shownFonts(faces, fonts)).toEqual([
    { family: 'Arial', weights: ['400', '700'], source: 'pinned', substitute: 'Arimo' },
    { family: 'Brand', weights: ['400'], source: 'project', substitute: null },
    { family: 'Inter', weights: ['100 900'], source: 'pinned', substitute: null },
    { family: 'Own', weights: ['500'], source: 'composition', substitute: null },
  ]);
});

const shown = (family: string, ...weights: string[]): ShownFont => ({
  family,
  weights,
  source: 'composition',
  substitute: null,
});

test('merges the families of several parts in any order', () => {
  const parts = [[shown('Own', '700')], [shown('Brand', '400'), shown('Own', '400', '700')], []];
  const merged = [shown('Brand', '400'), shown('Own', '400', '700')];
  expect(mergedFonts(parts)).toEqual(merged);
  expect(mergedFonts(parts.reverse())).toEqual(merged);
});

test('does not list families if a part used the fonts of its machine', () => {
  expect(mergedFonts([[shown('Own', '400')], null])).toBeNull();
});

test.each([
  ['𒀀', 'index.html:2:4'],
  ['&#x12000;', 'index.html:2:4'],
  ['&#73728;', 'index.html:2:4'],
  ['from a script', '<p id="title">'],
])('warns once about a missing character that is written as %s', (text, place) => {
  const files: Record<string, string> = { 'index.html': `<div data-composition-id="a">\n<p>${text}</p></div>` };
  const graph = buildGraph('index.html', (path) => files[path]);
  const missing = { character: '𒀀', element: '<p id="title">' };
  expect(missingWarnings([missing, missing], graph)).toEqual([
    `${place}: no font has the character U+12000 (𒀀), so it is shown as a box. Add a font that has it to the project.`,
  ]);
});
