// WebGL, also at another resolution, and three.js.
import { readFileSync } from 'node:fs';
import { page } from '../../page.ts';

const three = readFileSync(new URL('../../../../node_modules/three/build/three.module.js', import.meta.url));
const threeCore = readFileSync(new URL('../../../../node_modules/three/build/three.core.js', import.meta.url));

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

export const webgl = [
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
];
