// The size of a composition: its own, that of its host, or 1920 × 1080.
import { expect, test } from 'vitest';
import { compositionSize } from '../../../renderer-core/model/compositionSize.ts';
import { memoryProject } from '../../support/editor/memoryProject.ts';

const page = (inside: string, size = 'data-width="1080" data-height="1350"') =>
  `<!doctype html><div data-composition-id="main" ${size} data-duration="4">${inside}</div>`;

const scene = '<div data-composition-id="scene"></div>';

test.each([
  ['its own size', `=== index.html\n${page('')}`, 'index.html', 1080, 1350],
  ['no size of a page that nothing embeds', `=== index.html\n${page('', '')}`, 'index.html', null, null],
  ['1920 × 1080 for a fragment that nothing embeds', `=== scene.html\n${scene}`, 'scene.html', 1920, 1080],
  [
    'the size of the host',
    `=== index.html\n${page('<div data-composition-src="scene.html" data-width="400" data-height="300"></div>')}\n=== scene.html\n${scene}`,
    'scene.html',
    400,
    300,
  ],
  [
    'the size of the page with the host',
    `=== index.html\n${page('<div data-composition-src="scene.html"></div>')}\n=== scene.html\n${scene}`,
    'scene.html',
    1080,
    1350,
  ],
  [
    'the size of the page through two levels',
    `=== index.html\n${page('<div data-composition-src="parts/a.html"></div>')}\n=== parts/a.html\n<div data-composition-id="a" data-width="500"><div data-composition-src="b.html"></div></div>\n=== parts/b.html\n<div data-composition-id="b"></div>`,
    'parts/b.html',
    500,
    1350,
  ],
  [
    'the size of the host for an embedded page',
    `=== index.html\n${page('<div data-composition-src="other.html"></div>')}\n=== other.html\n${page('', '')}`,
    'other.html',
    1080,
    1350,
  ],
  [
    '1920 × 1080 for files that embed each other',
    '=== a.html\n<div data-composition-id="a"><div data-composition-src="b.html"></div></div>\n=== b.html\n<div data-composition-id="b"><div data-composition-src="a.html"></div></div>',
    'a.html',
    1920,
    1080,
  ],
])('returns %s', (_, source, path, width, height) => {
  expect(compositionSize(path, memoryProject(source))).toEqual({ width, height });
});
