// Custom elements that embedded files define, and names that group elements: each mount has its own.
import { test } from 'vitest';
import { blue, checkCells, green, page } from '../../../support/renders/frames.ts';

const red = '#ff0000';
const declared = JSON.stringify([
  { id: 'color', type: 'color', label: 'Color', default: red },
  { id: 'at', type: 'number', label: 'Cell', default: 0 },
]);

const card = (script: string, markup = '<my-dot></my-dot>') =>
  `<html data-composition-variables='${declared}'><body><div data-composition-id="card" data-width="64" data-height="48" data-duration="0.1">${markup}</div><script>${script}</script></body></html>`;

const host = (color: string, at: number) =>
  `<div data-composition-src="card.html" data-start="0" data-duration="0.1" data-variable-values='${JSON.stringify({ color, at })}'></div>`;

/** Three mounts of the file, each with a color and the number of a cell. */
const check = (script: string, markup?: string) =>
  checkCells(
    {
      'index.html': page([host(green, 0), host(blue, 1), host(red, 2)].join('')),
      'card.html': card(`const { color, at } = __framework.getVariables(); ${script}`, markup),
    },
    { 0: [green, blue, red] },
  );

const style = 'display:block;position:fixed;top:0;width:8px;height:8px;left:${8 * at}px;background:${color}';

test('a custom element has the values of the mount that contains it', () =>
  check(`customElements.define('my-dot', class extends HTMLElement {
    connectedCallback() { this.style.cssText = \`${style}\` }
  })`));

test('also in its constructor, its fields and its shadow tree, and with a base class of its own', () =>
  check(`class Base extends HTMLElement { shade = color; constructor() { super(); this.attachShadow({ mode: 'open' }) } }
  customElements.define('my-dot', class extends Base {
    constructor() { super(); this.shadowRoot.innerHTML = '<i style="' + \`${style}\`.replace(color, this.shade) + '"></i>' }
  })`));

test('also inside the shadow tree of another element', () =>
  check(
    `customElements.define('my-frame', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<my-dot></my-dot>' }
  });
  customElements.define('my-dot', class extends HTMLElement { connectedCallback() { this.style.cssText = \`${style}\` } })`,
    '<my-frame></my-frame>',
  ));

test('also when a script creates it, at once or later, with attributes', () =>
  check(
    `class Dot extends HTMLElement {
    static observedAttributes = ['shown'];
    attributeChangedCallback(name, before, after) { if (after === 'yes') this.style.cssText = \`${style}\` }
  }
  customElements.define('my-dot', Dot);
  const root = document.querySelector('[data-composition-id]');
  const add = (dot) => { if (!(dot instanceof Dot)) throw new Error('of another class'); root.append(dot); dot.setAttribute('shown', 'yes') };
  if (at === 0) add(new Dot());
  if (at === 1) add(document.createElement('my-dot'));
  if (at === 2) root.insertAdjacentHTML('beforeend', '<my-dot shown="yes"></my-dot>');
  if (customElements.get('my-dot') !== Dot) throw new Error('of another mount');`,
    '',
  ));

test('radio buttons and details of each mount are groups of their own', async () => {
  const file = `<div data-composition-id="card" data-width="64" data-height="48" data-duration="0.1">
<input type="radio" name="size" checked><details name="more" open><summary>More</summary></details></div>`;
  const script = `onload = () => [...document.querySelectorAll('input')].forEach((one, i) => one.checked && cell(i, '${green}'));
addEventListener('load', () => [...document.querySelectorAll('details')].forEach((one, i) => one.open && cell(i + 2, '${green}')));`;
  const mount = '<div data-composition-src="card.html" data-start="0" data-duration="0.1"></div>';
  await checkCells(
    { 'index.html': page(`${mount}${mount}<script>${script}</script>`), 'card.html': file },
    { 0: [green, green, green, green] },
  );
});
