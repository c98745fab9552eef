// Boxes and their paint: borders, shadows, gradients, images, filters, blending, clips and masks.
import { many, page } from '../page.ts';

const photo =
  'radial-gradient(circle at 30% 30%, #ffd9a0, #d2603a 40%, #2b1a3d), repeating-linear-gradient(45deg, #0003 0 6px, #fff3 6px 12px)';
const grid =
  '#root { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; padding: 12px; box-sizing: border-box } #root > * { min-width: 0; min-height: 0 }';
const drift = '@keyframes drift { to { transform: translate(60px, 20px) } }';

export const surfaces = [
  page(
    'borders and radii',
    `${grid}
    .b { border: 8px solid #35a; border-radius: calc(var(--i) * 6px); background: #fff; height: 52px }
    .b:nth-child(4n+1) { border-style: dashed } .b:nth-child(4n+2) { border-style: dotted; border-color: #d33 #3a3 #33d #aa3 }
    .b:nth-child(4n+3) { border-style: double; outline: 3px solid #e80; outline-offset: 3px }
    .b:nth-child(4n) { border-style: ridge; border-radius: 50% / 20% 40% }`,
    many(12, 'b'),
  ),
  page(
    'shadows',
    `${grid}
    .s { background: #fff; border-radius: 12px; height: 60px }
    .s:nth-child(3n+1) { box-shadow: 0 10px 30px #0006 } .s:nth-child(3n+2) { box-shadow: inset 0 0 18px #a33, 4px 4px 0 #39c }
    .s:nth-child(3n) { filter: drop-shadow(6px 8px 5px #06a8); background: linear-gradient(90deg, #fc3, transparent) }
    h1 { grid-column: span 4; margin: 0; text-shadow: 2px 2px 4px #0008, 0 0 20px #f0f }`,
    `${many(8, 's')}<h1>Text with shadows</h1>`,
  ),
  page(
    'gradients',
    `${grid}
    .g { height: 110px }
    .g:nth-child(1) { background: linear-gradient(120deg, #f06, #48f 30%, #4d8 70%, #ff5) } .g:nth-child(2) { background: radial-gradient(ellipse at 20% 80%, #fff, #06c 60%, #012) }
    .g:nth-child(3) { background: conic-gradient(from 40deg, red, yellow, lime, aqua, blue, magenta, red) } .g:nth-child(4) { background: repeating-linear-gradient(45deg, #333 0 8px, #eee 8px 16px) }
    .g:nth-child(5) { background: repeating-radial-gradient(circle, #fa0 0 5px, #630 5px 12px) } .g:nth-child(6) { background: repeating-conic-gradient(#222 0 10deg, #ddd 10deg 20deg) }
    .g:nth-child(7) { background: linear-gradient(in oklch longer hue, #f00, #00f) } .g:nth-child(8) { background: linear-gradient(#0000, #000) , #3c9 }`,
    many(8, 'g'),
  ),
  page(
    'backgrounds in layers',
    `${grid}
    .g { height: 110px; background: ${photo} }
    .g:nth-child(1) { background-size: 40px 40px, auto } .g:nth-child(2) { background-repeat: round; background-size: 33px } .g:nth-child(3) { background-position: 10px 50%; background-repeat: no-repeat, repeat; background-size: 50% 50%, auto }
    .g:nth-child(4) { background-clip: content-box, border-box; padding: 14px; border: 6px solid #0005 } .g:nth-child(5) { background-blend-mode: multiply, screen; background-color: #8cf }
    .g:nth-child(6) { border: 14px solid; border-image: linear-gradient(#f0f, #0ff) 14; } .g:nth-child(7) { background-attachment: fixed } .g:nth-child(8) { background: cross-fade(linear-gradient(#f00, #00f), linear-gradient(#0f0, #fff), 40%), #888 }`,
    many(8, 'g'),
  ),
  page(
    'filters',
    `${grid}
    .f { height: 110px; background: ${photo} }
    .f:nth-child(1) { filter: blur(4px) } .f:nth-child(2) { filter: brightness(1.4) contrast(1.3) } .f:nth-child(3) { filter: hue-rotate(90deg) } .f:nth-child(4) { filter: saturate(3) }
    .f:nth-child(5) { filter: sepia(1) } .f:nth-child(6) { filter: invert(1) } .f:nth-child(7) { filter: grayscale(.8) opacity(.6) } .f:nth-child(8) { filter: blur(2px) drop-shadow(0 0 8px #f0f) }`,
    many(8, 'f'),
  ),
  page(
    'animated filters',
    `@keyframes defocus { from { filter: blur(0) brightness(1) } to { filter: blur(14px) brightness(1.6) } }
    .f { position: absolute; left: calc(20px + var(--i) * 150px); top: 50px; width: 130px; height: 160px; background: ${photo}; animation: defocus .5s linear both; animation-delay: calc(var(--i) * -.1s) }`,
    many(3, 'f', '<b style="color:#fff">Focus</b>'),
  ),
  page(
    'blend modes',
    `${drift}
    #root { background: linear-gradient(90deg, #f55, #5f5 50%, #55f) }
    .m { position: absolute; left: calc(var(--i) * 58px); top: calc(20px + var(--i) * 12px); width: 90px; height: 120px; background: #c83 }
    ${['multiply', 'screen', 'overlay', 'difference', 'color-dodge', 'luminosity', 'exclusion', 'plus-lighter']
      .map((mode, i) => `.m:nth-child(${i + 1}) { mix-blend-mode: ${mode} }`)
      .join('\n')}
    .moving { animation: drift .5s linear both; background: #39f; mix-blend-mode: hard-light }
    .own { isolation: isolate; position: absolute; right: 10px; bottom: 10px; padding: 10px; background: #fff } .own i { mix-blend-mode: multiply; background: #ff0 }`,
    `${many(8, 'm')}<div class="m moving" style="--i:3"></div><div class="own"><i>isolated</i></div>`,
  ),
  page(
    'clip paths',
    `${grid}
    @keyframes open { from { clip-path: circle(10% at 50% 50%) } to { clip-path: circle(70% at 50% 50%) } }
    @keyframes wipe { from { clip-path: inset(0 100% 0 0) } to { clip-path: inset(0 0 0 0 round 20px) } }
    .c { height: 110px; background: ${photo} }
    .c:nth-child(1) { clip-path: polygon(50% 0, 100% 100%, 0 100%) } .c:nth-child(2) { clip-path: ellipse(40% 30%) } .c:nth-child(3) { clip-path: inset(10px 20px round 16px) } .c:nth-child(4) { clip-path: path('M0 50 C 30 0 70 100 100 20 L 100 100 L 0 100 Z') }
    .c:nth-child(5) { animation: open .5s linear both } .c:nth-child(6) { animation: wipe .5s linear both } .c:nth-child(7) { clip-path: polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, 30% 30%, 70% 30%, 70% 70%, 30% 70%, 30% 30%) } .c:nth-child(8) { clip-path: url(#star) }`,
    `${many(8, 'c')}<svg width="0" height="0" style="position:absolute"><clipPath id="star" clipPathUnits="objectBoundingBox"><path d="M.5 0 L.6 .4 L1 .5 L.6 .6 L.5 1 L.4 .6 L0 .5 L.4 .4 Z"/></clipPath></svg>`,
  ),
  page(
    'masks',
    `${grid}
    @keyframes sweep { from { mask-position: 100% 0 } to { mask-position: 0 0 } }
    .k { height: 110px; background: ${photo} }
    .k:nth-child(1) { mask: linear-gradient(90deg, #000, transparent) } .k:nth-child(2) { mask: radial-gradient(circle, #000 40%, transparent 42%) } .k:nth-child(3) { mask: repeating-linear-gradient(45deg, #000 0 6px, #0000 6px 12px) }
    .k:nth-child(4) { mask: linear-gradient(#000 0 0) content-box exclude, linear-gradient(#000 0 0); padding: 20px } .k:nth-child(5) { mask: linear-gradient(90deg, #000 50%, transparent) 100% 0 / 200% 100%; animation: sweep .5s linear both }
    .k:nth-child(6) { mask: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'%3E%3Ccircle cx='5' cy='5' r='4'/%3E%3C/svg%3E") 0 0 / 30px } .k:nth-child(7) { mask: url(#soft) } .k:nth-child(8) { mask-image: conic-gradient(#000, #0000); mask-mode: alpha }`,
    `${many(8, 'k')}<svg width="0" height="0" style="position:absolute"><mask id="soft" maskContentUnits="objectBoundingBox"><rect width="1" height="1" fill="#000"/><circle cx=".5" cy=".5" r=".4" fill="#fff"/></mask></svg>`,
  ),
  page(
    'group opacity',
    `${drift}
    .o { position: absolute; left: calc(var(--i) * 90px); top: 40px; width: 150px; height: 150px; opacity: calc(.3 + var(--i) * .12); background: #36c } .o div { margin: 40px; height: 110px; background: #fc0; opacity: .5; animation: drift .5s linear both }`,
    many(4, 'o', '<div></div>'),
  ),
  page(
    'colors',
    `${grid}
    .p { height: 60px }
    ${[
      'oklch(70% .2 140)',
      'oklab(60% .1 -.1)',
      'lab(50% 40 -60)',
      'lch(60% 80 30)',
      'hwb(200 10% 20%)',
      'color-mix(in oklch, #f00, #00f 30%)',
      'color(srgb .2 .8 .4)',
      'hsl(300 80% 50% / .5)',
      'light-dark(#123, #fed)',
      'rgb(from #39c calc(r + 60) g b)',
      'color(srgb-linear .5 .2 .1)',
      'rebeccapurple',
    ]
      .map((color, i) => `.p:nth-child(${i + 1}) { background: ${color} }`)
      .join('\n')}`,
    many(12, 'p'),
  ),
  page(
    'noise and grain',
    `.noise { position: absolute; inset: 0; opacity: .35; mix-blend-mode: overlay } #root { background: linear-gradient(#234, #864) }
    @keyframes jump { 0% { transform: none } 50% { transform: translate(-20px, 10px) } 100% { transform: translate(15px, -12px) } }
    .noise { inset: -40px; animation: jump .4s steps(4) infinite }`,
    `<svg class="noise" width="560" height="350"><filter id="n"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="2" seed="3"/></filter><rect width="100%" height="100%" filter="url(#n)"/></svg><h1 style="color:#fff;padding:40px">Grain</h1>`,
  ),
];
