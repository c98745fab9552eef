// Variables in the page and in frames: values, bindings, and one scope for each mount.
import { describe, test } from 'vitest';
import {
  blue,
  box,
  cases,
  checkCells,
  green,
  integer,
  mount,
  page,
  png,
  red,
  string,
} from '../../../support/renders/frames.ts';
import { unreachableOrigin } from '../../../support/servers/host.ts';
import { core } from '../../../support/suites.ts';

const dataUrl = (color: [number, number, number]) =>
  `data:image/png;base64,${Buffer.from(png(color)).toString('base64')}`;

describe('getVariables', () => {
  cases([
    [
      'the result of a call in the first script of the page',
      page(`<script>number(0, early)</script>`, {
        head: '<script>var early = __framework.getVariables().n</script>',
        variables: [integer('n', 7)],
      }),
      { 0: [7] },
    ],
    [
      'a new copy for each call',
      page(`<script>__framework.getVariables().n = 9; number(0, __framework.getVariables().n)</script>`, {
        variables: [integer('n', 7)],
      }),
      { 0: [7] },
    ],
    [
      'values without changes to the prototypes of the page’s objects',
      page(
        `<script>number(0, __framework.getVariables().n); number(1, ({}).polluted ? 1 : 2); number(2, __framework.getVariables().polluted ? 1 : 2)</script>`,
      ),
      { 0: [3, 2, 2] },
      { variables: JSON.parse('{"n":3,"__proto__":{"polluted":true}}') },
    ],
  ]);
});

