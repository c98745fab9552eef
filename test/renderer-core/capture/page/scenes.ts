// Scenes for comparisons: what rasterizers draw differently and correctly, and errors.

/** `body`: what is painted. `wrong`: the same scene with an error. */
export type Scene = { name: string; body: string };
export type WrongScene = Scene & { wrong: string };

export const sceneWidth = 320;
export const sceneHeight = 180;

const fps = 10;

/** A composition whose frame `n` shows the scene `n`. */
export function scenesPage(bodies: readonly string[]): string {
  const scenes = bodies.map(
    (body, at) => `<section data-start="${at / fps}" data-duration="${1 / fps}">${body}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>
html, body { margin: 0; background: #f4f1ea; font: 16px/1.3 sans-serif; color: #222 }
#root { position: relative; width: ${sceneWidth}px; height: ${sceneHeight}px; overflow: hidden }
section { position: absolute; inset: 0 }
div, p { position: absolute; margin: 0 }
</style></head><body>
<div id="root" data-composition-id="main" data-width="${sceneWidth}" data-height="${sceneHeight}" data-duration="${bodies.length / fps}">
${scenes.join('\n')}
</div></body></html>`;
}

const box = (style: string, content = ''): string =>
  `<div style="left:60px;top:40px;width:120px;height:80px;${style}">${content}</div>`;
const words = 'The quick brown fox jumps over the lazy dog, 0123456789.';
const text = (style: string, content = words): string =>
  `<p style="left:30px;top:30px;width:240px;${style}">${content}</p>`;

/** A layer of its own in the browser's compositor. */
const layer = 'will-change:transform;';

const turbulence = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><filter id="n"><feTurbulence baseFrequency=".4" seed="3"/><feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 1"/></filter><rect width="320" height="180" filter="url(#n)"/></svg>',
);
const noise = (color: string): string =>
  box(
    `inset:0;width:auto;height:auto;background:linear-gradient(${color},${color}),url('data:image/svg+xml,${turbulence}')`,
  );

const lines = Array.from({ length: 9 }, (_, at) => `<path d="M10 ${10 + at * 7.3} L300 ${20 + at * 16.1}"/>`).join('');

const scene = (name: string, body: string): Scene => ({ name, body });

export const correctScenes: Scene[] = [
  scene('rotated text', text('font-size:26px;transform:rotate(13deg)')),
  scene('rotated text on a layer', text(`font-size:26px;transform:rotate(13deg);${layer}`)),
  scene('small rotated text on a layer', text(`font-size:11px;transform:rotate(-7deg);${layer}`)),
  scene('text at half a pixel', text('transform:translate(.5px,.5px)')),
  scene('text on a layer at half a pixel', text(`transform:translate(.5px,.5px);${layer}`)),
  scene('small text on a layer at parts of a pixel', text(`font-size:10px;transform:translate(.37px,.71px);${layer}`)),
  scene(
    'light text on a layer at half a pixel',
    text(`font-weight:100;color:#999;transform:translateY(.5px);${layer}`),
  ),
  scene('enlarged text', text('transform:scale(1.37)')),
  scene('enlarged text on a layer', text(`transform:scale(1.37);${layer}`)),
  scene('shrunk text on a layer', text(`transform:scale(.63);${layer}`)),
  scene(
    'letters rotated one by one',
    [...'KINETIC']
      .map(
        (letter, at) =>
          `<p style="left:${30 + at * 36}px;top:50px;font:900 44px sans-serif;transform:rotate(${at * 9 - 20}deg) scale(${0.8 + at / 20});${layer}">${letter}</p>`,
      )
      .join(''),
  ),
  scene(
    'white text on black at half a pixel',
    box('inset:0;width:auto;height:auto;background:#000', text(`color:#fff;transform:translate(.5px,.5px);${layer}`)),
  ),
  scene(
    'text with a shadow, on a layer',
    text(
      `font-size:40px;font-weight:900;color:#06c;text-shadow:0 6px 14px #0008;transform:rotate(4deg);${layer}`,
      '48 217',
    ),
  ),
  scene(
    'outlined text',
    text(
      `font:900 40px sans-serif;color:transparent;-webkit-text-stroke:1.5px #06c;transform:translate(.4px,.6px);${layer}`,
      'OUTLINE',
    ),
  ),
  scene('a rotated box', box('background:#06c;transform:rotate(31deg)')),
  scene('a rotated box on a layer', box(`background:#06c;transform:rotate(31deg);${layer}`)),
  scene(
    'a box on a layer at half a pixel',
    box(`background:#06c;border:1px solid #000;transform:translate(.5px,.5px);${layer}`),
  ),
  scene('a skewed box', box(`background:#c06;transform:skew(20deg,8deg);${layer}`)),
  scene(
    'perspective',
    box(
      `background:#c06;transform:perspective(300px) rotateY(40deg);${layer}`,
      text('left:4px;top:4px;width:110px;color:#fff', 'Turned to the side'),
    ),
  ),
  scene('round corners', box(`border-radius:31px;background:#0a7;transform:scale(1.13) translate(.3px,.4px);${layer}`)),
  scene(
    'thin lines',
    `<svg width="320" height="180" style="${layer}transform:translate(.5px,.5px)"><g stroke="#222" stroke-width=".8">${lines}</g></svg>`,
  ),
  scene('thin rotated borders', box(`border:1px solid #222;transform:rotate(9deg);${layer}`)),
  scene('a blur', box('background:linear-gradient(#06c,#f80);filter:blur(7px)')),
  scene(
    'a blur on a rotated layer',
    box(`background:#06c;filter:blur(5px);transform:rotate(20deg) scale(1.2);${layer}`),
  ),
  scene('a large shadow', box('background:#fff;border-radius:12px;box-shadow:0 20px 40px #000a')),
  scene('a drop shadow', box(`background:#fff;filter:drop-shadow(4px 8px 6px #0009);transform:rotate(12deg);${layer}`)),
  scene('an inner shadow', box('background:#fff;box-shadow:inset 0 0 24px #06c')),
  scene('a dark gradient', box('inset:0;width:auto;height:auto;background:linear-gradient(135deg,#05070c,#141b2c)')),
  scene(
    'a gradient on a rotated layer',
    box(`background:conic-gradient(#f06,#fc0,#0cf,#f06);transform:rotate(17deg);${layer}`),
  ),
  scene(
    'a radial gradient',
    box('inset:0;width:auto;height:auto;background:radial-gradient(circle at 30% 40%,#fff,#06c 40%,#012)'),
  ),
  scene(
    'a group with opacity',
    box(
      `opacity:.62;transform:translate(.5px,.5px);${layer}`,
      box('left:0;top:0;background:#c06') + text('left:6px;top:6px;width:100px', 'Translucent'),
    ),
  ),
  scene(
    'a clipped circle',
    box(`background:#06c;clip-path:circle(36px at 50.3% 49.6%);transform:rotate(5deg);${layer}`),
  ),
  scene('noise', noise('#0000')),
];

const dots = (...dots: [x: number, color: string][]): string =>
  dots
    .map(([x, color]) => `<div style="left:${x}px;top:80px;width:12px;height:12px;background:${color}"></div>`)
    .join('');
const first = box('background:#06c');
const second = box('left:110px;top:70px;background:#f80');

const wrongScene = (name: string, body: string, wrong: string): WrongScene => ({ name, body, wrong });

export const wrongScenes: WrongScene[] = [
  wrongScene('a missing box', first + second, first),
  wrongScene('a missing dot', dots([60, '#06c'], [200, '#444']), dots([60, '#06c'])),
  wrongScene('a missing dot of low contrast', dots([60, '#06c'], [200, '#d0cdc6']), dots([60, '#06c'])),
  wrongScene('a missing dot at the edge', dots([308, '#444']), ''),
  wrongScene('a missing line of small text', text('font-size:11px') + text('top:90px'), text('top:90px')),
  wrongScene('a missing small word', text('font-size:11px;color:#777', 'draft') + text('top:90px'), text('top:90px')),
  wrongScene('a missing thin line', box('height:1px;background:#222'), ''),
  wrongScene(
    'a missing border',
    box('background:#fff;border:1px solid #999'),
    box('background:#fff;border:1px solid #fff'),
  ),
  wrongScene('a box moved by 2 px', first, box('background:#06c;left:62px')),
  wrongScene('a dot moved by 2 px', dots([60, '#06c']), dots([62, '#06c'])),
  wrongScene('a grey box moved by 2 px', box('background:#a5a29c'), box('background:#a5a29c;top:42px')),
  wrongScene('text moved by 2 px', text(''), text('left:32px')),
  wrongScene('text moved down by 2 px', text(''), text('top:32px')),
  wrongScene(
    'large text moved by 2 px',
    text('font:900 50px sans-serif', 'TITLE'),
    text('font:900 50px sans-serif;top:32px', 'TITLE'),
  ),
  wrongScene(
    'a layer moved by 3 px',
    text(`transform:translateX(20.4px);${layer}`),
    text(`transform:translateX(23.4px);${layer}`),
  ),
  wrongScene('another color', first, box('background:#f80')),
  wrongScene(
    'a slightly different color',
    box('width:100px;height:100px;background:#4078a0'),
    box('width:100px;height:100px;background:#4084a0'),
  ),
  wrongScene('another color of text', text('color:#222'), text('color:#a22')),
  wrongScene('noise with a slightly different color', noise('#0000'), noise('#ffffff1c')),
  wrongScene('another order in depth', first + second, second + first),
  wrongScene('another number', text('font:900 44px sans-serif', '1241'), text('font:900 44px sans-serif', '1242')),
  wrongScene('another weight', text('font-weight:400'), text('font-weight:700')),
  wrongScene('another size', box('background:#06c'), box('background:#06c;width:123px')),
  wrongScene(
    'another rotation',
    box('background:#06c;transform:rotate(10deg)'),
    box('background:#06c;transform:rotate(13deg)'),
  ),
  wrongScene('another scale', text(''), text('transform:scale(1.03)')),
  wrongScene('another opacity', box('background:#06c'), box('background:#06c;opacity:.9')),
  wrongScene('a missing blur', box('background:#06c;filter:blur(4px)'), first),
  wrongScene('another blur', box('background:#06c;filter:blur(4px)'), box('background:#06c;filter:blur(8px)')),
  wrongScene('a missing shadow', box('background:#fff;box-shadow:0 8px 24px #0006'), box('background:#fff')),
  wrongScene(
    'another gradient',
    box('background:linear-gradient(#06c,#f80)'),
    box('background:linear-gradient(#06c,#f40)'),
  ),
  wrongScene('a missing clip', box('background:#06c;clip-path:circle(36px)'), first),
  wrongScene('missing round corners', box('background:#06c;border-radius:12px'), first),
];
