// A whole composition file as a model.
import { expect, test } from 'vitest';
import {
  type Composition,
  isCompositionFile,
  parseAuthored,
  parseComposition,
} from '../../../renderer-core/model/composition.ts';
import { extractCompositionMetadata } from '../../../renderer-core/model/metadata.ts';
import { mark } from '../../support/editor/markup.ts';

function check(text: string, expected: Partial<Record<keyof Composition, unknown>>) {
  expect(parseComposition(text)).toMatchObject(expected);
}

/** Problems as `severity code: message`; the marked ranges are their places. */
function checkProblems(markup: string, expected: string[]) {
  const text = markup.replace(/[«»]/g, '');
  const { problems } = parseComposition(text);
  expect(problems.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toEqual(expected);
  expect(
    mark(
      text,
      problems.map(({ span }) => span),
    ),
  ).toBe(markup);
}

test('reads the root, id, size, duration and frame rate of a document', () => {
  check(
    '<!doctype html><html><body><main data-composition-id="main" data-width="1920" data-height="1080" data-duration="12.5" data-fps="30000/1001"></main>',
    {
      kind: 'document',
      root: { tag: 'main' },
      id: { text: 'main' },
      width: { value: 1920 },
      height: { value: 1080 },
      duration: { raw: '12.5', value: 12.5 },
      fps: { raw: '30000/1001', value: 30000 / 1001 },
      problems: [],
    },
  );
});

test('recognizes fragments and templates', () => {
  check('<div data-composition-id="a"></div><style></style>', {
    kind: 'fragment',
    root: { tag: 'div' },
    template: null,
  });
  check('<template id="t"><style></style><div data-composition-id="a"></div></template>', {
    kind: 'template',
    root: { tag: 'div' },
    template: { tag: 'template' },
    styles: [{}],
  });
  check('<!doctype html><html><body><template><div data-composition-id="a"></div></template></body></html>', {
    kind: 'template',
    id: { text: 'a' },
  });
  check('<div><template><div data-composition-id="a"></div></template></div>', { kind: 'fragment', root: null });
});

test.each([
  ['<html data-composition-id="a"><div data-composition-id="a" data-width="9" data-height="9"></div></html>', 'div'],
  ['<meta data-composition-id="a"><p data-composition-id="a" data-width="9"></p>', 'p'],
  ['<html data-composition-id="a" data-width="9"><div data-composition-id="b" data-width="9"></div></html>', 'html'],
  ['<div data-composition-id="a"><p data-composition-id="b" data-width="9"></p></div>', 'div'],
  ['<body data-composition-id="a"><p></p></body>', 'body'],
  ['<html data-composition-id="a"><body><template><p data-composition-id="a"></p></template></body></html>', 'p'],
])('finds the composition if the page has an id too: %s', (text, tag) => {
  expect(parseComposition(text).root?.tag).toBe(tag);
});

test('uses the outermost composition as root, and prefers an inline one to a host', () => {
  check('<div data-composition-id="a"><div data-composition-id="b"></div></div>', { id: { text: 'a' } });
  check('<div data-composition-id="a" data-composition-src="a.html"></div><div data-composition-id="b"></div>', {
    id: { text: 'b' },
  });
  check('<div data-composition-id="a" data-composition-src="a.html"></div>', {
    id: { text: 'a' },
    hosts: [{ src: { text: 'a.html' } }],
  });
  check('<template><div data-composition-id="t"></div></template><div data-composition-id="a"></div>', {
    id: { text: 'a' },
    template: null,
  });
});

test('reads hosts and inline compositions with their values', () => {
  const { hosts, inlineCompositions } = parseComposition(
    `<div data-composition-id="main">
      <div data-composition-id="card" data-composition-src=" cards/card.html " data-variable-values='{"title":"Pro","n":{"a":[1]}}' data-start="1" data-duration="2"></div>
      <div data-composition-src="b.html"></div>
      <div data-composition-id="inline" data-variable-values='{"x":true}' data-width="10"></div>
    </div>`,
  );
  expect(hosts).toMatchObject([
    {
      src: { text: 'cards/card.html' },
      id: { text: 'card' },
      values: { values: { title: 'Pro', n: { a: [1] } } },
      clip: { name: '"card"' },
      duration: { value: 2 },
    },
    { src: { text: 'b.html' }, id: null, values: null, clip: null, duration: null },
  ]);
  expect(inlineCompositions).toMatchObject([
    { id: { text: 'inline' }, values: { values: { x: true } }, clip: null, width: { value: 10 } },
  ]);
});

test('returns the spans of keys and values', () => {
  const markup = `<div data-composition-id="m"><div data-composition-src="a.html" data-variable-values='{«"title"»:«"Pro"», «"n"»:«1»}'></div></div>`;
  const text = markup.replace(/[«»]/g, '');
  const entries = parseComposition(text).hosts[0]?.values?.entries ?? [];
  expect(
    mark(
      text,
      entries.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]),
    ),
  ).toBe(markup);
});

