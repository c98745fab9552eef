// Animated images at the time of their clip, and images that style sheets add during the render.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/project.ts';
import { referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { black, blue, cases, green, mount, page, png, red, renderFrames } from '../../../support/renders/frames.ts';
import { hex } from '../../../support/renders/video.ts';
import { core } from '../../../support/suites.ts';

const ffmpeg = referenceFfmpeg;

/** An animation of images of one color, 0.1 seconds each. */
function animation(name: string, colors: [number, number, number][], options: readonly string[], side = 8): Uint8Array {
  const file = join(temporaryFolder(), name);
  const pixels = Buffer.concat(
    colors.map((color) => Buffer.from(Array.from({ length: side * side }, () => color).flat())),
  );
  // Colors that are exact in the file's palette.
  const palette = name.endsWith('.gif') ? ['-vf', 'split[a][b];[a]palettegen[p];[b][p]paletteuse'] : [];
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${side}x${side}`, '-r', '10', '-i', '-'];
  execFileSync(ffmpeg, ['-v', 'error', ...input, ...palette, ...options, file], { input: pixels });
  return readFileSync(file);
}

const colors: [number, number, number][] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
const image = (index: number, src: string, attributes = '', style = '') =>
  `<img src="${src}" ${attributes} style="position:absolute;top:0;left:${8 * index}px;width:8px;height:8px;${style}">`;

describe('an animated image', () => {
  test.each([
    ['a.gif', 'paint', ['-loop', '0']],
    ['a.gif', 'screenshot', ['-loop', '0']],
    ['a.png', 'paint', ['-f', 'apng', '-plays', '0']],
    ['a.webp', 'paint', ['-c:v', 'libwebp_anim', '-lossless', '1', '-loop', '0']],
  ] as const)('%s follows the clock, from the start of its clip (%s)', async (name, capture, options) => {
    const files = {
      'index.html': page(
        image(0, name) + image(1, name, 'data-start="0.4"') + mount('m.html', {}, 'data-start="0.2"'),
        {
          duration: 1,
        },
      ),
      'm.html': `<div data-composition-id="m">${image(2, name)}</div>`,
      [name]: animation(name, colors, options),
    };
    const frames = await renderFrames(files, { capture });
    const row = (frame: number) => [4, 12, 20].map((x) => hex(frames[frame], x, 4));
    expect([0, 1, 2, 3, 5, 9].map(row)).toEqual([
      [red, black, black],
      [green, black, black],
      [blue, black, red],
      [red, black, green],
      [blue, green, red],
      [red, blue, green],
    ]);
  });

  test('follows the clock in a shadow tree, from the start of the clip around it', core, async () => {
    const frames = await renderFrames({
      'index.html': page(
        `<div data-start="0.2"><template shadowrootmode="open">${image(0, 'a.gif')}</template></div>`,
        { duration: 0.8 },
      ),
      'a.gif': animation('a.gif', colors, ['-loop', '0']),
    });
    expect([1, 2, 3, 4, 5, 7].map((frame) => hex(frames[frame], 4, 4))).toEqual([black, red, green, blue, red, blue]);
  });

  const box = (style: string, attributes = '') =>
    `<div ${attributes} style="position:absolute;top:0;left:0;width:8px;height:8px;${style}"></div>`;

  const brokenSvg = `<i style="background:url('data:image/svg+xml,<svg><animate/></svg>')">x</i>`;

  test.each([
    ['a background', box("background:url('a.gif')")],
    ['a background with a variable', box('--at:0 0;background:url(a.gif) var(--at)')],
    ['a custom property', `<style>#a { --image: url(a.gif) }</style><b id="a">${box('background:var(--image)')}</b>`],
    ['an image set', box('background-image:image-set(url(a.gif) 1x)')],
    ['a border', box('box-sizing:border-box;border:4px solid;border-image:url(a.gif) 4')],
    ['a pseudo-element', `<style>#a::before { content: url(a.gif) }</style>${box('line-height:0', 'id="a"')}`],
    ['a style with a transition', `<style>* { transition: all 0.3s }</style>${box('background:url(a.gif)')}`],
    ['keyframes', `<style>@keyframes k { from, to { background: url(a.gif) } }</style>${box('animation:k 9s')}`],
    ['a shadow tree', `<div><template shadowrootmode="open">${box('background:url(a.gif)')}</template></div>`],
    ['an imported style sheet', `<style>@import "a.css";</style>${box('background:#fff', 'class="a"')}`],
    ['an embedded composition', mount('m.html', {})],
    [
      'a style that a script sets',
      `${box('', 'id="a"')}<script>requestAnimationFrame(() => { a.style.backgroundImage = 'url(a.gif)' })</script>`,
    ],
    ['a custom property of a style attribute', box('--image:url(a.gif);background:var(--image)')],
    [
      'an element that a script adds',
      `<p></p><script>requestAnimationFrame(() => { document.querySelector('p').innerHTML = '${box('--image:url(a.gif);background:var(--image)')}' })</script>`,
    ],
    [
      'a rule that a script adds',
      `<style id="s">b { color: red }</style>${box('', 'id="a"')}<script>setTimeout(() => { s.sheet.insertRule('#a { background: url(a.gif) }') }, 50)</script>`,
    ],
    ['an <image>', '<svg width="8" height="8" style="display:block"><image href="a.gif"/></svg>'],
    ['an image next to a broken one', image(0, 'a.gif') + brokenSvg],
  ])('in %s follows the clock of the video', async (_, body) => {
    const files = {
      'index.html': page(body, { duration: 0.5 }),
      'a.css': '.a { background: url("a.gif") !important }',
      'm.html': `<style>.a { background: url(a.gif) }</style><div data-composition-id="m">${box('', 'class="a"')}</div>`,
      'a.gif': animation('a.gif', colors, ['-loop', '0']),
    };
    const frames = await renderFrames(files);
    expect([1, 2, 3, 4].map((frame) => hex(frames[frame], 1, 1))).toEqual([green, blue, red, green]);
  });

  test('in a rule that is used later, next to another file, follows the clock of the video', async () => {
    const [one, other] = [colors, colors.toReversed()].map((shown) => animation('a.gif', shown, ['-loop', '0']));
    const url = `data:image/gif;base64,${Buffer.from(other ?? '').toString('base64')}`;
    const frames = await renderFrames({
      'index.html': page(
        `<style>#a { background: url(a.gif) } .on { background: url(${url}) !important }</style>${box('', 'id="a"')}
        <script>setTimeout(() => { a.className = 'on' }, 250)</script>`,
        { duration: 0.6 },
      ),
      'a.gif': one ?? '',
    });
    expect([1, 2, 3, 4, 5].map((frame) => hex(frames[frame], 4, 4))).toEqual([green, blue, blue, green, red]);
  });

  test('in a rule stays visible when a script replaces the styles of the root', async () => {
    const script = `setInterval(() => document.documentElement.setAttribute('style', '--now:' + performance.now()), 50)`;
    const frames = await renderFrames({
      'index.html': page(`<style>#a { background: url(a.gif) }</style>${box('', 'id="a"')}<script>${script}</script>`, {
        duration: 0.5,
      }),
      'a.gif': animation('a.gif', colors, ['-loop', '-1']),
    });
    expect([1, 2, 3, 4].map((frame) => hex(frames[frame], 4, 4))).toEqual([green, blue, blue, blue]);
  });

  test('in an <img> stays on its frame when a script replaces the styles of the element', async () => {
    const script = `setInterval(() => { a.style.cssText = 'position:absolute;top:0;left:0;width:8px;height:8px' }, 50)`;
    const frames = await renderFrames({
      'index.html': page(`${image(0, 'a.gif', 'id="a"')}<script>${script}</script>`, { duration: 0.5 }),
      'a.gif': animation('a.gif', colors, ['-loop', '-1']),
    });
    expect([1, 2, 3, 4].map((frame) => hex(frames[frame], 4, 4))).toEqual([green, blue, blue, blue]);
  });

  test('in a mask with a variable follows the clock of the video', async () => {
    const masked = (index: number, mask: string) =>
      `<i style="position:absolute;top:0;left:${8 * index}px;width:8px;height:8px;background:#fff;mask:${mask} luminance"></i>`;
    const body = masked(0, 'url(a.gif) 0 0/8px') + masked(1, 'url(a.gif) 0 0/var(--side)');
    const frames = await renderFrames({
      'index.html': page(`<div style="--side:8px">${body}</div>`, { duration: 0.5 }),
      'a.gif': animation('a.gif', colors, ['-loop', '0']),
    });
    const [one, other] = [4, 12].map((x) => [1, 2, 3, 4].map((frame) => hex(frames[frame], x, 4)));
    expect(new Set(one).size).toBe(3);
    expect(other).toEqual(one);
  });

  test('keeps the animations of a pseudo-element whose content it is', async () => {
    const style =
      '@keyframes k { to { translate: 0 40px } } #a::before { content: url(a.gif); display: block; animation: k 2s linear }';
    const files = {
      'index.html': page(`<style>${style}</style>${box('line-height:0', 'id="a"')}`, { duration: 2 }),
      'a.gif': animation('a.gif', colors, ['-loop', '0']),
    };
    const [whole, part] = [await renderFrames(files), await renderFrames(files, { from: '1' })];
    expect(part.map((frame) => [0, 10, 20, 30, 40].map((y) => hex(frame, 4, y)))).toEqual(
      whole.slice(10).map((frame) => [0, 10, 20, 30, 40].map((y) => hex(frame, 4, y))),
    );
  });

  test('in an <image> begins with its clip', async () => {
    const files = {
      'index.html': page(
        '<svg width="8" height="8" style="display:block" data-start="0.2"><image href="a.gif"/></svg>',
        { duration: 0.5 },
      ),
      'a.gif': animation('a.gif', colors, ['-loop', '0']),
    };
    const frames = await renderFrames(files);
    expect([1, 2, 3, 4].map((frame) => hex(frames[frame], 4, 4))).toEqual([black, red, green, blue]);
  });

  test('stays on its last frame after the number of loops in the file', core, async () => {
    const frames = await renderFrames({
      'index.html': page(image(0, 'once.gif') + image(1, 'twice.gif'), { duration: 1 }),
      'once.gif': animation('once.gif', colors, ['-loop', '-1']),
      'twice.gif': animation('twice.gif', colors, ['-loop', '1']),
    });
    const row = (frame: number) => [4, 12].map((x) => hex(frames[frame], x, 4));
    expect([0, 2, 3, 5, 6, 9].map(row)).toEqual([
      [red, red],
      [blue, blue],
      [blue, red],
      [blue, blue],
      [blue, blue],
      [blue, blue],
    ]);
  });

  test('uses the box, the fit and the filters of its element', async () => {
    const style = 'position:absolute;left:0;top:0;width:32px;height:16px;object-fit:contain;filter:invert(1)';
    const frames = await renderFrames({
      'index.html': page(
        `<img src="a.gif" style="${style}"><img src="a.gif" style="position:absolute;top:24px;left:0"><img srcset="a.gif 2x" style="position:absolute;top:24px;left:32px">`,
        {
          duration: 0.2,
        },
      ),
      'a.gif': animation('a.gif', colors, ['-loop', '0'], 16),
    });
    const row = (frame: number) =>
      [
        [4, 8],
        [16, 8],
        [12, 36],
        [20, 36],
        [36, 28],
        [44, 28],
      ].map(([x = 0, y = 0]) => hex(frames[frame], x, y));
    expect([0, 1].map(row)).toEqual([
      [black, '#00ffff', red, black, red, black],
      [black, '#ff00ff', green, black, green, black],
    ]);
  });
});

