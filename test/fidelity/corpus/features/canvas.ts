// Canvases in 2D: sizes, backgrounds, effects, and one that a worker draws.
import { page } from '../../page.ts';

const draw2d = `const c = document.querySelector('canvas'), g = c.getContext('2d');
requestAnimationFrame(function step(now) { g.clearRect(0, 0, c.width, c.height); for (let i = 0; i < 60; i++) { const a = now / 200 + i / 5; g.fillStyle = 'hsl(' + i * 6 + ' 80% 55%)'; g.beginPath(); g.arc(c.width / 2 + Math.cos(a) * i * 2.5, c.height / 2 + Math.sin(a) * i * 1.8, 4 + i / 12, 0, 7); g.fill() } requestAnimationFrame(step) })`;

/** Draws the same on every canvas, at the scale of its bitmap. */
const drawMany = `for (const c of document.querySelectorAll('canvas')) { const g = c.getContext('2d'); g.fillStyle = 'rgb(200 0 100 / .8)'; g.fillRect(10, 10, c.width / 2, c.height / 2); g.lineWidth = 4; g.strokeRect(2, 2, c.width - 4, c.height - 4); g.font = c.height / 4 + 'px sans-serif'; g.fillStyle = '#034'; g.fillText('Canvas', c.width / 4, c.height * .8) }`;

export const canvas = [
  page('a canvas', 'canvas { display: block }', `<canvas width="480" height="270"></canvas><script>${draw2d}</script>`),
  page(
    'a canvas stretched by CSS',
    'canvas { width: 480px; height: 270px; display: block; border-radius: 30px }',
    `<canvas width="240" height="135"></canvas><script>${draw2d}</script>`,
  ),
  page(
    'canvases for screens with two pixels per CSS pixel',
    `@keyframes turn { to { transform: rotate(40deg) scale(.8) } } canvas { width: 150px; height: 90px; margin: 5px }
    canvas:nth-of-type(2) { border-radius: 50% 20px; background: #fc0 } canvas:nth-of-type(3) { mix-blend-mode: multiply; filter: hue-rotate(90deg) } canvas:nth-of-type(4) { animation: turn .5s linear both; opacity: .7 }
    canvas:nth-of-type(5) { position: absolute; left: 300px; top: 130px; width: 260px; height: 156px; transform-origin: 20% 90%; rotate: -10deg } canvas:nth-of-type(6) { width: 15%; height: auto; background: #06c }`,
    `${'<canvas width="300" height="180"></canvas>'.repeat(6)} Text after a canvas<script>${drawMany}</script>`,
    // The browser's compositor draws rotated canvases softer.
    { threshold: 33 },
  ),
  page(
    'canvases with backgrounds',
    'canvas { margin: 10px; background: #fc0 } canvas:nth-of-type(2) { border-radius: 16px } canvas:nth-of-type(3) { width: 200px; height: 180px; background: #06c8; border-radius: 50% }',
    `<canvas width="200" height="60"></canvas><canvas width="200" height="120"></canvas><canvas width="100" height="60"></canvas><script>${drawMany}</script>`,
  ),
  page(
    'a canvas with a border',
    'canvas { margin: 20px; border: 6px solid #c06; padding: 4px }',
    `<canvas width="300" height="180"></canvas><script>${draw2d}</script>`,
    { path: 'screenshot' },
  ),
  page(
    'a canvas that a worker draws',
    'canvas { width: 400px; height: 225px; margin: 10px }',
    `<canvas width="200" height="112"></canvas><script>const code = 'onmessage = ({ data }) => { const g = data.getContext("2d"); g.fillStyle = "#06c"; g.fillRect(0, 0, 200, 112); g.fillStyle = "#fc0"; g.fillRect(20, 20, 60, 40); postMessage(0) }';
    const worker = new Worker(URL.createObjectURL(new Blob([code]))), offscreen = document.querySelector('canvas').transferControlToOffscreen(); worker.postMessage(offscreen, [offscreen])</script>`,
  ),
];