test('reads clips and media with the compositions that own them', () => {
  const { clips, media } = parseComposition(
    `<div data-composition-id="main"><div id="box" data-start="1"><img data-start="box + 1" data-duration="2" data-track-index="3">
      <div data-composition-id="in"><video data-start="0" src="a.mp4" data-media-start="1.5" data-playback-rate="2" data-volume="0.5" loop muted="false" data-has-audio="false"></video></div>
      </div><audio data-duration=4><source src="s.mp3"></audio></div>`,
  );
  expect(
    clips.map(({ name, media, owner, parent }) => [
      name,
      media,
      owner?.element.attributes.get('data-composition-id')?.value,
      parent?.name,
    ]),
  ).toEqual([
    ['"box"', null, 'main', undefined],
    ['<img>', 'image', 'main', '"box"'],
    ['<video>', 'video', 'in', '"box"'],
  ]);
  expect(clips[1]).toMatchObject({
    start: { kind: 'after', id: 'box', offset: 1 },
    duration: { value: 2 },
    trackIndex: { value: 3 },
  });
  expect(media).toMatchObject([
    {
      kind: 'video',
      clip: { name: '<video>' },
      src: { text: 'a.mp4' },
      mediaStart: { value: 1.5 },
      playbackRate: { value: 2 },
      volume: { value: 0.5 },
      loop: true,
      muted: true,
      hasAudio: false,
    },
    {
      kind: 'audio',
      clip: null,
      src: { text: 's.mp3' },
      duration: { value: 4 },
      loop: false,
      muted: false,
      hasAudio: null,
    },
  ]);
});

test('reads bindings and color gradings', () => {
  check(
    `<div data-composition-id="m"><h1 data-var-text="title"></h1><img data-var-src="photo"><video data-color-grading='{"preset":"$look","adjust":{"exposure":"\${ ev }"},"x":"a $b"}'></video></div>`,
    {
      bindings: [
        { kind: 'text', id: { text: 'title' } },
        { kind: 'src', id: { text: 'photo' } },
      ],
      gradings: [{ value: { preset: '$look' }, references: [{ name: 'look' }, { name: 'ev' }] }],
    },
  );
});

test('lists scripts, styles and style sheets, except inert ones', () => {
  const { scripts, styles, stylesheets } = parseComposition(
    `<html><head><link rel="stylesheet" href="a.css"><style>a > b {}</style><script src="g.js"></script></head><body>
     <template><script>inert()</script></template><script type="MODULE">if (a < b && c) d()</script></body></html>`,
  );
  expect(scripts).toMatchObject([
    { src: { text: 'g.js' }, text: '', type: '', isModule: false },
    { src: null, text: 'if (a < b && c) d()', type: 'module', isModule: true },
  ]);
  expect(styles.map(({ text }) => text)).toEqual(['a > b {}']);
  expect(stylesheets.map(({ href }) => href.text)).toEqual(['a.css']);
});

