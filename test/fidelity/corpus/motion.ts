// Motion: CSS animations, transitions, Web Animations, scripts, GSAP, and 3D transforms.
import { readFileSync } from 'node:fs';
import { many, page } from '../page.ts';

const gsap = readFileSync(new URL('../../../node_modules/gsap/dist/gsap.min.js', import.meta.url));
const three = 'transform-style: preserve-3d';
/** The browser moves such layers as bitmaps, but painting draws their shapes. */
const rotatedLayers = { threshold: 30 };

export const motion = [
  page(
    'easings',
    `@keyframes go { to { transform: translateX(380px) } } .e { width: 40px; height: 24px; margin: 6px; background: #c06; animation: go .5s both }
    ${[
      'linear',
      'ease-in-out',
      'cubic-bezier(.5, -.5, .5, 1.5)',
      'steps(4)',
      'linear(0, .3 20%, .2 40%, 1)',
      'ease-out',
    ]
      .map((easing, i) => `.e:nth-child(${i + 1}) { animation-timing-function: ${easing} }`)
      .join('\n')}`,
    many(6, 'e'),
  ),
  page(
    'animations with directions, delays and iterations',
    `@keyframes go { 0% { left: 0; background: #c06 } 40% { left: 100px; background: #fc0 } 100% { left: 380px; background: #06c } }
    .e { position: relative; width: 60px; height: 26px; margin: 6px; animation: go .3s linear }
    .e:nth-child(1) { animation-direction: alternate; animation-iteration-count: infinite } .e:nth-child(2) { animation-delay: .2s; animation-fill-mode: backwards } .e:nth-child(3) { animation-direction: reverse; animation-fill-mode: forwards } .e:nth-child(4) { animation-iteration-count: 1.5; animation-fill-mode: both } .e:nth-child(5) { animation-delay: -.15s; animation-play-state: paused } .e:nth-child(6) { animation-composition: add }`,
    many(6, 'e'),
  ),
  page(
    '2D transforms',
    '@keyframes spin { to { transform: rotate(300deg) skewX(20deg) scale(1.3) } } .t { position: absolute; left: calc(30px + var(--i) * 110px); top: 90px; width: 80px; height: 80px; background: linear-gradient(#fc0, #c06); transform-origin: calc(var(--i) * 33%) 50%; animation: spin .5s linear both }',
    many(4, 't', 'T'),
    // The browser rotates such layers as bitmaps, but painting rotates their shapes.
    { threshold: 36 },
  ),
  page(
    'perspective',
    '@keyframes turn { to { transform: rotateY(70deg) rotateX(20deg) } } #root { perspective: 500px } .t { position: absolute; left: calc(40px + var(--i) * 140px); top: 60px; width: 110px; height: 150px; background: linear-gradient(135deg, #06c, #0fc); animation: turn .5s linear both }',
    many(3, 't', 'Card'),
  ),
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
  page(
    'transitions started by a script',
    '.t { width: 60px; height: 60px; margin: 10px; background: #06c; transition: all .3s ease } .go { transform: translateX(300px); background: #fc0; border-radius: 50% } @starting-style { .late { opacity: 0 } } .late { transition: opacity .2s; opacity: 1; background: #c06; position: absolute; right: 10px; top: 10px }',
    `${many(3, 't')}<script>document.querySelectorAll('.t').forEach((t, i) => setTimeout(() => t.classList.add('go'), 50 * i + 50)); setTimeout(() => { const d = document.createElement('div'); d.className = 'late'; d.textContent = 'Late'; document.getElementById('root').append(d) }, 150)</script>`,
  ),
  page(
    'a view transition',
    '#b { position: absolute; left: 20px; top: 30px; width: 120px; height: 90px; background: #06c; view-transition-name: b } #b.on { left: 260px; top: 120px; width: 200px; background: #fc0 } ::view-transition-group(*) { animation-duration: .4s }',
    '<h1>Title</h1><div id="b"></div><script>setTimeout(() => document.startViewTransition(() => { document.getElementById("b").className = "on" }), 100)</script>',
    // The browser crashes when it paints it.
    { path: 'screenshot' },
  ),
  page(
    'web animations',
    '.w { position: absolute; left: calc(20px + var(--i) * 110px); top: 100px; width: 80px; height: 80px; background: #06c }',
    `${many(4, 'w')}<script>document.querySelectorAll('.w').forEach((w, i) => w.animate([{ transform: 'none', opacity: 1 }, { transform: 'translateY(-80px) rotate(90deg)', opacity: .3, offset: .6 }, { transform: 'scale(1.4)', opacity: 1 }], { duration: 400, delay: i * 40, fill: 'both', easing: 'ease-in-out' }))</script>`,
  ),
  page(
    'GSAP',
    '.g { position: absolute; left: calc(20px + var(--i) * 44px); top: 110px; width: 36px; height: 36px; background: #06c; border-radius: 8px }',
    `${many(10, 'g')}<script>const tl = gsap.timeline({ paused: true }); tl.from('.g', { y: -100, opacity: 0, rotation: 180, stagger: .03, duration: .25, ease: 'back.out(2)' }).to('.g', { backgroundColor: '#fc0', borderRadius: '50%', scale: .6, stagger: .02, duration: .15 }); window.__timelines = { main: tl };</script>`,
    { head: '<script src="gsap.js"></script>', files: { 'gsap.js': gsap } },
  ),
  page(
    'motion by requestAnimationFrame',
    '#dot { position: absolute; width: 50px; height: 50px; border-radius: 50%; background: #c06 }',
    `<div id="dot"></div><script>requestAnimationFrame(function step(now) { const a = now / 80; document.getElementById('dot').style.transform = 'translate(' + (200 + 150 * Math.cos(a)) + 'px,' + (110 + 80 * Math.sin(a)) + 'px)'; requestAnimationFrame(step) })</script>`,
  ),
  page(
    'particles',
    '.p { position: absolute; left: 50%; top: 50%; width: 8px; height: 8px; border-radius: 50%; background: hsl(calc(var(--i) * 9) 90% 55%); animation: burst .5s ease-out both } @keyframes burst { to { transform: rotate(calc(var(--i) * 9deg)) translateX(calc(60px + mod(var(--i) * 37px, 90px))) scale(.2) } } #root { background: #111 }',
    many(40, 'p'),
  ),
  page(
    'clips that start and end',
    '.c { position: absolute; width: 120px; height: 120px; background: #06c; color: #fff }',
    '<div class="c" id="a" data-start="0" data-duration="0.2" style="left:20px;top:20px">A</div><div class="c" id="b" data-start="a" data-duration="0.15" style="left:160px;top:60px">B</div><div class="c" data-start="b - 0.05" data-duration="0.4" style="left:300px;top:100px;background:#c06">C</div>',
  ),
  page(
    'an animation with a scroll timeline',
    '@keyframes grow { to { width: 100% } } #s { height: 200px; overflow-y: scroll; scroll-timeline: --s; scrollbar-width: none } #s div { height: 800px; background: repeating-linear-gradient(#fc0 0 20px, #fff 20px 40px) } #root { timeline-scope: --s } .bar { height: 20px; width: 0; background: #c06; animation: grow linear both; animation-timeline: --s }',
    '<div class="bar"></div><div id="s"><div></div></div><script>document.getElementById("s").scrollTop = 240</script>',
  ),
  page(
    'a cross-fade',
    '@keyframes out { to { opacity: 0 } } @keyframes in { from { opacity: 0 } } .x { position: absolute; inset: 0; font: 900 80px/270px sans-serif; text-align: center } .x:nth-child(1) { background: #06c; animation: out .5s linear both } .x:nth-child(2) { background: #fc0; animation: in .5s linear both }',
    '<div class="x">ONE</div><div class="x">TWO</div>',
  ),
  page(
    'composited layers',
    '@keyframes drift { to { transform: translate3d(37.5px, 21.25px, 0) } } .l { position: absolute; left: calc(20px + var(--i) * 120px); top: 60px; width: 110px; height: 110px; background: #fff; will-change: transform, opacity; animation: drift .5s linear both; font-size: 15px } .l:nth-child(2) { contain: strict } .l:nth-child(3) { content-visibility: auto; opacity: .7 }',
    many(4, 'l', 'Text on a layer that drifts by parts of a pixel.'),
    // The browser moves the pixels of such text, which makes it softer.
    { threshold: 26 },
  ),
];
