// Faults of pages as `framework check` finds them in a browser, with the line of the element.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CheckRequest, checkProjectWith } from '../../../renderer-core/check/checkProject.ts';
import type { CheckReport } from '../../../renderer-core/check/checkReport.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { surroundings } from '../../support/renders/surroundings.ts';
import { launchShared, useSharedBrowser } from '../../support/renders/warmRender.ts';
import { tone } from '../../support/renders/wav.ts';
import { core } from '../../support/suites.ts';

useSharedBrowser();

type Files = Parameters<typeof project>[0];

const check = (files: Files, request: Partial<CheckRequest> = {}): Promise<CheckReport> =>
  checkProjectWith(launchShared, { projectDir: project(files), fps: '10', ...request }, surroundings);

/** `rule line`, and for rows the row from 1. */
const found = ({ findings }: CheckReport): string[] =>
  findings.map(({ rule, line, rows }) => [rule, line, ...rows.map((row) => `row ${row + 1}`)].join(' '));

const page = (body: string, more: Parameters<typeof composition>[1] = {}) =>
  composition(
    `<style>h1,p{position:absolute;margin:0;font:700 40px sans-serif;color:#fff;white-space:nowrap}</style>\n${body}`,
    {
      width: 640,
      height: 360,
      duration: 2,
      ...more,
    },
  );

/** The line of `body` in `page`. */
const line = 5;

describe('texts', () => {
  test.each([
    ['nothing', '<h1 style="left:40px;top:40px">A good title</h1>', []],
    [
      'text that leaves the frame',
      '<h1 style="left:500px;top:40px">Much too long</h1>',
      [`text-outside-frame ${line}`],
    ],
    [
      'text that a box cuts off',
      '<p style="left:40px;top:40px;width:90px;overflow:hidden">Quarterly</p>',
      [`text-cut ${line}`],
    ],
    [
      'text that ends with an ellipsis',
      '<p style="left:40px;top:40px;width:120px;overflow:hidden;text-overflow:ellipsis">Quarterly results</p>',
      [`text-cut ${line}`],
    ],
    [
      'text that leaves its button',
      '<p style="left:40px;top:40px;width:90px;background:#226;border-radius:9px">Quarterly</p>',
      [`text-outside-box ${line}`],
    ],
    [
      'texts that overlap',
      '<p style="left:40px;top:40px">Quarterly</p>\n<p style="left:90px;top:50px">Results</p>',
      [`text-overlap ${line + 1}`],
    ],
    ['gray text on black', '<p style="left:40px;top:40px;color:#333">Faint</p>', [`low-contrast ${line}`]],
    [
      'white text over the bright part of a picture',
      '<div style="position:absolute;inset:0;background:linear-gradient(90deg,#000 50%,#eee 50%)"></div>\n<p style="left:400px;top:40px">Over white</p>',
      [`low-contrast ${line + 1}`],
    ],
    [
      'an outline makes text readable',
      '<div style="position:absolute;inset:0;background:#fff"></div><p style="left:40px;top:40px;text-shadow:0 0 6px #000,0 0 6px #000,0 0 6px #000,0 0 6px #000">Readable</p>',
      [],
    ],
    [
      'text below an opaque layer',
      '<p style="left:40px;top:40px;color:#111">Hidden</p><div style="position:absolute;inset:0;background:#060"></div><h1 style="left:40px;top:200px">Shown</h1>',
      [],
    ],
    [
      'letters that roll behind a mask',
      '<div style="position:absolute;left:40px;top:40px;height:48px;overflow:hidden"><p style="position:static;line-height:48px">7</p><p style="position:static;line-height:48px">8</p></div>',
      [],
    ],
  ])('%s', async (_, body, expected) => {
    expect(found(await check(page(body)))).toEqual(expected);
  });

  test('text that only passes the border on its way is where the author wants it', async () => {
    const body =
      '<style>@keyframes in{from{transform:translateX(400px)}}</style><h1 style="left:40px;top:40px;animation:in .5s both">In</h1>';
    expect(found(await check(page(body)))).toEqual([]);
  });

  test('a clip that shows too long a text for half a second', async () => {
    const body =
      '<h1 class="clip" data-start="0.8" data-duration="0.5" style="left:500px;top:40px">Much too long</h1><h1 style="left:40px;top:200px">Always</h1>';
    const { findings } = await check(page(body));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ rule: 'text-outside-frame', seconds: 1 });
    expect(findings[0]?.message).toMatch(/^“Much too long” leaves the frame by \d+ px on the right at 1 s$/);
  });

  test('a comment and framework.json switch checks off', async () => {
    const body =
      '<!-- framework-ignore-next-line low-contrast: watermark -->\n<p style="left:40px;top:40px;color:#333">Faint</p>\n<h1 style="left:500px;top:140px">Much too long</h1>';
    const config = '{"lint": {"rules": {"text-outside-frame": "error"}}}';
    const { findings } = await check({ 'index.html': page(body), 'framework.json': config });
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(['text-outside-frame error']);
    expect(found(await check(page(body), { rules: { 'text-outside-frame': 'off' } }))).toEqual([]);
  });

  test('the file and line of an embedded composition', async () => {
    const title =
      '<template id="title-template">\n<div data-composition-id="title" data-width="640" data-height="360">\n<p style="position:absolute;left:560px;top:40px;font-size:40px;color:#fff">Embedded</p></div></template>';
    const body =
      '<div data-composition-id="host" data-composition-src="title.html" data-start="0" data-duration="2"></div>';
    const { findings } = await check({ 'index.html': page(body), 'title.html': title });
    expect(findings.map(({ rule, file, line }) => [rule, file, line])).toEqual([
      ['text-outside-frame', 'title.html', 3],
    ]);
  });
});