test('reports a missing composition and invalid attributes', () => {
  checkProblems('«<»p>no composition', [
    'error no-composition: No element has data-composition-id; add it to the outermost element of the composition',
  ]);
  checkProblems('<div data-composition-id="«»"></div>', ['error missing-id: data-composition-id must not be empty']);
  checkProblems('<div data-composition-id="m" data-width="«1920px»" data-height="«0.5»" data-fps="«300»"></div>', [
    'error not-a-number: data-width must be a number (got "1920px"); leave out the unit',
    'error out-of-range: data-height must be a whole number of at least 1 (got 0.5)',
    'error out-of-range: data-fps must be a number from 1 to 240 (got 300)',
  ]);
  checkProblems(
    '<div data-composition-id="m"><video data-start="0" data-volume="«2»" data-playback-rate="«0»"></video></div>',
    [
      'warning out-of-range: data-volume must be a number from 0 to 1 (got 2)',
      'warning out-of-range: data-playback-rate must be a number from 0.1 to 5 (got 0)',
    ],
  );
  checkProblems(
    '<div data-composition-id="m"><audio data-volume="«50%»"></audio><audio data-volume="«$vol»"></audio></div>',
    [
      'warning not-a-number: data-volume must be a number (got "50%"); write 0.5 instead of 50%',
      'warning not-a-number: data-volume must be a number (got "$vol"); $vol is replaced only in data-variable-values and data-color-grading, so set the attribute in a script',
    ],
  );
  checkProblems(
    `<div data-composition-id="m"><div data-composition-src="a" data-variable-values='«[1]»'></div><video data-color-grading="{«»"></video></div>`,
    [
      'error invalid-json: data-variable-values must be a JSON object (got an array)',
      'error invalid-json: Unexpected end of the JSON in data-color-grading; put the attribute value in single quotes, or write each " in it as &quot;',
    ],
  );
  checkProblems(`<html data-composition-variables='«{}»'><body data-composition-id="m">`, [
    'error invalid-declarations: data-composition-variables must be a JSON array, [{"id": …}] (got an object)',
  ]);
});

test('keeps the span and problem of invalid JSON, without values', () => {
  const markup = `<div data-composition-id="m"><video data-composition-src="a" data-variable-values='«{"a":«}»»' data-color-grading='««[]»»'></video></div>`;
  const text = markup.replace(/[«»]/g, '');
  const { hosts, gradings } = parseComposition(text);
  expect(hosts[0]?.values).toMatchObject({ values: {}, entries: [] });
  expect(gradings[0]).toMatchObject({ value: undefined, references: [] });
  const spans = [hosts[0]?.values, gradings[0]].flatMap((one) => (one?.problem ? [one.span, one.problem.span] : []));
  expect(mark(text, spans)).toBe(markup);
});

test('ignores a number out of range, or clamps it if the video can still be rendered', () => {
  const { width, media } = parseComposition(
    '<div data-composition-id="m" data-width="-5"><audio data-volume="7" data-playback-rate="0.01"></audio></div>',
  );
  expect([width?.value, media[0]?.volume?.value, media[0]?.playbackRate?.value]).toEqual([null, 1, 0.1]);
});

test('extracts metadata for other tools', () => {
  expect(
    extractCompositionMetadata(
      `<html data-composition-variables='[{"id":"a","type":"string","label":"A","default":"x"},{"id":"b","type":"object"}]'><body data-composition-id="m" data-width="1080" data-height="1920" data-duration="x">`,
    ),
  ).toEqual({ variables: [{ id: 'a', type: 'string', label: 'A', default: 'x' }], id: 'm', width: 1080, height: 1920 });
  expect(extractCompositionMetadata('')).toEqual({ variables: [] });
});

test.each<[string, boolean]>([
  ['<p data-composition-id="a"></p>', true],
  ['<P DATA-COMPOSITION-ID="a"></P>', true],
  ['<html data-composition-variables="[]"><p>Not finished</p></html>', true],
  ['<p data-composition-></p>', true],
  ['<template><p data-composition-id="a"></p></template>', true],
  ['<template><p data-composition-id="a"></p></template><style>p {}</style><!-- a card -->', true],
  ['<h1>Manual</h1><code>&lt;div data-composition-id="main"&gt;</code>', false],
  ['<!-- <div data-composition-id="main"> -->', false],
  [`<script>document.body.innerHTML = '<div data-composition-id="main">'</script>`, false],
  ['<style>[data-composition-id] { color: red }</style>', false],
  ['<textarea><div data-composition-id="main"></textarea>', false],
  ['<title><div data-composition-id="main"></title>', false],
  ['<noscript><div data-composition-id="main"></div></noscript>', false],
  ['<iframe srcdoc="<div data-composition-id=main>"></iframe>', false],
  ['<p title="data-composition-id">About data-composition-src</p>', false],
  ['<h1>Manual</h1><template><div data-composition-id="main"></div></template>', false],
  ['<main><template><div data-composition-id="main"></div></template></main>', false],
])('decides by elements whether a file is a composition: %s', (text, expected) => {
  expect(isCompositionFile(parseAuthored(text))).toBe(expected);
});
