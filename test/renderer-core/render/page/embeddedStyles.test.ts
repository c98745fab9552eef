// The styles of an embedded file apply to its mount as to a page, and to nothing else.
import { describe } from 'vitest';
import { black, blue, cases, green, page, red } from '../../../support/renders/frames.ts';

/** The style of a host at the position and of the size of the i-th cell, for the rules of a class. */
const cellStyle = (index: number) => `position:absolute;top:0;left:${8 * index}px;width:8px;height:8px`;

/** A host with the class `slot<index>` at the i-th cell. */
const slot = (index: number, src: string, attributes = '', style = '') =>
  `<style>.slot${index}{${cellStyle(index)};${style}}</style><div class="slot${index}" data-composition-src="${src}" ${attributes}></div>`;

/** A file with a square that fills its mount. */
const file = (css: string, color = 'currentColor', html = '<html>', content = '') =>
  `<!doctype html>${html}<head><style>${css}</style></head><body><div data-composition-id="m" style="width:8px;height:8px;background:${color}">${content}</div></body></html>`;

describe('rules for html and body in an embedded file', () => {
  cases([
    [
      'without a change of the size, position and visibility that the host has in its own file',
      {
        'index.html': page(slot(0, 'a.html') + slot(1, 'b.html', '', 'display:block;opacity:1;transform:none')),
        'a.html': file('html,body{position:static;width:24px;left:16px;display:inline;background:#0000ff}', red),
        'b.html': file('body{opacity:0;transform:translateX(8px)}:root{display:none}', green),
      },
      { 0: [red, green, black] },
    ],
    [
      'with color, background and custom properties inside of the mount',
      {
        'index.html': page(slot(0, 'a.html', '', 'color:#0000ff') + slot(1, 'b.html') + slot(2, 'c.html')),
        'a.html': file('body{color:red}'),
        'b.html': file(':root{--x:lime}', 'var(--x)'),
        'c.html': file('html{background:blue}', 'transparent'),
      },
      { 0: [red, green, blue] },
    ],
    [
      'where the host has no rule of its own',
      {
        'index.html': page(
          '<style>*{padding:0;margin:0}</style><div style="position:absolute;top:0;left:0" data-composition-src="a.html"></div>',
        ),
        'a.html': file('body{padding-left:8px;width:8px;background:red}', green),
      },
      { 0: [red, green, black] },
    ],
    [
      'with the specificity that they have in a page',
      {
        'index.html': page(slot(0, 'a.html') + slot(1, 'b.html')),
        'a.html': file(
          '.m{color:lime}html body p{color:red}',
          'red',
          '<html>',
          '<p class="m" style="margin:0;height:8px;background:currentColor"></p>',
        ),
        'b.html': file(
          ':root p{color:lime}.m{color:red}',
          'red',
          '<html>',
          '<p class="m" style="margin:0;height:8px;background:currentColor"></p>',
        ),
      },
      { 0: [green, green] },
    ],
  ]);
});

describe('style sheets of an embedded file', () => {
  cases([
    [
      'with their media queries',
      {
        'index.html': page(slot(0, 'a.html') + slot(1, 'b.html')),
        'a.html': file('body{color:lime}</style><style media="print">body{color:red}'),
        'b.html': file(
          'body{color:lime}</style><link rel="stylesheet" href="print.css" media="print"><style media="screen">p{}',
        ),
        'print.css': 'body{color:red}',
      },
      { 0: [green, green] },
    ],
    [
      'with the style sheets that they import, only in the mount',
      {
        'index.html': page(
          `<p style="margin:0;width:8px;height:8px;background:currentColor;color:blue"></p>${slot(1, 'a.html')}${slot(2, 'b.html')}`,
        ),
        'a.html': file('@import "css/p.css" layer(a) screen;p{margin:0}', red, '<html>', '<p></p>'),
        'b.html': file(
          '@import "css/p.css" layer();@import url(css/p.css) supports(color:red);',
          red,
          '<html>',
          '<p></p>',
        ),
        'css/p.css': '@import "more.css";p{height:8px;margin:0!important}',
        'css/more.css': 'p{background:lime!important}',
      },
      { 0: [blue, green, green] },
    ],
  ]);
});

/** Keyframes of one color, and an animation with them. */
const pulse = (color: string) => `@keyframes pulse{from,to{background:${color}}}.p{animation:pulse 1s}`;

describe('keyframes of an embedded file', () => {
  const square = (style = '') => `<p class="p" style="margin:0;width:8px;height:8px;${style}"></p>`;
  cases([
    [
      'next to others of the same name in the page and in other files',
      {
        'index.html': page(
          `<style>${pulse(red)}</style>${square()}${slot(1, 'a.html')}${slot(2, 'b.html')}${slot(3, 'a.html')}`,
        ),
        'a.html': file(pulse('lime'), black, '<html>', square()),
        'b.html': file('@import "b.css" screen;', black, '<html>', square('animation-name: pulse')),
        'b.css': pulse('blue'),
      },
      { 0: [red, green, blue, green] },
    ],
    [
      'that a script uses by name',
      {
        'index.html': page(slot(0, 'a.html') + slot(1, 'a.html')),
        'a.html': file(
          '@keyframes k{from,to{background:lime}}',
          black,
          '<html>',
          `${square()}<script>document.querySelector('p').style.animation = 'k 1s'</script>`,
        ),
      },
      { 0: [green, green] },
    ],
  ]);
});

