// Motion: CSS animations, transitions, Web Animations, scripts and transforms.
import { many, page } from '../page.ts';

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
    'transitions started by a script',
    '.t { width: 60px; height: 60px; margin: 10px; background: #06c; transition: all .3s ease } .go { transform: translateX(300px); background: #fc0; border-radius: 50% } @starting-style { .late { opacity: 0 } } .late { transition: opacity .2s; opacity: 1; background: #c06; position: absolute; right: 10px; top: 10px }',
    `${many(3, 't')}<script>document.querySelectorAll('.t').forEach((t, i) => setTimeout(() => t.classList.add('go'), 50 * i + 50)); setTimeout(() => { const d = document.createElement('div'); d.className = 'late'; d.textContent = 'Late'; document.getElementById('root').append(d) }, 150)</script>`,
  ),
  page(
    'web animations',
    '.w { position: absolute; left: calc(20px + var(--i) * 110px); top: 100px; width: 80px; height: 80px; background: #06c }',
    `${many(4, 'w')}<script>document.querySelectorAll('.w').forEach((w, i) => w.animate([{ transform: 'none', opacity: 1 }, { transform: 'translateY(-80px) rotate(90deg)', opacity: .3, offset: .6 }, { transform: 'scale(1.4)', opacity: 1 }], { duration: 400, delay: i * 40, fill: 'both', easing: 'ease-in-out' }))</script>`,
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
