// HDR footage in HDR and in SDR videos.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderReport } from '../../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { mirrored, rotated } from '../../../support/renders/footage.ts';
import { type Curve, hdrFootage, type Light, lightIn, patchSize } from '../../../support/renders/hdrFootage.ts';
import { decode } from '../../../support/renders/video.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';

const renderVideo = warmRenderer();

type Files = Parameters<typeof project>[0];

const render = (files: Files, request: Partial<RenderRequest> = {}): Promise<RenderReport> =>
  renderVideo({
    projectDir: project(files),
    output: join(temporaryFolder(), 'video.mp4'),
    quality: 'high',
    ...request,
  });

const grey = (nits: number): Light => [nits, nits, nits];
/** Greys, and what is red, green and blue in BT.709, in Display P3 and in BT.2020. Rec. ITU-R BT.2087 has the first matrix. */
const patches: Light[] = [
  ...[0.1, 10, 100, 203, 1000].map(grey),
  ...([
    [62.74, 6.91, 1.64],
    [32.93, 91.95, 8.8],
    [4.33, 1.14, 89.56],
  ] as Light[]),
  ...([
    [75.38, 4.57, 0],
    [19.86, 94.18, 1.76],
    [4.76, 1.25, 98.36],
  ] as Light[]),
  ...([
    [100, 0, 0],
    [0, 100, 0],
    [0, 0, 100],
  ] as Light[]),
];
const [width, height] = [patches.length * patchSize, 64];
const video = (file: string, style = '', attributes = '') =>
  `<video src="${file}" data-start="0" data-duration="0.1" muted ${attributes} style="position:absolute;left:0;top:0;width:${width}px;height:${patchSize}px;${style}"></video>`;
const page = (body: string, duration = 0.1) => composition(body, { width, height, duration });

describe('keeps the light of footage', () => {
  // A step of 10 bits is up to 1.8 % of the light.
  const isNear = (found: Light, expected: Light) =>
    found.every(
      (value, index) => Math.abs(value - (expected[index] ?? 0)) < Math.max(0.02, 0.018 * Math.max(...expected)),
    );

  test.each<[Curve, 'webm' | 'mp4', Curve]>([
    ['hlg', 'webm', 'pq'],
    ['pq', 'webm', 'pq'],
    ['hlg', 'mp4', 'hlg'],
    ['pq', 'mp4', 'pq'],
  ])('of %s in %s, in a video of %s', async (source, kind, hdr) => {
    const name = `footage.${kind}`;
    const files = { 'index.html': page(video(name)), [name]: hdrFootage(patches, source, kind) };
    const { output, capture, warnings } = await render(files, { hdr });
    expect({ path: capture.path, warnings }).toEqual({ path: 'paint', warnings: [] });
    const [at] = lightIn(output, hdr, { width, height });
    const found = patches.map((_, index): Light => at?.(index * patchSize + 16, 16) ?? [0, 0, 0]);
    expect(found.filter((light, index) => !isNear(light, patches[index] ?? grey(0)))).toEqual([]);
  });
});

