// Scripts of an embedded file run once per mount, in its scope, in the order of a page.
import { describe, expect, test } from 'vitest';
import { composition } from '../../../support/project.ts';
import { cases, green, integer, mount, packaged, page, red, renderFrames } from '../../../support/renders/frames.ts';

/** A file that is mounted twice, with `at` 0 and 1. `number(at, …)` fills the cell of its mount. */
const twice = (file: string, others: Record<string, string | Uint8Array> = {}) => ({
  'index.html': page(mount('m.html', { at: 0 }) + mount('m.html', { at: 1 }), { duration: 0.4 }),
  'm.html': `<!doctype html><html data-composition-variables='${JSON.stringify([integer('at', 9)])}'><body>${file}</body></html>`,
  ...others,
});

const root = (content: string) => `<div data-composition-id="m" data-width="8" data-height="8">${content}</div>`;
const values = '__framework.getVariables()';

describe('an external script of a file that is mounted twice', () => {
  cases([
    [
      'once per mount, with the values and elements of each mount',
      twice(root('<p data-var-text="at"></p><script src="lib/m.js"></script>'), {
        'lib/m.js': `const { at } = ${values}; number(at, 10 + Number(document.querySelector('p').textContent))`,
      }),
      { 0: [10, 11] },
    ],
    [
      'with globals that the other scripts of the mount can use',
      twice(root('<script src="m.js"></script><script>number(at, add(1) + total + window.extra + more)</script>'), {
        'm.js': `var at = ${values}.at; let total = 10 * at; const add = (n) => { total += n; return total }; window.extra = 100; more = 1000 * (at + 1)`,
      }),
      { 0: [1102, 2122] },
    ],
    [
      'with globals that other scripts of the mount extend',
      twice(root('<script src="a.js"></script><script src="b.js"></script><script>number(App.at, App.n)</script>'), {
        'a.js': `var App = App || {}; App.at = ${values}.at; App.n = App.at`,
        'b.js': 'var App = App || {}; App.n += 20; function later() { return App }',
      }),
      { 0: [20, 21] },
    ],
    [
      'with its own globals, also where the page and elements have globals of the same names',
      {
        ...twice(
          root(
            `<p id="p"></p><script>var { at } = ${values}; var n; window.n = (n ?? 3) + at; window.p = p = 10 * at; page += 1;</script><script>setTimeout(() => number(at, n + p + 100 * page))</script>`,
          ),
        ),
        'index.html': page(
          `<script>var n = 50; let page = 1</script>${mount('m.html', { at: 0 })}${mount('m.html', { at: 1 })}`,
        ),
      },
      { 0: [303, 314] },
    ],
    [
      'with custom elements of its own',
      twice(
        root(
          `<x-n></x-n><script>customElements.define('x-n', class extends HTMLElement { n = 4 }); number(${values}.at, document.querySelector('x-n').n)</script>`,
        ),
      ),
      { 0: [4, 4] },
    ],
    [
      'as strict code if it is strict',
      twice(root(`<script src="m.js"></script><script>number(${values}.at, isStrict ? 1 : 2)</script>`), {
        'm.js': `'use strict'; const isStrict = (function () { return this === undefined })()`,
      }),
      { 0: [1, 1] },
    ],
  ]);
});

describe('the scripts of a mounted file run', () => {
  const order = (name: string) => `(window.order ??= []).push('${name}');`;
  const shown = `number(${values}.at, order.join('') === 'abcde' ? 1 : parseInt(order.join(''), 16))`;
  cases([
    [
      'in document order, also those with async, and those with defer last',
      twice(
        `<script>${order('a')}</script>${root('<script src="b.js"></script><script src="e.js" defer></script>')}<script async src="c.js"></script><script>${order('d')}</script>`,
        { 'b.js': order('b'), 'c.js': order('c'), 'e.js': `${order('e')}${shown}` },
      ),
      { 0: [1, 1] },
    ],
    [
      'in the order of the hosts, after the scripts of the page',
      {
        ...twice(root(`<script>log.push(${values}.at + 2)</script><script src="m.js"></script>`), {
          'm.js': `number(2 + ${values}.at, Number(log.join('')))`,
        }),
        'index.html': page(
          `<script>var log = []</script>${mount('m.html', { at: 0 })}${mount('m.html', { at: 1 })}<script>log.push(1)</script>`,
        ),
      },
      { 0: [null, null, 12, 123] },
    ],
    [
      'with their own element as document.currentScript',
      twice(
        root(
          `<div data-n="5"><script data-n="6">number(${values}.at, 10 * document.currentScript.parentElement.dataset.n + Number(document.currentScript.dataset.n))</script></div>`,
        ),
      ),
      { 0: [56, 56] },
    ],
    [
      'next to nested mounts',
      {
        'index.html': page(mount('outer.html', {})),
        'outer.html': `<div data-composition-id="o">${mount('m.html', { at: 0 })}<b><script>number(1, document.currentScript.parentElement.tagName === 'B' ? 6 : 7)</script></b></div>`,
        'm.html': root(
          `<i><script>number(0, document.currentScript.parentElement.tagName === 'I' ? 4 : 5)</script></i>`,
        ),
      },
      { 0: [4, 6] },
    ],
    [
      'with the window of the mount as this',
      twice(
        root(`<script>this.own = ${values}.at</script><script>setTimeout(() => number(own, 3 + this.own))</script>`),
      ),
      { 0: [3, 4] },
    ],
  ]);
});

