// Footage and animated images in a page: fitted, rotated, clipped, filtered, blended, graded, and several videos at once.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { page } from '../page.ts';

const ffmpeg = referenceFfmpeg;

/** One second of a moving test pattern, encoded with the given arguments. */
function clip(name: string, ...args: string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fidelity-'));
  const file = join(folder, name);
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=480x270:rate=30:duration=1'];
  execFileSync(ffmpeg, ['-v', 'error', ...source, ...args, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

const h264 = ['-c:v', 'libx264', '-crf', '16', '-pix_fmt', 'yuv420p'];
const files = { 'clip.mp4': clip('clip.mp4', ...h264) };
const video = (attributes = '') => `<video src="clip.mp4" data-start="0" muted ${attributes}></video>`;

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

export const media = [
  page('footage that fills the frame', 'video { width: 480px; height: 270px; display: block }', video(), { files }),
  page(
    'footage under a caption',
    'video { width: 480px; height: 270px; display: block } p { position: absolute; inset: auto 0 16px; text-align: center; color: #fff; font: 800 28px sans-serif; text-shadow: 0 2px 6px #000; animation: up .4s both } @keyframes up { from { transform: translateY(40px); opacity: 0 } }',
    `${video()}<p>A caption over footage</p>`,
    { files },
  ),
  page(
    'footage with object-fit',
    '#root { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px } video { width: 100%; height: 125px; background: #222 } video:nth-child(1) { object-fit: cover } video:nth-child(2) { object-fit: contain } video:nth-child(3) { object-fit: none; object-position: 0 100% } video:nth-child(4) { object-fit: fill } video:nth-child(5) { border-radius: 30px; object-fit: cover } video:nth-child(6) { opacity: .5 }',
    video().repeat(6),
    { files },
  ),
  page('footage shrunk', 'video { width: 213px; margin: 20px; border-radius: 12px }', video(), { files }),
  page('footage enlarged', 'video { width: 900px; position: absolute; left: -200px; top: -100px }', video(), { files }),
  page(
    'footage with clip paths and masks',
    'video { position: absolute; width: 200px } .a { clip-path: circle(40%); left: 10px; top: 10px } .b { mask: linear-gradient(90deg, #000, transparent); left: 240px; top: 10px } .c { clip-path: polygon(50% 0, 100% 100%, 0 100%); left: 120px; top: 130px }',
    `${video('class="a"')}${video('class="b"')}${video('class="c"')}`,
    { files },
  ),
  page(
    'footage with filters',
    'video { position: absolute; width: 220px } .a { filter: blur(5px) saturate(2); left: 10px; top: 6px } .b { filter: grayscale(1) contrast(1.4); left: 250px; top: 6px } .c { mix-blend-mode: multiply; left: 130px; top: 130px }',
    `${video('class="a"')}${video('class="b"')}${video('class="c"')}`,
    { files },
  ),
  page(
    'footage with an animated transform',
    '@keyframes pan { from { transform: scale(1) } to { transform: scale(1.3) rotate(8deg) translate(20px, 10px) } } video { width: 480px; animation: pan .5s linear both }',
    video(),
    { files, threshold: 38 },
  ),
  page(
    'footage with color grading',
    'video { width: 236px; float: left; margin: 2px }',
    `${video(`data-color-grading='{"preset":"cinematic"}'`)}${video(`data-color-grading='{"adjust":{"exposure":0.5,"temperature":0.6,"saturation":-0.4}}'`)}`,
    { files },
  ),
  page(
    'footage in WebM',
    'video { width: 480px; height: 270px }',
    '<video src="clip.webm" data-start="0" muted></video>',
    {
      files: { 'clip.webm': clip('clip.webm', '-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', '20', '-cpu-used', '8') },
    },
  ),
  page(
    'footage in a format that the browser cannot decode',
    'video { width: 480px; height: 270px }',
    '<video src="clip.mov" data-start="0" muted></video>',
    { files: { 'clip.mov': clip('clip.mov', '-c:v', 'prores', '-profile:v', '2', '-pix_fmt', 'yuv422p10le') } },
  ),
  page('animated images', 'img { width: 230px; margin: 4px }', '<img src="clip.gif"><img src="clip.webp">', {
    files: {
      'clip.gif': clip('clip.gif', '-r', '10'),
      'clip.webp': clip('clip.webp', '-r', '10', '-c:v', 'libwebp_anim', '-lossless', '0', '-q:v', '80'),
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
    { files: { 'clip.gif': clip('clip.gif', '-r', '10'), 'bars.svg': bars } },
  ),
  page(
    'footage with a 3D transform',
    '#root { perspective: 600px; background: #123 } video { width: 300px; margin: 50px 90px; transform: rotateY(35deg); border: 8px solid #fff; box-shadow: 0 20px 40px #000a }',
    video(),
    { files, threshold: 36 },
  ),
];
