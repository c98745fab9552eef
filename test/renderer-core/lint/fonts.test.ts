// Rules for fonts: families that are not available, and fonts from the network.
import { test } from 'vitest';
import { check } from './lint.ts';

const page = (inside: string) => `<div data-composition-id="m">${inside}</div>`;
const project = (inside: string, files = '') => `=== index.html\n${page(inside)}\n${files}`;
const style = (value: string) => page(`<style>p { font-family: ${value} }</style>`);
const add = (name: string) => `to add it to the project, run framework fonts add "${name}"`;
const system = (name: string, used: string) =>
  `info system-font: The font "${name}" is not available: text uses ${used}, also on machines that have it installed; ${add(name)}`;

const futura = [system('Futura', '"Arial"')];

test('reports the first family of a list if it is not available', () => {
  check(style('«Futura», "Helvetica Nova", Arial, sans-serif'), 'system-font', { findings: futura });
  check(style('«"Futura"», "Fira Sans", sans-serif'), 'system-font', { findings: [system('Futura', 'sans-serif')] });
  check(style('«Futura»'), 'system-font', { findings: [system('Futura', 'a standard font')] });
});

test('reports each family once, also in attributes and custom properties', () => {
  check(
    page(
      `<style>:root { --head: «"Gill Sans"», sans-serif } p { font: 20px «Futura», Arial; font-family: Futura }</style>
      <p style="font-family: «'Avenir'», var(--body)"></p><svg><text font-family="«Optima»">A</text></svg>`,
    ),
    'system-font',
    {
      findings: [
        system('Gill Sans', 'sans-serif'),
        system('Futura', '"Arial"'),
        system('Avenir', 'a standard font'),
        system('Optima', 'a standard font'),
      ],
    },
  );
});

test.each([
  '"Inter", "Helvetica Neue", Arial, sans-serif',
  'arial, Futura',
  'system-ui, Futura',
  'var(--brand), Futura, serif',
  'inherit',
  '"{{font}}", serif',
])('does not report %s', (value) => {
  check(style(value), 'system-font', { findings: [] });
});

const face = '@font-face { font-family: Futura; src: url(futura.woff2) }';
const use = '<p style="font-family: Futura, Arial"></p>';

test.each([
  project(`<style>${face}</style>${use}`),
  project(`<link rel="stylesheet" href="css/a.css">${use}`, `=== css/a.css\n${face}`),
  project(`<link rel="stylesheet" href="css/a.css">${use}`, `=== css/a.css\n@import "b.css";\n=== css/b.css\n${face}`),
  project(use, `=== fonts/futura.css\n${face}`),
  project(`<script>new FontFace("Futura", "url(futura.woff2)")</script>${use}`),
  project(`<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Futura">${use}`),
  `=== scene.html\n${page(use)}\n=== index.html\n${page(`<style>${face}</style><div data-composition-src="scene.html"></div>`)}`,
])('does not report a family that is declared: %s', (markup) => {
  check(markup, 'system-font', { findings: [] });
});

test.each([
  ['a remote style sheet', project(`<link rel="stylesheet" href="https://cdn.example.com/a.css">${use}`)],
  ['a missing style sheet', project(`<link rel="stylesheet" href="nowhere.css">${use}`)],
])('does not report families if they may be declared in %s', (_, markup) => {
  check(markup, 'system-font', { findings: [] });
});

const need = 'info remote-font: Renders need a network connection to load';

test('reports the families of Google Fonts', () => {
  const url = 'https://fonts.googleapis.com/css2?family=DM+Sans:wght@400;700&amp;family=Lora&display=swap';
  const findings = [
    `${need} "DM Sans", "Lora" from fonts.googleapis.com; to add it to the project, run framework fonts add "DM Sans" and framework fonts add "Lora"`,
  ];
  check(page(`<link rel="stylesheet" href="«${url}»">`), 'remote-font', { findings });
  check(page(`<style>@import url('«https://fonts.bunny.net/css?family=dm-sans»');</style>`), 'remote-font', {
    findings: [`${need} "dm sans" from fonts.bunny.net; ${add('dm sans')}`],
  });
});

test('reports remote files of @font-face rules, once for each family', () => {
  const rule = (url: string) => `@font-face { font-family: Own; src: url(${url}) }`;
  check(
    page(`<style>${rule('«https://a.example/own.woff2»')}${rule('https://a.example/bold.woff2')}</style>`),
    'remote-font',
    {
      findings: [`${need} "Own" from a.example; ${add('Own')}`],
    },
  );
  check(
    project(
      '<link rel="stylesheet" href="«css/a.css»">',
      `=== css/a.css\n${rule('https://a.example/own.woff2')}`,
    ).trimEnd(),
    'remote-font',
    { findings: [`${need} "Own" from a.example; ${add('Own')}`] },
  );
});

test('says whether the font is available without the network', () => {
  const link = '<link rel="stylesheet" href="«https://fonts.googleapis.com/css2?family=Inter»">';
  check(page(link), 'remote-font', {
    findings: [`${need} "Inter" from fonts.googleapis.com, but renders have it without; remove it`],
  });
  check(page('<link rel="stylesheet" href="«//use.typekit.net/abc1def.css»">'), 'remote-font', {
    findings: [`${need} fonts from use.typekit.net; save the files in the project and declare them with @font-face`],
  });
});

test.each([
  '<link rel="preconnect" href="https://fonts.googleapis.com">',
  '<link rel="stylesheet" href="https://cdn.example.com/animate.css">',
  '<style>@font-face { font-family: Own; src: url(own.woff2) } p { background: url(https://a.example/a.png) }</style>',
])('does not report %s', (markup) => {
  check(page(markup), 'remote-font', { findings: [] });
});