describe('the document of a mount has', () => {
  cases([
    [
      'the host as documentElement and body',
      twice(
        `<style>:root{--n:30}body.on p{width:5px}p{width:1px;margin:0}</style>${root(
          `<p></p><script>const { at } = ${values}; const width = () => document.querySelector('p').offsetWidth;
          document.body.classList.toggle('on', at === 1);
          document.documentElement.style.setProperty('--m', 100 * at);
          const style = getComputedStyle(document.querySelector('p'));
          number(at, width() + Number(getComputedStyle(document.documentElement).getPropertyValue('--n')) + Number(style.getPropertyValue('--m')))</script>`,
        )}`,
      ),
      { 0: [31, 135] },
    ],
    [
      'the host as html, body and :root',
      twice(
        root(
          `<script>const { at } = ${values}; document.querySelector(':root').dataset.n = 10 + at;
          document.body.append(document.createElement('b'));
          number(at, Number(document.querySelector('body').dataset.n) + 100 * document.querySelectorAll('b').length + (document.querySelector('html').matches('[data-composition-src]') ? 1000 : 0))</script>`,
        ),
      ),
      { 0: [1110, 1111] },
    ],
  ]);
});

describe('handlers and callbacks of a mount', () => {
  cases([
    [
      'handler attributes with the functions, values and elements of their mount',
      twice(
        root(
          `<p data-var-text="at"></p><button name="b" onclick="show(event, this.name, name)">x</button><script>
          const { at } = ${values};
          function show(event, own, name) { number(at, 10 + Number(document.querySelector('p').textContent) + (event.type + own + name === 'clickbb' ? 100 : 0)) }
          document.querySelector('button').click();
          </script>`,
        ),
      ),
      { 0: [110, 111] },
    ],
    [
      'handler attributes of elements that a script inserts',
      twice(
        root(
          `<p></p><script>const { at } = ${values}; document.querySelector('p').innerHTML = '<b onclick="number(at, 7)">x</b>'; setTimeout(() => document.querySelector('b').click())</script>`,
        ),
      ),
      { 0: [7, 7] },
    ],
    [
      'handler attributes of events that come before the scripts',
      twice(
        root(
          `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" onload="loaded(this)"><script src="m.js"></script>`,
        ),
        { 'm.js': `const loaded = (image) => number(${values}.at, 4 + ${values}.at + image.naturalWidth)` },
      ),
      { 0: [5, 6] },
    ],
    [
      'timers, as functions and as strings, and promises',
      twice(
        root(
          `<script>const { at } = ${values}; let n = 0; const add = (by) => { n += by; number(at, n) };
          setTimeout('add(1)', 50); setTimeout(function () { add(this.at === at ? 10 : 20) }, 150); Promise.resolve().then(() => add(100))</script>`,
        ),
      ),
      { 0: [100, 100], 1: [101, 101], 2: [111, 111] },
    ],
    [
      'listeners of document and window, with the mount as `this`',
      twice(
        root(
          `<p data-var-text="at"></p><script>var { at } = ${values}, n = 0;
          const add = function () { n += 1 + Number(this.querySelector('p').textContent) };
          document.addEventListener('add', add); document.addEventListener('add', add, false);
          window.addEventListener('add', function () { number(this.at, n + 10 * this.n) });
          addEventListener('add', { handleEvent() { n += 100; document.removeEventListener('add', add) } });</script>`,
        ),
        {
          'index.html': page(
            `${mount('m.html', { at: 0 })}${mount('m.html', { at: 1 })}<script>
            for (const ms of [50, 150]) setTimeout(() => document.dispatchEvent(new Event('add', { bubbles: true })), ms)</script>`,
            { duration: 0.4 },
          ),
        },
      ),
      { 1: [11, 22], 2: [1111, 1122] },
    ],
    [
      'properties such as window.onresize in every mount',
      twice(root(`<script>const { at } = ${values}; window.onresize = () => number(at, 8 + at)</script>`), {
        'index.html': page(
          `${mount('m.html', { at: 0 })}${mount('m.html', { at: 1 })}<script>setTimeout(() => dispatchEvent(new Event('resize')), 50)</script>`,
          { duration: 0.2 },
        ),
      }),
      { 1: [8, 9] },
    ],
  ]);
});

