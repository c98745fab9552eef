// Rules for assets and scripts: what is missing and what is left alone.
import { test } from 'vitest';
import { check } from './lint.ts';

const files = '\n=== assets/photo.png\n=== assets/clips/beach.mp4\n=== 100% & more.png\n';
const page = (inside: string) => `<div data-composition-id="m">${inside}</div>`;
const project = (inside: string) => `=== index.html\n${page(inside)}${files}`;

function checkMissing(markup: string, finding: string, fixes: Record<string, string> = {}) {
  const after = Object.entries(fixes).map(([title, inside]) => [title, `${page(inside)}\n`]);
  check(project(markup), 'missing-asset', { findings: [finding], fixes: Object.fromEntries(after) });
}

test('suggests the most similar file', () => {
  checkMissing(
    '<img src="«assets/phto.png?v=2»">',
    'error missing-asset: The file assets/phto.png does not exist; did you mean assets/photo.png?',
    { 'Change to "assets/photo.png"': '<img src="assets/photo.png?v=2">' },
  );
  checkMissing(
    '<video src="«/Beach.MP4»"></video>',
    'error missing-asset: The file Beach.MP4 does not exist; did you mean assets/clips/beach.mp4?',
    { 'Change to "/assets/clips/beach.mp4"': '<video src="/assets/clips/beach.mp4"></video>' },
  );
  checkMissing(
    '<img src="«assets/photo.jpg»">',
    'error missing-asset: The file assets/photo.jpg does not exist; did you mean assets/photo.png?',
    { 'Change to "assets/photo.png"': '<img src="assets/photo.png">' },
  );
});

test('suggests similar files in any folder, three at most, of the same kind', () => {
  const others = [
    'a/logo-dark.png',
    'b/logo-drak.svg',
    'c/logo-dark.mp4',
    'd/hero.png',
    'e/hero.png',
    'sound/theme.mp3',
  ];
  const markup = (reference: string) => page(`<img src="${reference}">`);
  const checkFiles = (wanted: string, message: string, ...offered: string[]) =>
    check(
      `=== scenes/a.html\n${markup(`«${wanted}»`)}\n${others.map((file) => `=== ${file}\n`).join('')}`,
      'missing-asset',
      {
        findings: [`error missing-asset: ${message}`],
        fixes: Object.fromEntries(offered.map((file) => [`Change to "../${file}"`, `${markup(`../${file}`)}\n`])),
      },
    );
  checkFiles(
    'img/logo_dark.png',
    'The file scenes/img/logo_dark.png does not exist; did you mean a/logo-dark.png?',
    'a/logo-dark.png',
    'b/logo-drak.svg',
  );
  checkFiles(
    '../e/heroo.png',
    'The file e/heroo.png does not exist; did you mean e/hero.png?',
    'e/hero.png',
    'd/hero.png',
  );
  checkFiles(
    '../e/hero.jpg',
    'The file e/hero.jpg does not exist; did you mean e/hero.png?',
    'e/hero.png',
    'd/hero.png',
  );
  checkFiles(
    'hero.png',
    'The file scenes/hero.png does not exist; did you mean d/hero.png?',
    'd/hero.png',
    'e/hero.png',
  );
  checkFiles('theme.png', 'The file scenes/theme.png does not exist');
});

test('corrects the path in the default of a variable', () => {
  const source = (path: string) =>
    `<html data-composition-variables='[{"id":"p","type":"string","default":${path}}]'><div data-composition-id="m"><img data-var-src="p"></div></html>\n`;
  check(`=== index.html\n${source('«"photo.jpg"»')}=== assets/photo.png\n`, 'missing-asset', {
    findings: ['warning missing-asset: The file photo.jpg does not exist; did you mean assets/photo.png?'],
    fixes: { 'Change to "assets/photo.png"': source('"assets/photo.png"') },
  });
});

test('suggests paths relative to the folder of the file', () => {
  check(
    `=== scenes/a.html\n${page('<img src="«photo.png»"><img src="assets/photo.png"><img src="../assets/photo.png">')}${files}`,
    'missing-asset',
    {
      findings: ['error missing-asset: The file scenes/photo.png does not exist; did you mean assets/photo.png?'],
      fixes: {
        'Change to "../assets/photo.png"': `${page('<img src="../assets/photo.png"><img src="assets/photo.png"><img src="../assets/photo.png">')}\n`,
      },
    },
  );
});

test('reports missing files in styles and defaults as warnings', () => {
  checkMissing('<style>p{background:url(«x.png»)}</style>', 'warning missing-asset: The file x.png does not exist');
  check(
    `<html data-composition-variables='[{"id":"p","type":"string","default":«"x.png"»}]'><div data-composition-id="m"><img data-var-src="p"></div></html>`,
    'missing-asset',
    { findings: ['warning missing-asset: The file x.png does not exist'] },
  );
});

