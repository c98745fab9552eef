// Compositions of 64x48 pixels that show their values as colors.
import { composition } from '../support/project.ts';

type Declaration = Record<string, unknown>;

export const tint = { id: 'tint', type: 'color', label: 'Tint', default: '#ff0000' };
export const count = { id: 'count', type: 'number', label: 'Count', default: 1 };
export const plan = {
  id: 'plan',
  type: 'enum',
  label: 'Plan',
  default: 'free',
  options: [
    { value: 'free', label: 'Free' },
    { value: 'pro', label: 'Pro' },
  ],
};

/** An area of the given place and size in its parent. */
export function area(id: string, left: number, width: number, attributes = ''): string {
  return `<div id="${id}" style="position:absolute;left:${left}px;top:0;width:${width}px;height:48px" ${attributes}></div>`;
}

/** A page that is filled with a color, which its script returns. `values`: what getVariables() returned. */
export function filled(script: string, variables: Declaration[] = [tint]): string {
  const code = `document.querySelector('#fill').style.background = (() => { const values = __framework.getVariables(); ${script} })();`;
  return composition(`${area('fill', 0, 64)}<script>${code}</script>`, { variables, duration: 0.1 });
}

/** A file to embed: its whole area has the color of its variable `tint`. */
export const tile = `<template><div data-composition-id="tile" data-width="16" data-height="48"
  data-composition-variables='${JSON.stringify([tint])}'>
<div style="position:absolute;inset:0;background:var(--tint)"></div></div></template>`;

/** A host of a file, 16 pixels wide. */
export function host(left: number, values = '', file = 'tile.html'): string {
  const given = values === '' ? '' : ` data-variable-values='${values}'`;
  return area(`host${left}`, left, 16, `data-composition-src="${file}"${given}`);
}

export { composition };
