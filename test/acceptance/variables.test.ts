// How values are declared, given and read.
import { silence } from '../support/renders/wav.ts';
import { accept, type Statement } from './acceptance.ts';
import { area, composition, count, filled, host, plan, tile, tint } from './pages.ts';
import { image } from './pictures.ts';

const snapshot = (options = '') => ({ run: `snapshot --at 0 -o shot.png ${options}` });
const shows = (color: string) => image('shot.png', '64x48', { '32,24': color });
const tiles = (body: string, variables = [tint]) => ({
  'index.html': composition(body, { variables, duration: 0.1 }),
  'tile.html': tile,
});

const layers: Statement[] = [
  {
    sentence:
      'Variable layering, lowest to highest precedence: declared defaults, then data-variable-values on the host, then the --variables flag',
    files: tiles(
      `<div style="position:absolute;left:0;width:16px;height:48px;background:var(--tint)"></div>${host(16)}${host(32, '{"tint":"#00ff00"}')}`,
    ),
    steps: [
      snapshot(),
      image('shot.png', '64x48', { '8,24': '#ff0000', '24,24': '#ff0000', '40,24': '#00ff00' }),
      snapshot(`--variables '{"tint":"#0000ff"}'`),
      image('shot.png', '64x48', { '8,24': '#0000ff' }),
    ],
  },
  {
    sentence: 'A missing key falls through to the next lower layer',
    files: {
      'index.html': filled('return values.count === 7 ? values.tint : "#ffffff"', [tint, count]),
    },
    steps: [snapshot(`--variables '{"count":7}'`), shows('#ff0000')],
  },
  {
    sentence:
      'CLI overrides apply only to the top-level composition; sub-compositions receive values only through data-variable-values',
    files: tiles(host(24)),
    steps: [snapshot(`--variables '{"tint":"#0000ff"}'`), image('shot.png', '64x48', { '32,24': '#ff0000' })],
  },
];

const runtime: Statement[] = [
  {
    sentence:
      'window.__framework.getVariables(), also usable as __framework.getVariables(), returns the merged values as a map from id to value',
    files: {
      'index.html': filled(
        'return JSON.stringify([window.__framework.getVariables(), values]) === JSON.stringify([{ tint: "#ff0000", count: 5 }, { tint: "#ff0000", count: 5 }]) ? "#00ff00" : "#ff0000"',
        [tint, count],
      ),
    },
    steps: [snapshot(`--variables '{"count":5}'`), shows('#00ff00')],
  },
  {
    sentence: 'getVariables() returns a partial map: scripts destructure with defaults',
    files: {
      'index.html': filled('const { title = "none", tint } = values; return title === "none" ? tint : "#ffffff"', [
        tint,
        { id: 'title', type: 'string', label: 'Title' },
      ]),
    },
    steps: [snapshot(), shows('#ff0000')],
  },
  {
    sentence: 'getVariables() returns a fresh shallow copy at each call',
    files: { 'index.html': filled('values.tint = "#ffffff"; return __framework.getVariables().tint') },
    steps: [snapshot(), shows('#ff0000')],
  },
  {
    sentence:
      "In a sub-composition, getVariables() returns that instance's merged values, never the top level's; each mount of the same file has its own scope, also when it is mounted twice under one composition id",
    files: {
      'index.html': composition(
        `${host(0, '{"tint":"#00ff00"}', 'own.html')}${host(16, '{"tint":"#0000ff"}', 'own.html')}${host(32, '', 'own.html')}`,
        { variables: [tint], duration: 0.1 },
      ),
      'own.html': `<template><div data-composition-id="own" data-width="16" data-height="48"
        data-composition-variables='${JSON.stringify([{ ...tint, default: '#ffff00' }])}'><div class="fill" style="position:absolute;inset:0"></div>
        <script>document.querySelector('.fill').style.background = __framework.getVariables().tint</script></div></template>`,
    },
    steps: [
      snapshot(`--variables '{"tint":"#ffffff"}'`),
      image('shot.png', '64x48', { '8,24': '#00ff00', '24,24': '#0000ff', '40,24': '#ffff00' }),
    ],
  },
  {
    sentence:
      'After scripts run, the probe phase re-reads video[data-start] and audio elements, so a src assigned at runtime from a variable is discovered',
    files: {
      'index.html': composition(
        '<audio id="a" data-start="0"></audio><script>a.src = __framework.getVariables().sound</script>',
        { variables: [{ id: 'sound', type: 'string', label: 'Sound', default: 'none.wav' }], duration: null },
      ),
      'tone.wav': silence(0.3),
    },
    steps: [
      { run: `render -o out.mp4 --json --variables '{"sound":"tone.wav"}'`, json: { frames: 9, durationSeconds: 0.3 } },
      { run: 'render -o missing.mp4', exit: 1, prints: ['none.wav'], leavesOut: ['missing.mp4'] },
    ],
  },
];

