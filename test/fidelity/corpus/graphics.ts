// Graphics: SVG, canvases, WebGL, image files.
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { page } from '../page.ts';

/** An image that shows scaling, rotation and cropping: a fine grid over a gradient. */
function chart(width: number, height: number): Uint8Array {
  const image = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const line = x % 16 === 0 || y % 16 === 0 ? 60 : 0;
      image.data.set([(255 * x) / width, (255 * y) / height, 160 - line, 255], (y * width + x) * 4);
    }
  }
  return PNG.sync.write(image);
}

const files = { 'chart.png': chart(320, 240) };
const three = readFileSync(new URL('../../../node_modules/three/build/three.module.js', import.meta.url));
const threeCore = readFileSync(new URL('../../../node_modules/three/build/three.core.js', import.meta.url));

/** A script that draws a WebGL triangle whose colors rotate over time. */
const triangle = `const gl = document.querySelector('canvas').getContext('webgl');
const shader = (type, text) => { const s = gl.createShader(type); gl.shaderSource(s, text); gl.compileShader(s); return s };
const program = gl.createProgram();
gl.attachShader(program, shader(gl.VERTEX_SHADER, 'attribute vec2 p; varying vec2 v; void main() { v = p; gl_Position = vec4(p, 0., 1.); }'));
gl.attachShader(program, shader(gl.FRAGMENT_SHADER, 'precision mediump float; varying vec2 v; uniform float t; void main() { gl_FragColor = vec4(.5 + .5 * sin(t + v.x * 3.), .5 + .5 * cos(t + v.y * 3.), .6, 1.); }'));
gl.linkProgram(program); gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
requestAnimationFrame(function step(now) { gl.uniform1f(gl.getUniformLocation(program, 't'), now / 120); gl.drawArrays(gl.TRIANGLES, 0, 3); requestAnimationFrame(step) });`;

const draw2d = `const c = document.querySelector('canvas'), g = c.getContext('2d');
requestAnimationFrame(function step(now) { g.clearRect(0, 0, c.width, c.height); for (let i = 0; i < 60; i++) { const a = now / 200 + i / 5; g.fillStyle = 'hsl(' + i * 6 + ' 80% 55%)'; g.beginPath(); g.arc(c.width / 2 + Math.cos(a) * i * 2.5, c.height / 2 + Math.sin(a) * i * 1.8, 4 + i / 12, 0, 7); g.fill() } requestAnimationFrame(step) })`;

/** Draws the same on every canvas, at the scale of its bitmap. */
const drawMany = `for (const c of document.querySelectorAll('canvas')) { const g = c.getContext('2d'); g.fillStyle = 'rgb(200 0 100 / .8)'; g.fillRect(10, 10, c.width / 2, c.height / 2); g.lineWidth = 4; g.strokeRect(2, 2, c.width - 4, c.height - 4); g.font = c.height / 4 + 'px sans-serif'; g.fillStyle = '#034'; g.fillText('Canvas', c.width / 4, c.height * .8) }`;

