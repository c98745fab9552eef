// Characters that no font has. Adlam (𞤀 U+1E900, 𞤁 U+1E901) and Ethiopic (ሰ U+1230) are not in the pinned fonts.
import { expect, test } from 'vitest';
import { check, lint } from './lint.ts';

const page = (inside: string) => `<div data-composition-id="m">${inside}</div>`;
const project = (inside: string, files = '') => `=== index.html\n${page(inside)}\n${files}`;
const box = (character: string, todo: string) =>
  `warning missing-glyph: No font has the character ${character}, so it is shown as a box; ${todo}`;
const run = (family: string) => `run framework fonts add "${family}", and add that name to font-family`;
const adlam = [box('U+1E900 (𞤀)', run('Noto Sans Adlam'))];
const rule = 'missing-glyph';

test('reports each character once, at its first place', () => {
  check(page('<p>Hi «𞤀» 𞤀</p><b>«ሰ»𞤀</b>'), rule, {
    findings: [...adlam, box('U+1230 (ሰ)', run('Noto Sans Ethiopic'))],
  });
});

test('names no family if none is known', () => {
  check(page('<p>«\uf101»</p>'), rule, {
    findings: [box('U+F101 (\uf101)', 'use another character, or add a font that has it to the project')],
  });
});

test('has the family for the quick fix', () => {
  const findings = lint(new Map([['index.html', page('𞤀')]]), 'index.html');
  expect(findings.map(({ fonts }) => fonts)).toEqual([['Noto Sans Adlam']]);
});

test.each([
  ['a character reference', page('<p>A «&#x1E900;» B</p>')],
  ['text between elements and comments', page('<!-- 𞤀 -->a<b>b</b> «𞤀»<i>c</i>')],
  ['a text area', page('<textarea>«𞤀»</textarea>')],
  ['SVG', page('<svg><text>«𞤀»</text></svg>')],
  ['content of a style', page('<style>p::before { content: "→ «𞤀»" }</style>')],
  ['content with an escape', page(`<style>p::before { content: «'\\1E900  x'» }</style>`)],
  ['a template with the composition', `<template>${page('«𞤀»')}</template>`],
  [
    'a default',
    `<html data-composition-variables='[{"id":"a","type":"string","label":"A","default":"x «𞤀»"}]'><div data-composition-id="m"></div></html>`,
  ],
  [
    'a default with an escape',
    `<html data-composition-variables='[{"id":"a","type":"string","label":"A","default":«"\\ud83a\\udd00"»}]'><div data-composition-id="m"></div></html>`,
  ],
  ['a given value', page(`<div data-composition-src="card.html" data-variable-values='{"title":"«𞤀»"}'></div>`)],
])('reports a character in %s', (_, markup) => {
  check(markup, rule, { findings: adlam });
});

test.each([
  ['scripts, titles and comments', page('<script>"𞤀"</script><svg><title>𞤀</title></svg><!-- 𞤀 -->')],
  ['attributes that are not shown', page('<p title="𞤀" data-note="𞤀">x</p>')],
  ['a template that is not the composition', page('<template><p>𞤀</p></template>')],
  ['comments and other properties of styles', page('<style>/* content: "𞤀" */ p { --content: "𞤀" }</style>')],
  ['a selector', page('<style>.𞤀 { color: red }</style>')],
])('does not look in %s', (_, markup) => {
  check(markup, rule, { findings: [] });
});

test.each([
  'Hello – “quotes” … € ©',
  'ế ự ñ ø Ж α א ب अ ก 你好 說 あ 가',
  '😀 👩🏽‍🚀 🇩🇪 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\u00a0\u00ad\u200b\u200d\u2028\ufe0f\ufeff',
])('does not report %j', (text) => {
  check(page(`<p>${text}</p>`), rule, { findings: [] });
});

const face = (range = '') => `@font-face { font-family: Own; src: url(own.woff2);${range} }`;
const embedding = (inside: string) => page(`${inside}<div data-composition-src="scene.html"></div>`);

test.each([
  ['the page', project(`<style>${face()}</style>𞤀`)],
  ['the page, with the range', project(`<style>${face('unicode-range: U+0-FF, U+1E9??')}</style>𞤀`)],
  ['the page, with an invalid range', project(`<style>${face('unicode-range: adlam')}</style>𞤀`)],
  ['a style sheet', project('<link rel="stylesheet" href="a.css">𞤀', `=== a.css\n${face()}`)],
  ['a font sheet', project('𞤀', `=== fonts/own.css\n${face()}`)],
  ['a file that embeds it', `=== scene.html\n${page('𞤀')}\n=== index.html\n${embedding(`<style>${face()}</style>`)}`],
  ['a file that it embeds', `=== index.html\n${embedding('𞤀')}\n=== scene.html\n${page(`<style>${face()}</style>`)}`],
  ['a web font service', project('<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Lora">𞤀')],
  ['a remote style sheet', project('<link rel="stylesheet" href="https://cdn.example.com/a.css">𞤀')],
  ['a missing style sheet', project('<link rel="stylesheet" href="none.css">𞤀')],
  ['a script', project('<script>document.fonts.add(new FontFace(name, url))</script>𞤀')],
  ['a font loader', project('<script src="https://kit.fontawesome.com/a.js"></script>𞤀')],
])('does not report a character that a font of %s may have', (_, markup) => {
  check(markup, rule, { findings: [] });
});

test('reports a character that the own fonts are not used for', () => {
  const range = 'unicode-range: U+0000-00FF, U+0131';
  check(
    project(`<script src="gsap.js"></script><style>${face(range)}</style>«𞤀»`, `=== fonts/own.css\n${face(range)}`),
    rule,
    { findings: adlam },
  );
});