describe('an image of a style', () => {
  const late = (css: string, script: string) => ({
    'index.html': page(
      `<style>.b{position:absolute;top:0;left:0;width:8px;height:8px}${css}</style><div class="b" id="a"></div><script>setTimeout(() => { const a = document.getElementById('a'); ${script} }, 200)</script>`,
      { duration: 0.5 },
    ),
    'big.png': png([255, 0, 0], 3000),
  });
  const shown = { 1: [black], 2: [red], 4: [red] };
  cases([
    ['added by a class', late('.on{background:url(big.png)}', `a.className += ' on'`), shown],
    [
      'of a pseudo-element',
      late('.on::before{content:"";position:absolute;inset:0;background:url("big.png")}', `a.className += ' on'`),
      shown,
    ],
    ['of a style attribute', late('', `a.style.backgroundImage = 'url(big.png)'`), shown],
    [
      'of a property in a style attribute',
      late('#a{background:var(--image)}', `a.style.setProperty('--image', 'url("/big.png")')`),
      shown,
    ],
    [
      'of a new style sheet',
      late(
        '',
        `document.head.append(Object.assign(document.createElement('style'), { textContent: '#a{background:url(big.png)}' }))`,
      ),
      shown,
    ],
    [
      'of an element that a script adds',
      late('', `a.innerHTML = '<b style="position:absolute;inset:0;background:url(big.png)"></b>'`),
      shown,
    ],
    [
      'of an element that is displayed later',
      late(
        '.h{display:none}',
        `a.innerHTML = '<b class="h" style="--i:url(big.png);position:absolute;inset:0;background:var(--i)"></b>'; setTimeout(() => { a.firstChild.className = '' }, 100)`,
      ),
      { 2: [black], 3: [red] },
    ],
    [
      'of a rule that a script adds',
      late('', `document.querySelector('style').sheet.insertRule('#a{background:url(big.png)}')`),
      shown,
    ],
    [
      'that is missing in a disabled sheet',
      late(
        '',
        `const s = document.createElement('style'); s.textContent = '#a{background:url(missing.png)}'; document.head.append(s); s.disabled = true`,
      ),
      { 4: [black] },
    ],
    ['that is missing but never used', late('.never{background:url(missing.png)}', ''), { 4: [black] }],
  ]);
});