export const graphics = [
  page(
    'SVG shapes and paints',
    '',
    `<svg width="480" height="270" viewBox="0 0 480 270"><defs><linearGradient id="l"><stop stop-color="#f06"/><stop offset="1" stop-color="#06f"/></linearGradient><radialGradient id="r"><stop stop-color="#fff"/><stop offset="1" stop-color="#083"/></radialGradient><pattern id="p" width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><rect width="8" height="16" fill="#fc0"/></pattern><marker id="m" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker><symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="currentColor"/></symbol></defs>
    <rect x="10" y="10" width="120" height="80" rx="18" fill="url(#l)"/><circle cx="200" cy="50" r="42" fill="url(#r)"/><rect x="260" y="10" width="90" height="80" fill="url(#p)" stroke="#222" stroke-width="3"/><polygon points="420,10 460,90 380,90" fill="none" stroke="#06c" stroke-width="8" stroke-linejoin="round"/>
    <path d="M20 200 C 100 100 200 260 300 160" fill="none" stroke="#c06" stroke-width="6" stroke-dasharray="14 8" stroke-linecap="round" marker-end="url(#m)"/><use href="#s" x="330" y="120" width="60" height="60" color="#0a7"/><text x="20" y="255" font-size="30" fill="url(#l)" stroke="#000" stroke-width=".5">SVG text</text><g opacity=".5" transform="rotate(20 420 200)"><rect x="380" y="150" width="80" height="80" fill="#333"/></g></svg>`,
  ),
  page(
    'SVG line drawing animation',
    '@keyframes draw { to { stroke-dashoffset: 0 } } path { fill: none; stroke-width: 8; stroke: #06c; stroke-dasharray: 1; stroke-dashoffset: 1; animation: draw .5s linear both } path + path { stroke: #c06; animation-delay: .1s; stroke-linecap: round }',
    '<svg width="480" height="270"><path pathLength="1" d="M20 220 Q 120 20 240 140 T 460 60"/><path pathLength="1" d="M40 40 h 380 v 180 h -380 z"/></svg>',
  ),
  page(
    'SVG filters',
    '',
    '<svg width="480" height="270"><defs><filter id="goo"><feGaussianBlur stdDeviation="8"/><feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 18 -7"/></filter><filter id="wob"><feTurbulence baseFrequency=".03" numOctaves="2" seed="2"/><feDisplacementMap in="SourceGraphic" scale="24"/></filter><filter id="lit"><feGaussianBlur in="SourceAlpha" stdDeviation="4"/><feSpecularLighting surfaceScale="5" specularExponent="20" lighting-color="#fff"><fePointLight x="380" y="40" z="90"/></feSpecularLighting><feComposite in2="SourceAlpha" operator="in"/><feComposite in="SourceGraphic" operator="arithmetic" k2="1" k3="1"/></filter></defs><g filter="url(#goo)" fill="#c06"><circle cx="70" cy="120" r="40"/><circle cx="130" cy="120" r="34"/></g><g filter="url(#wob)"><rect x="190" y="60" width="120" height="120" fill="#06c"/><text x="196" y="130" font-size="34" fill="#fff">Wobble</text></g><rect x="340" y="60" width="110" height="120" rx="20" fill="#0a7" filter="url(#lit)"/></svg>',
  ),
  page(
    'SVG animation elements',
    '',
    '<svg width="480" height="270"><circle cx="60" cy="60" r="30" fill="#c06"><animate attributeName="cx" from="60" to="420" dur=".5s" fill="freeze"/></circle><rect x="200" y="120" width="80" height="80" fill="#06c"><animateTransform attributeName="transform" type="rotate" from="0 240 160" to="180 240 160" dur=".5s" fill="freeze"/></rect><path d="M20 240 h 440" stroke="#333"/><circle r="10" fill="#fc0"><animateMotion dur=".5s" path="M20 240 h 440" fill="freeze"/></circle></svg>',
  ),
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
  page('WebGL', 'canvas { display: block }', `<canvas width="480" height="270"></canvas><script>${triangle}</script>`),
  page(
    'WebGL at half resolution',
    'canvas { width: 480px; height: 270px; display: block }',
    `<canvas width="240" height="135"></canvas><script>${triangle}</script>`,
  ),
  page(
    'three.js',
    'canvas { display: block }',
    `<canvas width="480" height="270"></canvas><script type="importmap">{"imports":{"three":"./three.module.js"}}</script><script type="module">
    import * as THREE from 'three';
    const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas'), antialias: true });
    const scene = new THREE.Scene(); scene.background = new THREE.Color('#123');
    const camera = new THREE.PerspectiveCamera(50, 480 / 270, 0.1, 10); camera.position.z = 3;
    const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(.7, .22, 100, 16), new THREE.MeshStandardMaterial({ color: '#f80', roughness: .4 }));
    const light = new THREE.DirectionalLight('#fff', 3); light.position.set(2, 3, 4); scene.add(knot, light, new THREE.AmbientLight('#446', 2));
    requestAnimationFrame(function step(now) { knot.rotation.set(now / 300, now / 200, 0); renderer.render(scene, camera); requestAnimationFrame(step) });
    </script>`,
    { files: { 'three.module.js': three, 'three.core.js': threeCore } },
  ),
  page(
    'images with object-fit',
    '#root { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px } img { width: 100%; height: 125px; background: #222 } img:nth-child(1) { object-fit: cover } img:nth-child(2) { object-fit: contain } img:nth-child(3) { object-fit: none; object-position: 20% 80% } img:nth-child(4) { object-fit: fill; border-radius: 50% } img:nth-child(5) { image-rendering: pixelated; object-fit: cover; object-view-box: inset(40%) } img:nth-child(6) { object-fit: cover; filter: grayscale(1) }',
    '<img src="chart.png">'.repeat(6),
    { files },
  ),
  page(
    'images rotated and enlarged',
    '@keyframes kenburns { from { transform: scale(1) } to { transform: scale(1.4) translate(-20px, -10px) rotate(3deg) } } img { width: 480px; height: 270px; object-fit: cover; animation: kenburns .5s linear both }',
    '<img src="chart.png">',
    { files },
  ),
  page(
    'images shrunk',
    'img { margin: 6px } img:nth-child(1) { width: 200px } img:nth-child(2) { width: 77px; transform: rotate(5deg) } img:nth-child(3) { width: 31px } div { width: 120px; height: 90px; background: url(chart.png) 0 0 / cover; display: inline-block }',
    '<img src="chart.png"><img src="chart.png"><img src="chart.png"><div></div>',
    { files },
  ),
  page(
    'images added by a script',
    '',
    '<div id="box"></div><script>const image = new Image(); image.src = "chart.png"; image.width = 300; document.getElementById("box").append(image); fetch("chart.png").then((r) => r.blob()).then(createImageBitmap).then((bitmap) => { const c = document.createElement("canvas"); c.width = 160; c.height = 120; c.getContext("2d").drawImage(bitmap, 0, 0, 160, 120); document.getElementById("box").append(c) })</script>',
    { files },
  ),
];