describe('draws a page with footage', () => {
  const bright = () => hdrFootage([grey(1000), grey(1000)], 'hlg');
  const pair = (kind: 'webm' | 'mp4' = 'webm') => hdrFootage([grey(203), grey(1000)], 'hlg', kind);
  const size = { width: 2 * patchSize, height: 2 * patchSize };
  const caption = (index: number, more: string) =>
    `<p id="c${index}" data-start="${index / 10}" data-duration="0.1" style="position:absolute;margin:0;${more}"></p>`;
  const footage = (file: string) =>
    `<video src="${file}" data-start="0" data-duration="0.3" loop muted style="position:absolute;left:0;top:16px;width:64px;height:32px"></video>`;
  // Above the footage, over it, and below it, which is behind the footage too. The third one fades out.
  const captions = [
    caption(0, 'left:0;top:0;width:64px;height:16px;background:#fff'),
    caption(1, 'left:8px;top:20px;width:16px;height:16px;background:#000'),
    caption(
      2,
      'left:32px;top:40px;width:16px;height:24px;background:#fff;z-index:-1;transition:opacity calc(2s / 30) linear',
    ),
    "<script>setTimeout(() => { document.querySelector('#c2').style.opacity = 0 }, 200)</script>",
  ].join('');
  const places = { above: [32, 8], over: [12, 28], footage: [50, 32], behind: [40, 44], below: [40, 56] } as const;
  const none = { above: 0, over: 1000, footage: 1000, behind: 1000, below: 0 };
  const [first, second] = [
    { ...none, above: 203 },
    { ...none, over: 0 },
  ];
  // Half of the signal of white has 43 nits.
  const third = [203, 43, 0].map((below) => ({ ...none, below }));
  const expected = [first, first, first, second, second, second, ...third];
  const inOneFile = {
    'index.html': composition(`<div style="isolation:isolate">${footage('a.webm')}${captions}</div>`, {
      ...size,
      duration: 0.3,
    }),
  };
  const mounted = {
    'index.html': composition('<div data-composition-src="part.html" data-start="0" data-duration="0.3"></div>', {
      ...size,
      duration: 0.3,
    }),
    'part.html': inOneFile['index.html'],
  };

  test.each<[string, Files]>([
    ['captions above, over and behind it', inOneFile],
    ['the same in a mounted file', mounted],
  ])('with %s, the same with several workers', async (_, files) => {
    const outputs = await Promise.all(
      [1, 2].map(async (workers) => {
        const { output } = await render(
          { ...(files as object), 'a.webm': bright() },
          { hdr: 'pq', workers, chunkFrames: 3, capture: 'paint' },
        );
        return output;
      }),
    );
    const [one = '', two = ''] = outputs;
    expect(readFileSync(two).equals(readFileSync(one))).toBe(true);
    const frames = lightIn(one, 'pq', size).map((at) =>
      Object.fromEntries(Object.entries(places).map(([name, [x, y]]) => [name, Math.round(at(x, y)[1] / 50) * 50])),
    );
    const rounded = expected.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, nits]) => [name, Math.round(nits / 50) * 50])),
    );
    expect(frames).toEqual(rounded);
  });

  test.each<Partial<RenderRequest>>([
    { hdr: 'pq' },
    { codec: 'h265', bitDepth: 10 },
  ])('with a translucent caption over colors outside of sRGB, which agrees with screenshots: %j', async (request) => {
    const body = `<video src="a.webm" data-start="0" data-duration="0.1" muted style="position:absolute;left:0;top:0;width:64px;height:32px"></video>
      <p style="position:absolute;left:8px;top:8px;width:48px;height:16px;margin:0;background:#0008"></p>`;
    const red = hdrFootage(
      [
        [600, 0, 0],
        [600, 0, 0],
      ],
      'hlg',
    );
    const { capture } = await render(
      { 'index.html': composition(body, { ...size, duration: 0.1 }), 'a.webm': red },
      request,
    );
    expect(capture.path).toBe('paint');
  });

  test.each<[string, string, number]>([
    ['in a paragraph from right to left', '<p dir="rtl" style="margin:0">VIDEO</p>', 1000],
    ['in vertical text', '<p style="margin:0;writing-mode:vertical-rl">VIDEO</p>', 1000],
    ['with zoom', '<p style="margin:0;zoom:.5;line-height:0">VIDEO</p>', 1000],
    [
      'in a shadow root',
      '<p id="host" style="margin:0"></p><script>host.attachShadow({ mode: "open" }).innerHTML = `VIDEO`</script>',
      1000,
    ],
    [
      'with an animation of its own',
      '<style>@keyframes a { from { translate: 0 } to { translate: 1px } } video { animation: a .1s }</style>VIDEO',
      1000,
    ],
    [
      'with transitions of all its styles',
      '<style>video { transition: all .1s }</style>VIDEO<script>addEventListener("transitionrun", () => document.body.replaceChildren())</script>',
      1000,
    ],
    // Two thirds of the signal of 1000 nits have 390 nits.
    [
      'with a transition that runs',
      '<style>video { transition: opacity .2s linear }</style>VIDEO<script>requestAnimationFrame(() => { document.querySelector("video").style.opacity = 0 })</script>',
      390,
    ],
    [
      'whose script is told about changes of its size',
      '<div style="width:32px"><style>video { width: 100% !important }</style>VIDEO</div><script>new ResizeObserver(([{ contentRect }]) => { if (contentRect.width !== 32) document.body.replaceChildren() }).observe(document.querySelector("video"))</script>',
      1000,
    ],
    [
      'in a named slot',
      '<p id="host" style="margin:0">VIDEO</p><script>const [video] = host.children; video.slot = "a"; host.attachShadow({ mode: "open" }).innerHTML = `<slot name="a"></slot>`</script>',
      1000,
    ],
    ['that is not visible', '<div style="visibility:hidden">VIDEO</div>', 0],
    ['that has no box', '<style>video { display: none }</style>VIDEO', 0],
    [
      'that a script adds later',
      '<div id="place"></div><script>requestAnimationFrame(() => { place.innerHTML = `VIDEO` })</script>',
      1000,
    ],
    ['of 8 bits', '<video src="flat.mp4" data-start="0" data-duration="0.1" muted></video>', 203],
  ])('%s', async (_, body, nits) => {
    const element =
      '<video src="a.webm" data-start="0" data-duration="0.1" muted style="width:64px;height:32px"></video>';
    const html = composition(body.replace('VIDEO', element), { ...size, duration: 0.1 });
    const flat = () => hdrFootage([grey(203), grey(203)], 'hlg', 'mp4', 8);
    const { output, capture } = await render(
      { 'index.html': html, 'a.webm': bright(), 'flat.mp4': flat() },
      { hdr: 'pq' },
    );
    expect(capture.path).toBe('paint');
    const at = lightIn(output, 'pq', size).at(-1);
    expect(Math.round((at?.(20, 10)[1] ?? -1) / 50) * 50).toBe(Math.round(nits / 50) * 50);
  });

  /** The left half of `pair` has 203 nits (o), the right half 1000 (#). One character for 8x8 pixels. */
  const drawn = async (footage: Buffer, style: string): Promise<string[]> => {
    const body = `<video src="a.mp4" data-start="0" data-duration="0.1" muted style="display:block;${style}"></video>`;
    const files = { 'index.html': composition(body, { ...size, duration: 0.1 }), 'a.mp4': footage };
    const { output, capture } = await render(files, { hdr: 'pq' });
    expect(capture.path).toBe('paint');
    const [at] = lightIn(output, 'pq', size);
    const row = (y: number) =>
      Array.from({ length: 8 }, (_, x) => {
        const nits = at?.(8 * x + 4, 8 * y + 4)[1] ?? 0;
        return nits > 900 ? '#' : nits > 150 ? 'o' : '.';
      }).join('');
    return Array.from({ length: 8 }, (_, y) => row(y));
  };

  // Browsers cannot decode HEVC, which is converted.
  const turned = [...Array(4).fill('########'), ...Array(4).fill('oooooooo')];
  test.each<[string, () => Buffer, string[]]>([
    ['VP9 is turned to the left', () => rotated(pair()), turned],
    ['HEVC is turned to the left', () => rotated(pair('mp4')), turned],
    ['VP9 is mirrored', () => mirrored(pair()), Array(8).fill('####oooo')],
  ])('as its file says: %s', async (_, footageOf, expected) => {
    expect(await drawn(footageOf(), 'width:64px;height:64px;object-fit:fill')).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    [
      'fitted, at a distance from the right and the top',
      'width:64px;height:64px;object-fit:none;object-position:right 8px top 8px',
      ['........', 'ooo####.', 'ooo####.', 'ooo####.', 'ooo####.', '........', '........', '........'],
    ],
    [
      'contained, at the bottom',
      'width:64px;height:48px;object-fit:contain;object-position:50% 100%',
      ['........', '........', 'oooo####', 'oooo####', 'oooo####', 'oooo####', '........', '........'],
    ],
    [
      'clipped at its content',
      'width:32px;height:32px;padding:0 16px;object-fit:cover',
      ['..oo##..', '..oo##..', '..oo##..', '..oo##..', '........', '........', '........', '........'],
    ],
    [
      'in a box that includes its padding',
      'width:64px;height:32px;padding:8px;box-sizing:border-box;object-fit:fill',
      ['........', '.ooo###.', '.ooo###.', '........', '........', '........', '........', '........'],
    ],
  ])('%s', async (_, style, expected) => expect(await drawn(pair(), style)).toEqual(expected));

  test('with fine patterns that are scaled down', async () => {
    const stripes = Array.from({ length: 64 }, (_, index) => grey(index % 2 === 0 ? 0 : 203));
    const footage = hdrFootage(stripes, 'pq', 'webm', 10, 2);
    const [first] = await drawn(footage, 'width:27px;height:16px;object-fit:fill');
    expect(first?.slice(4)).toBe('....');
  });

  test('fitted, rotated, rounded and translucent', async () => {
    const style =
      'position:absolute;left:8px;top:8px;width:40px;height:40px;object-fit:cover;border:4px solid #fff;border-radius:50%;opacity:.5;background:#00f';
    const body = `<video src="a.webm" data-start="0" data-duration="0.1" muted style="${style}"></video>`;
    const { output } = await render(
      { 'index.html': composition(body, { ...size, duration: 0.1 }), 'a.webm': bright() },
      { hdr: 'pq' },
    );
    const [at] = lightIn(output, 'pq', size);
    const nits = ([x, y]: readonly [number, number]) => Math.round(at?.(x, y)[1] ?? -1);
    expect(nits([2, 2])).toBe(0);
    expect(nits([11, 11])).toBe(0);
    // Blending is done with the signals of sRGB: half of 1.995 is 0.998, and half of white is 0.5.
    expect(nits([32, 32])).toBeGreaterThan(195);
    expect(nits([32, 32])).toBeLessThan(206);
    expect(nits([10, 32])).toBeGreaterThan(40);
    expect(nits([10, 32])).toBeLessThan(48);
  });
});