const definitions = (color: string) =>
  `<svg width="0" height="0" style="position:absolute"><linearGradient id="g"><stop stop-color="${color}"/></linearGradient></svg>`;
const gradient =
  '<div data-composition-id="m"><svg width="8" height="8" style="display:block"><rect width="8" height="8" fill="url(#g)"/></svg></div>';

describe('the page around an embedded composition', () => {
  cases([
    [
      'with the attributes of html and body',
      {
        'index.html': page(
          `<style>.dark{opacity:0}</style>${slot(0, 'a.html')}${slot(1, 'b.html')}${slot(2, 'c.html')}${slot(3, 'd.html')}`,
        ),
        'a.html': file('.a.dark{--x:lime}:root{--x:red}', 'var(--x)', '<html class="a dark">'),
        'b.html': file(
          '[data-theme=dark] .p{background:lime}',
          red,
          '<html data-theme="dark">',
          '<p class="p" style="margin:0;height:8px"></p>',
        ),
        'c.html': file('body{color:red}:lang(de){color:blue}', 'currentColor', '<html lang="de">'),
        'd.html': file('body{color:red}', 'currentColor', '<html style="color:lime;width:1px">'),
      },
      { 0: [green, green, blue, green] },
    ],
    [
      'with the elements next to it',
      {
        'index.html': page(slot(0, 'a.html') + slot(1, 'b.html') + slot(2, 'c.html')),
        'a.html': `<!doctype html><html><head><title>a</title></head><body>${definitions('lime')}${gradient}<script>var a</script></body></html>`,
        'b.html': `<style>p{position:absolute;margin:0;top:0;width:8px;height:8px;background:blue}</style><div data-composition-id="m"></div><script>var a</script><p></p>`,
        'c.html': `<template><div data-composition-id="m"></div><p style="position:absolute;margin:0;top:0;width:8px;height:8px;background:red"></p></template>`,
      },
      { 0: [green, blue, red] },
    ],
  ]);
});

describe('definitions of SVG in several mounts', () => {
  const square = (attributes: string) =>
    `<svg width="8" height="8" style="display:block"><rect width="8" height="8" ${attributes}/></svg>`;
  const symbol = (color: string) =>
    `<svg width="8" height="8" style="display:block"><symbol id="s"><rect width="8" height="8" fill="${color}"/></symbol><use xlink:href="#s"/></svg>`;
  const stop = '<linearGradient id="g"><stop/></linearGradient>';
  const stops = `<svg width="0" height="0" style="position:absolute">${stop}<g id="s"><rect width="8" height="8"/></g></svg>`;
  const twice = (html: string) => ({
    'index.html': page(
      `${slot(0, 'a.html', `data-variable-values='{"c":"#ff0000"}'`)}${slot(1, 'a.html', `data-variable-values='{"c":"#00ff00"}'`)}`,
    ),
    'a.html': `<!doctype html><html data-composition-variables='[{"id":"c","type":"color","label":"c","default":"#0000ff"}]'><body><div data-composition-id="m">${html}</div></body></html>`,
  });
  cases([
    [
      'of their own mount in attributes',
      twice(`<style>stop{stop-color:var(--c)}</style>${stops}${square('fill="url(#g)"')}`),
      { 0: [red, green] },
    ],
    [
      'of their own mount in styles',
      twice(`<style>#g stop{stop-color:var(--c)}rect{fill:url("#g")}</style>${stops}${square('')}`),
      { 0: [red, green] },
    ],
    [
      'of their own mount in references, also next to other files',
      {
        'index.html': page(slot(0, 'a.html') + slot(1, 'b.html')),
        'a.html': file('', black, '<html>', symbol('red')),
        'b.html': file('', black, '<html>', symbol('lime')),
      },
      { 0: [red, green] },
    ],
    [
      'by the same id for scripts',
      twice(
        `${stops}${square('')}<script>document.querySelector('rect[width="8"]:not(#s *)').setAttribute('fill', document.getElementById('s').id === 's' ? __framework.getVariables().c : 'blue')</script>`,
      ),
      { 0: [red, green] },
    ],
  ]);
});

describe('other rules of an embedded file', () => {
  cases([
    [
      'without the host, even if it has the same tag, class and id',
      {
        'index.html': page(
          `<style>.card{${cellStyle(0)}}</style><div class="card" id="main-card" data-composition-src="a.html"></div>`,
        ),
        'a.html': `<style>.card{width:8px;height:8px;background:lime;margin-left:8px}#main-card,div{border-left:0 solid}*{padding-left:0}</style><div class="card" data-composition-id="m"></div>`,
      },
      { 0: [black, green, black] },
    ],
  ]);
});