const guidance: Statement[] = [
  {
    sentence: 'Scripts must be plain scripts, not module scripts, so that the runtime is initialised first',
    files: {
      'index.html': composition('<script type="module">const { tint } = __framework.getVariables()</script>', {
        variables: [tint],
      }),
    },
    steps: [{ run: 'lint', prints: [/index\.html:\d+:\d+ .*module/] }],
  },
  {
    sentence: '--variables-file reads the values from a file or, with -, from standard input',
    files: { 'index.html': filled('return values.tint'), 'values.json': '{"tint":"#0000ff"}' },
    steps: [
      snapshot('--variables-file values.json'),
      shows('#0000ff'),
      { ...snapshot('--variables-file -'), input: '{"tint":"#00ff00"}' },
      shows('#00ff00'),
      { run: `render --variables-file values.json --variables '{}'`, exit: 2, prints: ['--variables-file'] },
    ],
  },
];

const declarations: Statement[] = [
  {
    sentence:
      'Malformed JSON in data-composition-variables fails every render, as malformed data-variable-values does, and the message names the location and the cause',
    files: {
      'index.html': filled('').replace(JSON.stringify([tint]), '[{"id":]'),
      'values.html': composition(host(0, '{"tint":}')),
      'tile.html': tile,
    },
    steps: [
      { run: 'render', exit: 1, prints: ['index.html:2:42: Expected a value for "id"'], leavesOut: ['renders'] },
      { run: 'snapshot', exit: 1, prints: ['index.html:2:42: Expected a value for "id"'] },
      { run: 'render -c values.html', exit: 1, prints: [/values\.html:\d+:\d+: Expected a value for "tint"/] },
    ],
  },
  {
    sentence:
      'A single rejected declaration is a warning in every render, an error with --strict-variables, and never reported as "not declared"',
    files: { 'index.html': filled('return "#00ff00"', [{ id: 'odd', type: 'object', label: 'Odd' }, tint]) },
    steps: [
      {
        run: `render --dry-run --variables '{"odd":1}'`,
        prints: ['warning: index.html:2:55: Invalid declaration: Unknown variable type "object"'],
        hides: ['not declared'],
      },
      {
        run: `render --dry-run --strict-variables --variables '{"odd":1}'`,
        exit: 1,
        prints: ['error: index.html:2:55: Invalid declaration: Unknown variable type "object"'],
        hides: ['not declared'],
      },
    ],
  },
];

