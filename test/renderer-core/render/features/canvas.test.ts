// Canvas 2D, WebGL and three.js in animation frames: they need no adapters, because they use the page's clock.
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { cases, checkCuts, cutSeconds, green, page, red, renderFrames } from '../../../support/renders/frames.ts';
import { hex } from '../../../support/renders/video.ts';
import { core } from '../../../support/suites.ts';

const canvas = '<canvas id="c" width="64" height="48" style="position:absolute;top:0;left:0"></canvas>';

describe('canvas 2D', () => {
  cases([
    [
      'drawings by the time stamp of the animation frame',
      page(
        `${canvas}<script>const c = document.getElementById('c').getContext('2d');
         (function draw(t) { c.clearRect(0, 0, 64, 48); c.fillStyle = 'red'; c.fillRect(t / 12.5, 0, 8, 8); requestAnimationFrame(draw) })(0)</script>`,
        { duration: 0.5 },
      ),
      { 0: [red], 1: ['#000000', red], 4: [null, null, null, null, red] },
    ],
    [
      'a scaled canvas, whose styles scripts see as written',
      page(
        `<canvas id="c" width="32" height="24" style="position:absolute;top:0;left:0;width:64px;height:48px"></canvas>
         <script>const c = document.getElementById('c'), pen = c.getContext('2d');
         (function draw(t) { const { transform, overflow } = getComputedStyle(c); c.width = 32; pen.fillStyle = transform + overflow === 'noneclip' ? 'red' : 'blue'; pen.fillRect(t / 25, 0, 4, 4); requestAnimationFrame(draw) })(0)</script>`,
        { duration: 0.5 },
      ),
      { 0: [red], 1: ['#000000', red], 4: [null, null, null, null, red] },
    ],
  ]);
});

describe('WebGL', () => {
  const webGl = `const gl = document.getElementById('c').getContext('webgl');
    const draw = (t) => { gl.enable(gl.SCISSOR_TEST); gl.scissor(0, 0, 64, 48); gl.clearColor(0, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); gl.scissor(Math.round(t / 12.5), 40, 8, 8); gl.clearColor(0, 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) };`;
  cases([
    [
      'drawings by performance.now',
      page(
        `${canvas}<script>${webGl}(function loop() { draw(performance.now()); requestAnimationFrame(loop) })()</script>`,
        {
          duration: 0.5,
        },
      ),
      { 0: [green], 1: ['#000000', green], 4: [null, null, null, null, green] },
    ],
    [
      'the last drawing of a canvas that is not drawn again',
      page(`${canvas}<script>${webGl}setTimeout(() => draw(100), 150)</script>`, { duration: 0.5 }),
      { 1: [null, '#000000'], 2: [null, green], 4: [null, green] },
    ],
  ]);
});

describe('three.js', () => {
  const library = buildSync({
    stdin: { contents: `export * from 'three'`, resolveDir: '.' },
    bundle: true,
    format: 'iife',
    globalName: 'THREE',
    minify: true,
    write: false,
  }).outputFiles[0]?.contents as Uint8Array;

  /** A square at the end of a 16-pixel arm that rotates about the center of the frame, by 90 degrees in one second. */
  const turning = (time: string, duration: number) => ({
    'index.html': page(
      `${canvas}<script src="three.js"></script><script>
       const renderer = new THREE.WebGLRenderer({ canvas: document.getElementById('c') });
       renderer.setSize(64, 48);
       const scene = new THREE.Scene();
       const camera = new THREE.OrthographicCamera(-32, 32, 24, -24, -100, 100);
       const arm = new THREE.Group();
       const square = new THREE.Mesh(new THREE.PlaneGeometry(12, 12), new THREE.MeshBasicMaterial({ color: 0xff0000 }));
       square.position.x = 16;
       scene.add(arm.add(square));
       ${time}
       renderer.setAnimationLoop((t) => { arm.rotation.z = -seconds(t) * Math.PI / 2; renderer.render(scene, camera) });
       </script>`,
      { duration },
    ),
    'three.js': library,
  });
  const places = (frames: Awaited<ReturnType<typeof renderFrames>>, frame: number) =>
    [
      [48, 24],
      [32, 40],
      [16, 24],
    ].map(([x = 0, y = 0]) => hex(frames[frame], x, y));
  const dark = '#000000';

  test.each([
    ['the time stamp', 'const seconds = (t) => t / 1000;'],
    ['Clock', 'const clock = new THREE.Clock(); const seconds = () => clock.getElapsedTime();'],
    ['Timer', 'const timer = new THREE.Timer(); const seconds = () => { timer.update(); return timer.getElapsed() };'],
  ])('turns by %s', core, async (_, time) => {
    const frames = await renderFrames(turning(time, 2.1));
    expect([0, 10, 20].map((frame) => places(frames, frame))).toEqual([
      [red, dark, dark],
      [dark, red, dark],
      [dark, dark, red],
    ]);
  });

  test('renders the same frames with any chunks', () =>
    checkCuts(
      turning('const clock = new THREE.Clock(); const seconds = () => clock.getElapsedTime();', cutSeconds),
      9,
    ));
});