test('reports the missing source that the browser would choose', () => {
  const chosen =
    '<source src="a.mov" type="video/quicktime"><source src="«b.mp4»" type="video/mp4"><source src="c.mp4">';
  checkMissing(`<video>${chosen}</video>`, 'error missing-asset: The file b.mp4 does not exist');
  checkMissing(
    '<video><source src="«b.mp4»" media="(orientation: portrait)"><source src="assets/clips/beach.mp4"></video>',
    'warning missing-asset: The file b.mp4 does not exist',
  );
  for (const nothing of [
    '<audio src=""></audio>',
    '<video src="#"></video>',
    '<audio src=""><source src="a.mp3"></audio>',
  ])
    check(project(nothing), 'missing-asset', { findings: [] });
});

test('reports hidden files and characters that end a path', () => {
  checkMissing(
    '<img src="«.media/a.png»">',
    'error missing-asset: .media/a.png cannot be loaded because its path contains a name that starts with a dot; rename it',
  );
  check(`=== index.html\n${page('<img src="«a#1.png»">')}\n=== a#1.png\n`, 'missing-asset', {
    findings: [
      'error missing-asset: The file a does not exist; # and ? end the path of a URL: write %23 for # and %3F for ?',
    ],
  });
});

test.each([
  '<img src="assets/photo.png?v=1#x">',
  '<img src="100% & more.png">',
  '<img src="100%25%20%26%20more.png">',
  '<img src="https://example.com/a.png"><img src="//example.com/a.png"><img src="blob:x"><img src="data:image/png;base64,AA">',
  '<img src="">',
  '<img data-var-src="photo" src="placeholder.png">',
  '<img src="{{photo}}"><img src="__PHOTO__">',
  '<link rel="icon" href="favicon.ico"><link rel="preload" href="x.woff2">',
  '<a href="nowhere.html">x</a>',
  '<!-- <img src="nowhere.png"> -->',
  '<template><img src="nowhere.png"></template>',
])('reports no missing file for %s', (markup) => {
  check(project(markup), 'missing-asset asset-outside-project', { findings: [] });
});

test('reports base64-encoded files', () => {
  const large = `data:image/png;base64,${'A'.repeat(20_000)}`;
  check(page(`<img «src»="${large}"><img src="data:image/png;base64,AAAA">`), 'inlined-media', {
    findings: [
      'warning inlined-media: This is a base64-encoded file of 15 KB; save it in the project and use its path',
    ],
  });
  check(
    `<div data-composition-id="m" data-composition-variables='[{"id":"a","type":"string"}]'><p data-composition-id="p" data-variable-values='{"a":«"data:image/png;base64,AAAA"»}'></p></div>`,
    'inlined-media',
    {
      findings: ['warning inlined-media: "a" contains a base64-encoded file; use the path or URL of the file instead'],
    },
  );
});

test('reports access to the network, but not to files of the project', () => {
  const found = (what: string) =>
    `warning network-in-script: ${what} accesses the network during the render; put the data into the project or a variable`;
  check(
    page(
      `<script>«fetch»("https://a.b/c"); «window.fetch»(url); fetch("data.json"); fetch(\`data/\${id}.json\`); «new WebSocket»(\`wss://\${host}\`); x.fetch(url)</script>`,
    ),
    'network-in-script',
    { findings: ['fetch', 'fetch', 'new WebSocket'].map(found) },
  );
});

test('reports clocks and random numbers once per script', () => {
  check(
    page(
      '<script>const a = «Date.now»(); Date.now(); «new Date»(); new Date(0); «Math.random»(); Math.random(); "Date.now()"; // Math.random()\n</script>',
    ),
    'wall-clock unseeded-random',
    {
      findings: [
        'info wall-clock: During a render, Date.now returns the composition time, not the time of day',
        'info wall-clock: During a render, new Date returns the composition time, not the time of day',
        'info unseeded-random: During a render, Math.random is seeded and returns the same values every time, not new numbers',
      ],
    },
  );
});

test('ignores inlined libraries and scripts that are not code', () => {
  check(page(`<script>${'a(b);'.repeat(2000)}Date.now();fetch(x)</script>`), 'wall-clock network-in-script', {
    findings: [],
  });
  check(page('<script type="application/json">{"x": "Date.now()"}</script>'), 'wall-clock', { findings: [] });
});

test('finds files relative to <base>', () => {
  const source = (base: string, inside: string) => `=== index.html
<html><head>${base}</head><body data-composition-id="m">${inside}</body></html>${files}`;
  const media = '<img src="photo.png"><video src="clips/beach.mp4"></video><img src="../100% & more.png">';
  check(source('<base href="assets/">', media), 'missing-asset', { findings: [] });
  check(source('<base href="https://cdn.example/">', media), 'asset-outside-project', { findings: [] });
  check(source('<base href="{{ static }}">', '<img src="logo.png">'), 'missing-asset', { findings: [] });
  check(source('<base href="assets/">', '<img src="«clips/phot.png»">'), 'missing-asset', {
    findings: ['error missing-asset: The file assets/clips/phot.png does not exist; did you mean assets/photo.png?'],
    fixes: {
      'Change to "photo.png"': `<html><head><base href="assets/"></head><body data-composition-id="m"><img src="photo.png"></body></html>\n`,
    },
  });
});
