// 3D transforms with preserve-3d: planes that are sorted by their depth, and planes that intersect.
import { many, page } from '../../page.ts';

const three = 'transform-style: preserve-3d';
/** The browser moves such layers as bitmaps, but painting draws their shapes. */
const rotatedLayers = { threshold: 30 };

export const depth = [
  page(
    'a cube',
    `@keyframes turn { to { transform: rotateX(-30deg) rotateY(120deg) } } #root { perspective: 600px } .cube { position: absolute; left: 180px; top: 75px; width: 120px; height: 120px; ${three}; animation: turn .5s linear both } .cube div { position: absolute; inset: 0; background: hsl(calc(var(--i) * 60) 70% 60% / .9); transform: rotateY(calc(var(--i) * 90deg)) translateZ(60px) } .cube div:nth-child(5) { transform: rotateX(90deg) translateZ(60px) } .cube div:nth-child(6) { transform: rotateX(-90deg) translateZ(60px) }`,
    `<div class="cube">${many(6, 'side', 'side')}</div>`,
    rotatedLayers,
  ),
  page(
    'a flipping card',
    `@keyframes flip { to { transform: rotateY(180deg) } } #root { perspective: 800px } .card { position: absolute; left: 150px; top: 45px; width: 180px; height: 180px; ${three}; animation: flip .5s linear both } .card div { position: absolute; inset: 0; backface-visibility: hidden; background: #06c; color: #fff; font: 900 150px/180px sans-serif; text-align: center } .card div + div { transform: rotateY(180deg); background: #c06 }`,
    '<div class="card"><div>1</div><div>2</div></div>',
    rotatedLayers,
  ),
  page(
    'cards that hide their backs',
    `@keyframes flip { to { transform: rotateY(170deg) } } .card { position: absolute; left: calc(30px + var(--i) * 140px); top: 45px; width: 120px; height: 180px; backface-visibility: hidden; background: #06c; animation: flip calc(.3s + var(--i) * .1s) linear both } .card:nth-child(3) { animation: none; transform: scaleX(-1) }`,
    many(3, 'card', 'Front'),
    rotatedLayers,
  ),
  page(
    'a carousel',
    `@keyframes turn { to { transform: translateZ(-150px) rotateY(150deg) } } #root { perspective: 700px; perspective-origin: 50% 20% } .ring { position: absolute; left: 180px; top: 70px; width: 120px; height: 120px; ${three}; animation: turn .5s linear both } .ring div { position: absolute; inset: 0; background: hsl(calc(var(--i) * 45) 70% 55%); rotate: y calc(var(--i) * 45deg); transform: translateZ(170px) }`,
    `<div class="ring">${many(8, 'panel', 'Panel')}</div>`,
    rotatedLayers,
  ),
  page(
    'a camera that moves past planes',
    `#root { perspective: 500px; background: #123 } .scene { position: absolute; inset: 0; ${three} } .scene div { position: absolute; left: calc(60px + mod(var(--i) * 97px, 300px)); top: calc(20px + mod(var(--i) * 53px, 150px)); width: 110px; height: 90px; font-weight: 700; background: hsl(calc(var(--i) * 60) 70% 55%); transform: translateZ(calc(mod(var(--i) * 260px, 600px) - 300px)) }`,
    `<div class="scene">${many(7, 'plane', 'Plane')}</div><script>requestAnimationFrame(function step(now) { document.querySelector('.scene').style.transform = 'translateZ(' + (now - 300) + 'px) rotateY(' + (now / 10 - 30) + 'deg)'; requestAnimationFrame(step) })</script>`,
    rotatedLayers,
  ),
  page(
    'groups in a 3D scene',
    `@keyframes turn { to { rotate: y 300deg } } #root { perspective: 700px } .scene { margin: 60px auto; width: 200px; height: 150px; ${three}; animation: turn .5s linear both } .group { ${three}; width: 90px; height: 70px; background: #06c } .group + .group { translate: 40px -20px -120px; background: #0a7 } .group p { margin: 0; background: #fc0; width: 60px; transform: translateZ(30px) rotateX(20deg) } .group p + p { background: #c06; transform: translate(20px, 10px) translateZ(55px) }`,
    '<div class="scene"><div class="group"><p>One</p><p>Two</p></div><div class="group"><p>Three</p><p>Four</p></div></div>',
    // From behind, the groups are in front of what is on them.
    { path: 'screenshot' },
  ),
  page(
    'planes that intersect',
    `@keyframes turn { to { transform: rotateY(60deg) } } #root { perspective: 700px } .scene { position: absolute; inset: 60px 150px; ${three}; animation: turn .5s linear both } .scene div { position: absolute; inset: 0; background: #06c } .scene div + div { background: #fc0; transform: rotateY(90deg) }`,
    '<div class="scene"><div></div><div></div></div>',
    { path: 'screenshot' },
  ),
];