describe('the video as a whole', () => {
  const moving =
    '<style>@keyframes go{to{transform:translateX(300px)}}</style><div style="position:absolute;left:20px;top:220px;width:90px;height:90px;background:#48f;animation:go 2s linear both"></div>';
  test('a clip that is transparent all the time', async () => {
    const body = `${moving}<div class="clip" data-start="0.5" data-duration="1" style="position:absolute;inset:0;opacity:0;color:#fff">Badge</div>`;
    expect(found(await check(page(body)))).toEqual([`invisible-clip ${line}`]);
  });
  test('a black part', async () => {
    const body = '<h1 class="clip" data-start="0" data-duration="0.4" style="left:40px;top:40px">Start</h1>';
    expect(found(await check(page(body)))).toEqual(['blank-frames 3']);
  });
  test('a last frame without the last clip', async () => {
    const body =
      '<h1 class="clip" data-start="0" data-duration="1.9" style="left:40px;top:40px">A title that is large enough</h1><div style="position:absolute;left:0;top:200px;width:50px;height:50px;background:#08f"></div>';
    expect(found(await check(page(body)))).toEqual(['last-frame 3']);
  });
  test('no movement for longer than framework.json allows', async () => {
    const files = {
      'index.html': page('<h1 style="left:40px;top:40px">Still</h1>'),
      'framework.json': '{"check": {"stillSeconds": 1}}',
    };
    expect(found(await check(files))).toEqual(['still-frames 3']);
  });
});

test('sounds that are cut off, silent and too loud', async () => {
  const audio = (id: string, more: string) => `<audio id="${id}" src="tone.wav" data-start="0" ${more}></audio>`;
  const sounds = [
    audio('cut', 'data-duration="1"'),
    audio('quiet', 'data-duration="2" data-volume="0.0001"'),
    ...['a', 'b', 'c', 'd'].map((id) => audio(id, 'data-duration="2"')),
  ].join('\n');
  const body = `<h1 style="left:40px;top:40px">Music</h1>\n${sounds}`;
  const report = await check({ 'index.html': page(body), 'tone.wav': tone(2) });
  expect(found(report)).toContain(`cut-sound ${line + 1}`);
  expect(found(report)).toContain('clipped-sound 3');
  expect(report.sound?.truePeak).toBeGreaterThan(-1);
});