describe('in SDR', () => {
  const size = { width: 4 * patchSize, height: patchSize };
  const html = (file: string) =>
    composition(
      `<video src="${file}" data-start="0" data-duration="0.1" muted style="width:128px;height:32px"></video>`,
      { ...size, duration: 0.1 },
    );

  // With `zscale` and `tonemap=mobius`, in every format: white, grey, sky and skin.
  test.each<['webm' | 'mp4', 8 | 10]>([
    ['webm', 10],
    ['mp4', 10],
    ['mp4', 8],
  ])('maps bright light in %s of %i bits, and names the option that keeps it', async (kind, bits) => {
    const file = `footage.${kind}`;
    const content = hdrFootage([grey(203), grey(26), [20, 40, 90], [60, 40, 30]], 'hlg', kind, bits);
    const { output, warnings, capture } = await render({ 'index.html': html(file), [file]: content });
    expect(warnings).toEqual(['The page shows HDR footage in SDR. Use --hdr to keep its light.']);
    expect(capture.path).toBe('paint');
    const [frame] = await decode(output, size.width, size.height);
    const found = [0, 1, 2, 3].flatMap((patch) => frame?.at(patch * patchSize + 16, 16).slice(0, 3) ?? []);
    const expected = [215, 215, 215, 108, 108, 108, 1, 127, 187, 172, 123, 110];
    expect(Math.max(...expected.map((value, at) => Math.abs(value - (found[at] ?? -99))))).toBeLessThanOrEqual(3);
  });
});

