// Animated images and SVG files.
import { page } from '../../page.ts';
import { pattern } from '../../pattern.ts';

const svg = (size: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}">${content}</svg>`;
/** Bars that start each other. */
const bars = svg(
  '0 0 24 24',
  `<rect x="2" width="8" height="20" fill="teal"><animate id="a" attributeName="height" values="20;4;20" begin="0;b.end" dur="0.3s"/></rect>
  <rect x="13" width="8" height="20" fill="coral"><animate id="b" attributeName="height" values="20;4;20" begin="a.end" dur="0.3s"/></rect>`,
);
/** A line that is drawn, with a gradient that turns. */
const logo = svg(
  '0 0 120 60',
  `<style>path { stroke-dasharray: 200; animation: draw .5s ease-out both } @keyframes draw { from { stroke-dashoffset: 200 } }</style>
  <linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="gold"/><animateTransform attributeName="gradientTransform" type="rotate" from="0 .5 .5" to="180 .5 .5" dur="1s" repeatCount="indefinite"/></linearGradient>
  <path d="M10 50 40 10 70 50 110 10" fill="none" stroke="url(#g)" stroke-width="8"/>`,
);

export const animatedImages = [
  page('animated images', 'img { width: 230px; margin: 4px }', '<img src="clip.gif"><img src="clip.webp">', {
    files: {
      'clip.gif': pattern('clip.gif', '-r', '10'),
      'clip.webp': pattern('clip.webp', '-r', '10', '-c:v', 'libwebp_anim', '-lossless', '0', '-q:v', '80'),
    },
  }),
  page(
    'animated SVG files',
    'img { width: 230px; margin: 4px }',
    '<img src="bars.svg"><img src="logo.svg" data-start="0.3">',
    { files: { 'bars.svg': bars, 'logo.svg': logo } },
  ),
  page(
    'animated files in styles',
    '#root { display: flex; gap: 8px } #root > * { width: 150px; height: 120px } .a { background: url(clip.gif) 50% / cover; border-radius: 30px } .b { background: url(bars.svg) 0 0 / 40px } .c { mask: url(bars.svg) center / contain no-repeat; background: tomato }',
    '<div class="a"></div><div class="b"></div><div class="c"></div>',
    { files: { 'clip.gif': pattern('clip.gif', '-r', '10'), 'bars.svg': bars } },
  ),
];