describe('sizes', () => {
  const body =
    '<style>@media (max-aspect-ratio:9/16){#a{left:300px !important}}</style><h1 id="a" data-var-text="name" style="left:40px;top:40px"></h1><p style="left:40px;top:200px;color:#333">Faint</p>';
  const declared = page(body, {
    attributes: 'data-sizes="360x640 360x360"',
    variables: [{ id: 'name', type: 'string', label: 'Name', default: 'Ada' }],
  });
  const rows = [{ name: 'Bo' }, { name: 'A name that is too long for this square' }];
  const where = ({ findings }: CheckReport) =>
    findings.map(({ rule, size, sizes, rows }) => [rule, size, sizes.join(' '), ...rows].join(', '));

  test('a finding has all sizes in which it is found', async () => {
    const report = await check(declared, { allSizes: true, rows });
    expect(where(report)).toEqual([
      'text-outside-frame, 640x360, 640x360 360x360, 1',
      'text-outside-frame, 360x640, 360x640',
      'low-contrast, 640x360, 640x360 360x640 360x360',
    ]);
    expect(report.sizes).toEqual(['640x360', '360x640', '360x360']);
    expect(report.rows.map(({ findings }) => findings)).toEqual([0, 1]);
  });

  test.each([
    [{}, ['low-contrast, 640x360, 640x360']],
    [{ aspectRatio: '9:16' }, ['text-outside-frame, 360x640, 360x640', 'low-contrast, 360x640, 360x640']],
    // Bars change nothing of the layout, and neither do more pixels.
    [{ aspectRatio: '21:9', resolution: '4k' as const }, ['low-contrast, 640x360, 640x360']],
  ])('the layout of a video with %j', async (options, expected) => {
    expect(where(await check(declared, options))).toEqual(expected);
  });

  test('a row names the size in which it cannot be shown', async () => {
    const script =
      '<script>if (innerWidth === 360 && __framework.getVariables().name === "Bo") throw Error("no")</script>';
    const { rows: checked } = await check(declared.replace('</body>', `${script}</body>`), { allSizes: true, rows });
    expect(checked).toMatchObject([{ error: expect.stringMatching(/^360x640: .*no/) }, { error: null }]);
  });

  test('images have their size in their names', core, async () => {
    const output = join(temporaryFolder(), 'findings');
    await check(declared, { allSizes: true, output });
    expect(readdirSync(output).sort()).toEqual([
      '01-low-contrast-640x360-frame-5.png',
      '02-text-outside-frame-360x640-frame-5.png',
      'findings.png',
    ]);
  });
});

describe('rows', () => {
  const card = page('<h1 data-var-text="name" style="left:40px;top:40px;max-width:560px;white-space:normal"></h1>', {
    variables: [
      { id: 'name', type: 'string', label: 'Name', default: 'Ada Lovelace' },
      { id: 'ink', type: 'color', label: 'Ink', default: '#ffffff' },
    ],
    head: '<script>document.documentElement.style.setProperty("--ink", __framework.getVariables().ink)</script><style>h1{color:var(--ink)!important}</style>',
  });
  const rows = [
    { name: 'Alan Turing' },
    { name: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff' },
    { name: 'Grace Hopper', ink: '#101010' },
    { name: 'Wolfeschlegelsteinhausenbergerdorff and a second line' },
  ];
  test('only what their values change', async () => {
    const report = await check(card, { rows });
    expect(found(report)).toEqual([
      'text-outside-frame 5 row 2 row 4',
      'more-lines 5 row 2 row 4',
      'low-contrast 5 row 3',
    ]);
    expect(report.rows.map(({ label, findings }) => [label, findings])).toEqual([
      ['Alan Turing', 0],
      [expect.stringContaining('Hubert Blaine'), 2],
      ['Grace Hopper, #101010', 1],
      [expect.stringContaining('and a second line'), 2],
    ]);
  });

  test('a row whose image is missing has an error, and the others are checked', async () => {
    const body =
      '<h1 data-var-text="name" style="left:40px;top:40px"></h1><img data-var-src="photo" style="position:absolute;left:40px;top:160px" width="60" height="60">';
    const photo = { id: 'photo', type: 'string', label: 'Photo', default: 'dot.svg' };
    const name = { id: 'name', type: 'string', label: 'Name', default: 'Ada' };
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><circle cx="30" cy="30" r="30" fill="#fff"/></svg>';
    const files = { 'index.html': page(body, { variables: [name, photo] }), 'dot.svg': svg };
    const report = await check(files, {
      rows: [{ photo: 'no.svg' }, { name: 'A name that is much too long for this' }],
    });
    expect(report.rows).toMatchObject([
      { index: 0, findings: 0, error: expect.stringMatching(/^index\.html:\d+:\d+: .*no\.svg/) },
      { index: 1, findings: 1, error: null },
    ]);
  });

  test('at the limits of the declarations', async () => {
    const report = await check(card, { rows: 'extremes' });
    expect(report.rows.map(({ label }) => label)).toEqual([
      'longest and largest',
      'shortest and smallest',
      'empty',
      'white',
      'black',
    ]);
    expect(found(report)).toEqual(['low-contrast 5 row 5']);
  });

  test('images of the findings', core, async () => {
    const output = join(temporaryFolder(), 'findings');
    const { stills } = await check(card, { rows, output });
    expect(readdirSync(output).sort()).toEqual([
      '01-text-outside-frame-row-2-frame-5.png',
      '02-more-lines-row-2-frame-5.png',
      '03-low-contrast-row-3-frame-5.png',
      'findings.png',
    ]);
    expect(stills).toHaveLength(4);
  });
});