describe('a library that a mounted file loads', () => {
  const counted = 'window.runs = (window.runs || 0) + 1;';
  const umd = `(function (root, factory) { typeof define === 'function' && define.amd ? define(factory) : root.Umd = factory() })(this, () => { ${counted} return 5 })`;
  const show = (value: string) =>
    `<script>const { at } = ${values}; number(at, 10 * runs + ${value}); number(2 + at, window.Umd)</script>`;
  cases([
    [
      'once for the page, if it is in UMD format',
      twice(root(`<script src="umd.js"></script>${show('Umd')}`), { 'umd.js': umd }),
      { 0: [15, 15, 5, 5] },
    ],
    ['once for the page, if it is inline', twice(root(`<script>${umd}</script>${show('Umd')}`)), { 0: [15, 15] }],
    [
      'once for the page, if its name ends with .min.js',
      twice(root(`<script src="a.min.js"></script>${show('1')}`), { 'a.min.js': counted }),
      { 0: [11, 11] },
    ],
    [
      'once per mount, if it uses the framework',
      twice(root('<script src="a.min.js"></script>'), { 'a.min.js': `${counted}number(${values}.at, 10 * runs + 2)` }),
      { 0: [12, 12] },
    ],
    [
      'GSAP with selectors in the mount, also in timers',
      twice(
        root(
          `<i style="position:absolute;top:0;left:calc(8px * var(--at));width:8px;height:8px"></i><script src="gsap.js"></script><script>
          const color = ${values}.at ? '${red}' : '${green}'; setTimeout(() => gsap.set('i', { backgroundColor: color }), 50)</script>`,
        ),
        { 'gsap.js': packaged('gsap/dist/gsap.min.js') },
      ),
      { 1: [green, red] },
    ],
  ]);
});

describe('an error in a mount names the file and the line of', () => {
  const failure = async (file: string, script: string) => {
    const index = composition('<div data-composition-src="in/m.html"></div>');
    const files = { 'index.html': index, 'in/m.html': file, 'in/m.js': script };
    return renderFrames(files).then(
      () => undefined,
      ({ code, place }) => ({ code, place }),
    );
  };
  const at = (file: string, line: number, column: number) => ({ code: 'script_error', place: { file, line, column } });
  const failing = '  null.x';
  const external = '\n<script src="m.js"></script>';
  const click = `<script>document.querySelector('b').click()</script>`;

  test.each([
    ['an external script', external, `\n\n${failing}`, at('in/m.js', 3, 8)],
    ['an external script with a syntax error', external, '\n\nconst = 1', at('in/m.js', 3, 7)],
    [
      'an inline script after an external one',
      `${external}\n<script>${failing}</script>`,
      '\n\n',
      at('in/m.html', 3, 16),
    ],
    [
      'a function of an external script that an inline one calls',
      `${external}\n<script>fail()</script>`,
      `\nfunction fail() {\n${failing} }`,
      at('in/m.js', 3, 8),
    ],
    ['a handler', `\n<b\n  onclick="\n${failing}">x</b>${click}`, '', at('in/m.html', 4, 8)],
    ['a handler with a syntax error', `\n<b\n  onclick="const = 1">x</b>${click}`, '', at('in/m.html', 3, 18)],
    [
      'a module',
      '\n<script type="module" src="m.js"></script>',
      '',
      { code: 'composition_invalid', place: { file: 'in/m.html', line: 2, column: 9 } },
    ],
    ['a timer', external, `\nsetTimeout(() => {\n${failing} })`, at('in/m.js', 3, 8)],
  ])('%s', async (_, content, script, expected) => expect(await failure(root(content), script)).toEqual(expected));
});
