// Frames do not depend on when the parts of a page arrive, nor on the order of style sheets, scripts and images.
import { describe, expect, test } from 'vitest';
import { composition } from '../../../support/project.ts';
import { deliveredInPieces } from '../../../support/renders/deliverInPieces.ts';
import { type Files, mount, packaged, png, renderFrames, string } from '../../../support/renders/frames.ts';
import { allPixels } from '../../../support/renders/video.ts';

const seeds = Array.from({ length: Number(process.env.SEEDS ?? 5) }, (_, index) => index + 1);

const title = string('title', 'Halo One');
const photo = string('photo', 'red.png');
const given = { title: 'Sun Lamp', photo: 'green.png' };
const images = { 'red.png': png([255, 0, 0]), 'green.png': png([0, 255, 0], 16), 'blue.png': png([0, 0, 255]) };

/** Gives each letter of an element its own color, as scripts for kinetic text do. */
const colorLetters = (selector: string) => `<script>
for (const element of document.querySelectorAll('${selector}'))
  element.innerHTML = [...element.textContent].map((letter, i) => '<b style="color:hsl(' + i * 40 + ' 90% 45%)">' + letter + '</b>').join('');
</script>`;

const boundText = `<script>window.early = 1</script><h1 data-var-text="title" style="margin:0;font:12px sans-serif">Halo One</h1>`;
const boundImage = `<script>window.early = 2</script><img data-var-src="photo" src="red.png">`;

const pages: Record<string, Files> = {
  'bound values that scripts change': {
    'index.html': composition(
      `${boundText}${colorLetters('h1')}${boundImage}
<script>const image = document.querySelector('img'); image.style.width = image.getAttribute('src').length + 'px';
document.body.style.background = getComputedStyle(root).getPropertyValue('--title') === 'Sun Lamp' ? '#fff' : '#f00';</script>`,
      { duration: 0.2, variables: [title, photo] },
    ),
    ...images,
  },
  'a mounted file with bound values, handlers and scripts': {
    'index.html': composition(
      `<script>window.early = 1</script>${mount('card.html', { title: '$title' })}<script>window.early = 2</script>${mount('card.html', { photo: '$photo' })}
${mount('badge.html', { title: 'A' }, 'id="badge"')}<script>badge.setAttribute('data-variable-values', '{"title":"Badge"}')</script>`,
      { duration: 0.2, variables: [title, photo] },
    ),
    // Its handler may run before the page sets the values.
    'badge.html': composition(
      `<img src="blue.png" onload="this.parentNode.dataset.text = __framework.getVariables().title"><b data-var-text="title"></b>`,
      {
        variables: [title],
        head: '<style>b { color: #fff; font: 9px serif } [data-text="Badge"] { outline: 2px solid red }</style>',
      },
    ),
    'card.html': composition(
      `${boundText}<img src="blue.png" onload="this.style.opacity = window.shown = 0.5">${boundImage}${colorLetters('h1')}<script>document.querySelector('h1').dataset.ready = 'yes'</script>`,
      { variables: [title, photo], head: '<style>h1[data-ready] { text-decoration: underline }</style>' },
    ),
    ...images,
  },
  'text that scripts measure': {
    'index.html': composition(
      `<style>@import "imported.css"; h2 { transition: margin 1s }</style><h2>Code</h2>
<script>window.early = document.querySelector('h2').offsetWidth</script><style>h2 { margin-left: 20px; background: rgb(0 0 90) }</style>
<link rel="stylesheet" href="late.css"><p id="text">Wide words <i>and others</i></p><p id="copy"></p>
<script src="measure.js"></script><script>text.style.height = text.offsetHeight + 3 + 'px'</script><p>End of the page</p>`,
      { duration: 0.2, head: '<link rel="stylesheet" href="first.css">' },
    ),
    'imported.css': 'h2 { margin: 0; font: 9px monospace; color: #ff0 }',
    'first.css': 'p { margin: 0; font: 9px serif; color: #fff }',
    'late.css': '#text { font-weight: 700; width: max-content; background: #33a }',
    'measure.js': 'copy.textContent = Math.round(text.getBoundingClientRect().width * 10)',
  },
  'images of elements, styles and scripts': {
    'index.html': composition(
      `<link rel="stylesheet" href="late.css"><i></i><img src="green.png" style="filter:hue-rotate(20deg)"><script src="add.js"></script>
<svg width="8" height="8"><image href="blue.png" width="8" height="8"/></svg><img loading="lazy" src="red.png"><script>
addEventListener('load', () => {
  document.head.append(Object.assign(document.createElement('script'), { src: 'later.js' }));
  const texture = new Image();
  texture.onload = () => document.body.style.borderTop = texture.naturalWidth / 4 + 'px solid #f0f';
  texture.src = 'green.png?texture';
});
const sizes = []; for (const image of document.images) image.addEventListener('load', () => { sizes.push(image.naturalWidth); document.body.style.outline = sizes.length + 'px solid #fff'; });
</script>`,
      { duration: 0.2 },
    ),
    'later.js': `document.querySelector('svg').style.marginLeft = '7px'`,
    'late.css':
      '[loading=lazy] { opacity: .3 } i { position: absolute; top: 20px; width: 20px; height: 20px; background: url(red.png); mask: url(green.png) }',
    'add.js': `const image = new Image(); image.src = 'blue.png'; image.style.marginLeft = document.images.length * 4 + 'px'; document.querySelector('i').after(image);`,
    ...images,
  },
  'timelines, clips and grading': {
    'index.html': composition(
      `<script src="gsap.js"></script><h1 class="clip" data-start="0" data-duration="0.15" data-var-text="title">Halo One</h1>
<img id="photo" src="green.png" data-color-grading='{"adjust":{"exposure":0.5}}'><div id="box" style="width:8px;height:8px;background:#fc0"></div>
<script>const tl = window.__timelines.main = gsap.timeline({ paused: true });
tl.from('h1', { x: document.querySelector('h1').textContent.length * 3, duration: 0.2 }).to('#box', { x: 40, duration: 0.2 }, 0);</script>`,
      { duration: 0.2, variables: [title], head: '<style>h1 { font: 9px serif; color: #fff; margin: 0 }</style>' },
    ),
    'gsap.js': packaged('gsap/dist/gsap.min.js'),
    ...images,
  },
};

/** For each frame, all of its pixels. */
async function pixels(files: Files): Promise<string[]> {
  const frames = await renderFrames(files, { variables: given });
  return frames.map(allPixels);
}

describe.each(Object.entries(pages))('%s', (_, files) => {
  let whole: Promise<string[]> | undefined;
  test.each(seeds)('looks the same when it is delivered in pieces (seed %i)', async (seed) => {
    whole ??= pixels(files);
    const expected = await whole;
    const found = await deliveredInPieces(seed, () => pixels(files));
    expect(found.map((frame, index) => frame === expected[index])).toEqual([true, true]);
  });
});