describe('passes to the page unchanged:', () => {
  const values = {
    quotes: `"double" 'single' \`back\` \\ \\n \n \r\n \t \0`,
    emoji: '🎬 👩‍👩‍👧 𝒳 é e\u0301',
    markup: '</script><script>document.body.remove()</script><!--<script>',
    lines: 'a\u2028b\u2029c',
    long: '0123456789abcdef'.repeat(12_800),
    surrogate: 'a\ud800b',
    data: { list: [1, 'two', null, { deep: '</script>' }], toString: 1 },
  };
  const checksum = (value: unknown) =>
    [...(typeof value === 'string' ? value : JSON.stringify(value))].reduce(
      (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 0xffffff,
      7,
    );

  test('quotes, emoji, markup, line separators, 200 KB, half a character, structured data', () =>
    checkCells(
      page(`<script>Object.values(__framework.getVariables()).forEach((value, index) => number(index, [...(typeof value === 'string' ? value : JSON.stringify(value))]
        .reduce((sum, character) => (sum * 31 + character.codePointAt(0)) % 0xffffff, 7)))</script>`),
      { 0: Object.values(values).map(checksum) },
      { variables: values },
    ));

  test('a key named __proto__ inside a value', () =>
    checkCells(
      page(
        '<script>const { v } = __framework.getVariables(); number(0, Object.keys(v).length); number(1, v.__proto__.n ?? 9)</script>',
      ),
      { 0: [2, 4] },
      { variables: { v: JSON.parse('{"a":1,"__proto__":{"n":4}}') } },
    ));
});

describe('declarative bindings', () => {
  const width = '<script>number(0, document.querySelector("p").getBoundingClientRect().width)</script>';
  const p = (attributes: string) => `<p ${attributes} style="margin:0;width:max-content;font:10px monospace">x</p>`;
  cases([
    [
      'data-var-text before the next script runs',
      page(`${p('data-var-text="title"')}<script>number(0, document.querySelector("p").textContent.length)</script>`, {
        variables: [string('title', 'default')],
      }),
      { 0: [9] },
      { variables: { title: '<b>nine!<' } },
    ],
    [
      'the original text if data-var-text has no value',
      page(`${p('data-var-text="title"')}${width.replace('getBoundingClientRect().width', 'textContent.length')}`),
      { 0: [1] },
    ],
    [
      'data-var-text on an element that a script adds later',
      page(
        `<script>const p = document.createElement('p'); p.setAttribute('data-var-text', 'title'); document.body.append(p);
        requestAnimationFrame(() => number(0, p.textContent.length))</script>`,
        { variables: [string('title', 'four')] },
      ),
      { 0: [4] },
    ],
    [
      'data-var-src as the source of an image',
      {
        'index.html': page('<img data-var-src="photo" src="red.png" style="position:absolute;left:0;top:0">', {
          variables: [string('photo', 'red.png')],
        }),
        'red.png': png([255, 0, 0]),
        'in/blue.png': png([0, 0, 255]),
      },
      { 0: [blue] },
      { variables: { photo: 'in/blue.png' } },
    ],
    [
      'data-var-src instead of an original that cannot be loaded, without a request for it',
      {
        'index.html': page(
          `<img data-var-src="photo" src="${unreachableOrigin}/a.png" style="position:absolute;left:0;top:0">${mount('m.html', { photo: 'in/blue.png' })}`,
        ),
        'm.html': `<div data-composition-id="m"><img data-var-src="photo" src="missing.png" style="position:absolute;left:8px;top:0"></div>`,
        'in/blue.png': png([0, 0, 255]),
      },
      { 0: [blue, blue] },
      { variables: { photo: 'in/blue.png' } },
    ],
    [
      'data-var-text on an element that a script adds in a later frame',
      page(
        `<script>setTimeout(() => root.insertAdjacentHTML('beforeend', '<p id="p" data-var-text="title"></p>'), 50); setTimeout(() => number(0, p.textContent.length), 60)</script>`,
        { duration: 0.2, variables: [string('title', 'four')] },
      ),
      { 1: [4] },
    ],
    [
      'other variables of a copy',
      page(
        `<p id="p" data-var-text="title"></p><script>const copy = p.cloneNode(true); copy.dataset.varText = 'other'; document.body.append(copy);
        requestAnimationFrame(() => number(0, copy.textContent.length))</script>`,
        { variables: [string('title', 'four'), string('other', 'three')] },
      ),
      { 0: [5] },
    ],
    [
      'a custom property that the author declares, too',
      page(
        `<div data-composition-id="c" style="--n: 1 !important"></div><script>number(0, document.querySelector('[data-composition-id=c]').style.getPropertyValue('--n'))</script>`,
        {
          variables: [integer('n', 5)],
        },
      ),
      { 0: [5] },
    ],
    [
      'what a script makes of bound elements and their copies',
      page(
        `<p id="p" data-var-text="title"></p><script>const copy = p.cloneNode(true); copy.append('!'); document.body.append(copy); p.textContent = 'by'; document.body.append(p);
        requestAnimationFrame(() => { number(0, p.textContent.length); number(1, copy.textContent.length) })</script>`,
        { variables: [string('title', 'four')] },
      ),
      { 0: [2, 5] },
    ],
    [
      'data-var-src with a data URL',
      page('<img data-var-src="photo" style="position:absolute;left:0;top:0">'),
      { 0: [green] },
      { variables: { photo: dataUrl([0, 255, 0]) } },
    ],
    [
      'custom properties that no style attribute can express',
      page(
        `<script>number(0, getComputedStyle(root).getPropertyValue('--title').length); number(1, getComputedStyle(root).getPropertyValue('--n'))</script>`,
        { variables: [string('title', "It's"), integer('n', 5)] },
      ),
      { 0: [4, 5] },
    ],
    [
      'a custom property for each scalar value on the root',
      page(
        `${box(0, 'var(--accent)')}${box(1, 'rgb(var(--level) 0 0)')}<script>number(2, getComputedStyle(document.body).getPropertyValue('--accent') === '' ? 1 : 2)</script>`,
        {
          variables: [{ id: 'accent', type: 'color', label: 'Accent', default: red }, integer('level', 128)],
        },
      ),
      { 0: [green, '#800000', 1] },
      { variables: { accent: green } },
    ],
  ]);

  test('rejects values of data-var-src that could run code or escape the project', core, () => {
    const refused = [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'data:text/html,<script>parent.x=1</script>',
      'file:///etc/passwd',
      ['in/blue.png'],
    ];
    const images = refused.map(
      (_, index) => `<img data-var-src="v${index}" src="red.png" style="position:absolute;left:${8 * index}px;top:0">`,
    );
    return checkCells(
      { 'index.html': page(images.join('')), 'red.png': png([255, 0, 0]), 'in/blue.png': png([0, 0, 255]) },
      { 0: refused.map(() => red) },
      { variables: Object.fromEntries(refused.map((value, index) => [`v${index}`, value])) },
    );
  });
});

const swatch = `<html data-composition-variables='[{"id":"c","type":"color","label":"C","default":"#ff0000"},{"id":"at","type":"number","label":"At","default":0}]'>
<head><style>.box{position:absolute;top:0;width:8px;height:8px;left:calc(8px * var(--at))}</style></head><body>
<div data-composition-id="swatch" data-width="8" data-height="8"><div class="box"></div>
<script>var own = __framework.getVariables().c; document.querySelector('.box').style.background = own; window.mine = own;</script>
<script>requestAnimationFrame(() => { if (window.mine !== own) document.querySelector('.box').style.background = 'white'; });</script>
</div></body></html>`;

describe('instances', () => {
  cases([
    [
      'a file that is mounted three times, each with its own values, elements and globals',
      {
        'index.html': page(
          mount('s.html', { at: 0 }) + mount('s.html', { at: 1, c: green }) + mount('s.html', { at: 2, c: blue }),
        ),
        's.html': swatch,
      },
      { 0: [red, green, blue] },
    ],
    [
      'two mounts with the same composition id',
      {
        'index.html': page(
          mount('s.html', { at: 0, c: green }, 'data-composition-id="swatch"') +
            mount('s.html', { at: 1, c: blue }, 'data-composition-id="swatch"'),
        ),
        's.html': swatch,
      },
      { 0: [green, blue] },
    ],
    [
      'values of the command line only at the top level',
      {
        'index.html': page(`${mount('s.html', { at: 0 })}<script>cell(1, __framework.getVariables().c)</script>`),
        's.html': swatch,
      },
      { 0: [red, blue] },
      { variables: { c: blue } },
    ],
    [
      'nested mounts with the values of the nearest host',
      {
        'index.html': page(mount('row.html', { c: blue }) + mount('s.html', { at: 2 })),
        'row.html': `<div data-composition-id="row" data-width="64" data-height="8">${mount('s.html', { at: 0, c: green })}${mount('s.html', { at: 1 })}</div>`,
        's.html': swatch,
      },
      { 0: [green, red, red] },
    ],
    [
      'data-var-text and custom properties with the values of the instance',
      {
        'index.html': page(
          `${mount('t.html', { n: 'aaa' })}${mount('t.html', {})}<script>document.querySelectorAll('p').forEach((p, i) => number(i, p.textContent.length))</script>`,
          { variables: [string('n', 'outer')] },
        ),
        't.html': `<html data-composition-variables='${JSON.stringify([string('n', 'a')])}'><body><div data-composition-id="t"><p data-var-text="n"></p></div></body></html>`,
      },
      { 0: [3, 1] },
    ],
    [
      'styles of a mounted file only in its mount',
      {
        'index.html': page(`${box(0, red, 'class="box"')}${mount('g.html', {})}`),
        'g.html': `<html><head><style>body{background:red}.box{background:lime!important}</style></head><body><div data-composition-id="g">${box(1, red, 'class="box"')}</div></body></html>`,
      },
      { 0: [red, green] },
    ],
    [
      'a mounted file that replaces window.__timelines',
      {
        'index.html': page(mount('t.html', {}), { duration: 0.3 }),
        't.html': `<div data-composition-id="t"><script>window.__timelines = { t: { pause() {}, duration: () => 1, totalTime(t) { number(0, t * 1000) } } }</script></div>`,
      },
      { 0: [0], 2: [200] },
    ],
  ]);
});
