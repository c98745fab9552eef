// The benchmark measures typical compositions, and its figures mean what their titles say.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cases, fontFolders, kinds } from '../bench/cases.ts';
import { changesOf, costsOf } from '../bench/compare.ts';
import { imageNames } from '../bench/images.ts';
import type { Row } from '../bench/measureCase.ts';
import { sceneIn } from '../bench/others/remotion.ts';
import { memoryTable, ratiosTo } from '../bench/sections.ts';
import { geometricMean } from '../bench/table.ts';
import { repository } from '../support/repositoryFiles.ts';

const compositions = join(repository, 'test/bench/compositions');

/** They belong to `npm run bench:batch` and `bench:serverless`. */
const ofOtherBenchmarks = ['card', 'css-shapes'];

test('measures compositions of every kind, of 3 to 12 seconds and one of ten minutes', () => {
  expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(kinds));
  const others = cases.filter(({ seconds }) => seconds < 3 || seconds > 12);
  expect(others.map(({ name, seconds }) => [name, seconds])).toEqual([['long-deck', 600]]);
  expect(cases.filter(({ seconds }) => seconds < 5).length).toBeGreaterThanOrEqual(5);
  const folders = readdirSync(compositions).filter((name) => !ofOtherBenchmarks.includes(name));
  expect(folders.sort()).toEqual(cases.map(({ name }) => name).sort());
});

describe.each(cases.map(({ name }) => name))('%s', (name) => {
  const html = readFileSync(join(compositions, name, 'index.html'), 'utf8');

  test('needs no other host', () => {
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
  });

  test('uses only files that the benchmark copies', () => {
    const files = [...html.matchAll(/\b(fonts|images|vendor)\/([\w.-]+)/g)].map(([path]) => path);
    const copied = imageNames.map((image) => `images/${image}.jpg`).concat('vendor/gsap.min.js');
    const isFont = (path: string) => fontFolders.some((folder) => existsSync(join(folder, path.replace('fonts/', ''))));
    expect(files.filter((path) => !copied.includes(path) && !isFont(path))).toEqual([]);
  });
});

const row: Row = {
  name: 'a',
  quality: 'standard',
  tool: 'ours',
  seconds: 2,
  cpuSeconds: 3,
  spread: 0,
  frames: 100,
  peakMiB: 1,
  kilobytes: 1,
  likeness: null,
  psnrOwn: null,
  firstFrameMs: null,
  differentFiles: 1,
  note: '',
};

test('compares times per frame with those of another tool, for the compositions that both rendered', () => {
  const peer: Row = { ...row, tool: 'peer', seconds: 4, cpuSeconds: null, frames: 50 };
  const rows = [row, { ...row, name: 'b' }, peer];
  expect(ratiosTo('peer', 'standard', rows)).toMatchObject({ wall: [{ name: 'a', ratio: 4 }], cpu: [] });
  expect(geometricMean([1, 4, 16])).toBeCloseTo(4);
});

test('divides the memory of a long video by that of a short one', () => {
  expect(memoryTable([{ name: 'a', short: 500, long: 550 }])).toContain('| a | 500 | 550 | 1.10 |');
});

test('takes a composition apart for the Remotion component', () => {
  const html = `<style>p{src:url("fonts/a.woff2")}</style><body><p data-width="9" data-height="8"><img src="images/b.jpg"></p>
<script src="vendor/c.js"></script><script>run()</script></body>`;
  expect(sceneIn(html)).toEqual({
    width: 9,
    height: 8,
    styles: 'p{src:url("public/fonts/a.woff2")}',
    body: '<p data-width="9" data-height="8"><img src="public/images/b.jpg"></p>\n',
    scripts: [{ src: 'public/vendor/c.js' }, { text: 'run()' }],
  });
});

test('measures a cost as our processor time by that of a browser and x264, with all frames', () => {
  const one = cases.filter(({ name }) => name === 'title-card');
  const rows: Row[] = [
    { ...row, name: 'title-card', cpuSeconds: 3 },
    { ...row, name: 'title-card', tool: 'browser alone', cpuSeconds: 0.5 },
    // Half of the 90 frames.
    { ...row, name: 'title-card', tool: 'x264 alone', cpuSeconds: 0.25, frames: 45 },
  ];
  expect(costsOf(rows, one)).toEqual({ 'title-card': 3 });
});

test('finds a regression of more than 5 % of a kind, not of one composition', () => {
  const before = { 'title-card': 2, 'quote-card': 2, shader: 4 };
  const now = { 'title-card': 2.2, 'quote-card': 1.9, shader: 4.3, 'hex-map': 1 };
  expect(
    changesOf(before, now).map(({ kind, compositions, isRegression }) => [kind, compositions, isRegression]),
  ).toEqual([
    ['cards', 2, false],
    ['shaders', 1, true],
  ]);
});