const strict: Statement[] = [
  {
    sentence:
      'Variable key not declared, type mismatch, or enum value outside options: warning by default; with --strict-variables the render exits with a non-zero status',
    files: { 'index.html': filled('return "#00ff00"', [count, plan]) },
    steps: [
      {
        run: `snapshot -o shot.png --variables '{"other":1,"count":"1","plan":"gold"}'`,
        prints: [
          /warning: .*"other" is not declared/,
          /warning: .*"count" must be a number/,
          /warning: .*"plan" must be one of "free", "pro"/,
        ],
        creates: ['shot.png'],
      },
      { run: `render --strict-variables --variables '{"other":1}'`, exit: 1, prints: ['"other" is not declared'] },
      { run: `render --strict-variables --variables '{"count":"1"}'`, exit: 1, prints: ['"count" must be a number'] },
      { run: `render --strict-variables --variables '{"plan":"gold"}'`, exit: 1, prints: ['"plan" must be one of'] },
    ],
  },
  {
    sentence: 'A non-finite number, an array and null are mismatches',
    files: { 'index.html': filled('return "#00ff00"', [count]) },
    steps: ['1e999', '[1]', 'null'].map((value) => ({
      run: `render --dry-run --strict-variables --variables '{"count":${value}}'`,
      exit: 1,
      prints: ['"count" must be a number'],
    })),
  },
  {
    sentence: 'color accepts #rrggbb only',
    files: { 'index.html': filled('return "#00ff00"') },
    steps: [
      ...['red', '#f00', '#ff0000ff', 'rgb(1,2,3)'].map((value) => ({
        run: `render --dry-run --strict-variables --variables '{"tint":"${value}"}'`,
        exit: 1,
        prints: ['"tint" must be a color as #rrggbb'],
      })),
      { run: `render --dry-run --strict-variables --variables '{"tint":"#A0b1C2"}'` },
    ],
  },
  {
    sentence: 'min, max and maxLength do not make an issue',
    files: {
      'index.html': filled('return "#00ff00"', [
        { ...count, min: 0, max: 5 },
        { id: 'title', type: 'string', label: 'Title', default: '', maxLength: 3 },
      ]),
    },
    steps: [{ run: `render --dry-run --strict-variables --variables '{"count":9,"title":"much longer"}'` }],
  },
  {
    sentence:
      '--strict-variables covers values given by hosts as well as those from the command line; without it, both are warnings in every render, with file, line and column',
    files: tiles(host(0, '{"tint":"blue"}')),
    steps: [
      {
        run: `render --dry-run --variables '{"tint":"green"}'`,
        prints: [/warning: index\.html:\d+:\d+: .*green/, /warning: index\.html:\d+:\d+: .*blue/],
      },
      { run: 'render --dry-run --strict-variables', exit: 1, prints: [/index\.html:\d+:\d+: .*blue/] },
    ],
  },
];

const references: Statement[] = [
  {
    sentence: `A value in data-variable-values that consists only of $name or \${name} refers to the embedding composition's variable and keeps its type; it is resolved before the instance starts, recursively through nesting`,
    files: {
      'index.html': composition(host(24, `{"shade":"$tint","n":"\${count}"}`, 'middle.html'), {
        variables: [tint, count],
        duration: 0.1,
      }),
      'middle.html': `<template><div data-composition-id="middle" data-width="16" data-height="48"
        data-composition-variables='[{"id":"shade","type":"color","label":"Shade","default":"#ffffff"},{"id":"n","type":"number","label":"N","default":0}]'>
        <div style="position:absolute;inset:0" data-composition-src="inner.html" data-variable-values='{"tint":"$shade","n":"$n"}'></div></div></template>`,
      'inner.html': `<template><div data-composition-id="inner" data-width="16" data-height="48"
        data-composition-variables='${JSON.stringify([tint, { id: 'n', type: 'number', label: 'N', default: 0 }])}'><div class="fill" style="position:absolute;inset:0"></div>
        <script>const { tint, n } = __framework.getVariables(); document.querySelector('.fill').style.background = n === 4 ? tint : '#ffffff'</script></div></template>`,
    },
    steps: [
      snapshot(`--strict-variables --variables '{"tint":"#0000ff","count":4}'`),
      image('shot.png', '64x48', { '32,24': '#0000ff' }),
    ],
  },
  {
    sentence: 'An unresolved reference is a warning, and the key counts as missing',
    files: tiles(host(24, '{"tint":"$shade"}')),
    steps: [
      {
        ...snapshot(),
        prints: [/warning: index\.html:\d+:\d+: Variable "shade" of the embedding composition has no value/],
      },
      image('shot.png', '64x48', { '32,24': '#ff0000' }),
    ],
  },
  {
    sentence: "An attribute value set by a plain script before the mount's own scripts run is used too",
    files: tiles(`${host(24)}<script>host24.setAttribute('data-variable-values', '{"tint":"#0000ff"}')</script>`),
    steps: [snapshot(), image('shot.png', '64x48', { '32,24': '#0000ff' })],
  },
];