describe('refuses', () => {
  const files = (html: string) => ({ 'index.html': page(html), 'a.webm': hdrFootage([grey(203)], 'hlg') });

  test('a color grading of it, with its line', async () => {
    const graded = video('a.webm', '', `data-color-grading='{"adjust":{"exposure":1}}'`);
    await expect(render(files(graded), { hdr: true })).rejects.toMatchObject({
      code: 'composition_invalid',
      message: 'The color grading of HDR footage would end at white',
      place: { file: 'index.html', line: expect.any(Number) },
    });
  });

  test('screenshots', async () => {
    await expect(render(files(video('a.webm')), { hdr: true, capture: 'screenshot' })).rejects.toMatchObject({
      code: 'render_failed',
      message: 'This HDR video cannot be made of screenshots, which the page needs: as requested',
    });
  });
});

test.each([
  ['a filter', video('a.webm', 'filter:contrast(1)'), 'filter'],
  [
    'a script',
    `${video('a.webm', 'display:none')}<canvas id="c" width="64" height="64"></canvas>
      <script>(function draw() { c.getContext('2d').drawImage(document.querySelector('video'), 0, 0); requestAnimationFrame(draw) })()</script>`,
    'read by a script',
  ],
])('names footage that %s cuts off at white', async (_, body, reason) => {
  const { warnings } = await render(
    { 'index.html': page(body), 'a.webm': hdrFootage([grey(203)], 'hlg') },
    { hdr: true },
  );
  expect(warnings).toEqual([`Nothing in these elements is brighter than white: <video src="a.webm"> (${reason})`]);
});