const bindings: Statement[] = [
  {
    sentence: 'data-var-text="id" sets the text of an element',
    files: {
      'index.html': composition(
        `${area('fill', 0, 64)}<p id="t" data-var-text="title"></p><script>requestAnimationFrame(() => { fill.style.background = t.textContent === 'Ann' ? '#00ff00' : '#ff0000' })</script>`,
        { variables: [{ id: 'title', type: 'string', label: 'Title', default: 'Hi' }], duration: 0.1 },
      ),
    },
    steps: [{ run: `snapshot --at 2f -o shot.png --variables '{"title":"Ann"}'` }, shows('#00ff00')],
  },
  {
    sentence:
      'data-var-src="id" sets the src of img, video, audio and source; relative, http, https, blob and data:image/ URLs only',
    files: {
      'index.html': composition('<img data-var-src="photo" style="position:absolute;width:64px;height:48px">', {
        variables: [{ id: 'photo', type: 'string', label: 'Photo', default: 'photo.svg' }],
        duration: 0.1,
      }),
      'photo.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#00ff00"/></svg>',
    },
    steps: [
      snapshot(),
      shows('#00ff00'),
      { run: `snapshot --at 0 -o bad.png --variables '{"photo":"javascript:alert(1)"}'` },
      image('bad.png', '64x48', { '32,24': '#000000' }),
    ],
  },
  {
    sentence:
      "CSS custom property --<id> on the composition root of the instance, for scalar values; one rule for all bindings: the instance's own merged value",
    files: tiles(`${host(0, '{"tint":"#00ff00"}')}${host(16)}`),
    steps: [snapshot(), image('shot.png', '64x48', { '8,24': '#00ff00', '24,24': '#ff0000' })],
  },
];

const scripts: Statement[] = [
  {
    sentence:
      "Inline scripts, <script src> and on… attributes of an embedded file run once per mount, in the mount's own scope (its document, its variables)",
    files: {
      'index.html': composition(
        `${host(0, '{"tint":"#00ff00"}', 'scripted.html')}${host(16, '{"tint":"#0000ff"}', 'scripted.html')}`,
        { duration: 0.1 },
      ),
      'scripted.html': `<template><div data-composition-id="scripted" data-width="16" data-height="48"
        data-composition-variables='${JSON.stringify([tint])}'>
        <div class="one" style="position:absolute;left:0;width:5px;height:48px"></div>
        <div class="two" style="position:absolute;left:5px;width:5px;height:48px"></div>
        <img class="three" style="position:absolute;left:10px;width:6px;height:48px" src="dot.svg"
          onload="this.style.background = document.querySelectorAll('.three').length === 1 ? __framework.getVariables().tint : '#ffffff'">
        <script>document.querySelector('.one').style.background = __framework.getVariables().tint</script>
        <script src="own.js"></script></div></template>`,
      'own.js': "document.querySelector('.two').style.background = __framework.getVariables().tint",
      'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>',
    },
    steps: [
      snapshot(),
      image('shot.png', '64x48', {
        '2,24': '#00ff00',
        '7,24': '#00ff00',
        '13,24': '#00ff00',
        '18,24': '#0000ff',
        '23,24': '#0000ff',
        '29,24': '#0000ff',
      }),
    ],
  },
  {
    sentence: 'The linter rejects module scripts in an embedded file and explains why',
    files: {
      'index.html': composition(host(0, '', 'module.html')),
      'module.html':
        '<template><div data-composition-id="m" data-width="16" data-height="48"><script type="module">1</script></div></template>',
    },
    steps: [{ run: 'lint', exit: 1, prints: [/module\.html:\d+:\d+/, /module/] }],
  },
];

accept([...layers, ...runtime, ...guidance, ...declarations, ...strict, ...references, ...bindings, ...scripts]);
