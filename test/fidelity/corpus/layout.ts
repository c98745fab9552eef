// Layout: flow, flex, grid, tables, containers, stacking, overflow, widgets and shadow trees.
import { many, page } from '../page.ts';

export const layout = [
  page(
    'flex and grid',
    '.f { display: flex; gap: 8px; justify-content: space-between; align-items: end; height: 100px; padding: 8px } .f div { flex: 1 0 auto; background: #39c; height: calc(20px + var(--i) * 12px); order: calc(10 - var(--i)) } .g { display: grid; grid-template: "a a b" 1fr "c d b" 1fr / 1fr 2fr 1fr; gap: 8px; height: 130px; padding: 8px } .g > * { background: #e80a } .g > :nth-child(1) { grid-area: a } .g > :nth-child(2) { grid-area: b; border-radius: 50% } .sub { display: grid; grid-template-columns: subgrid }',
    `<div class="f">${many(6, 'x')}</div><div class="g">${many(4, 'y', 'cell')}</div>`,
  ),
  page(
    'tables',
    'table { border-collapse: collapse; margin: 14px; font-size: 16px } td, th { border: 1px solid #888; padding: 4px 12px } tr:nth-child(even) { background: #dde8f4 } th { background: #246; color: #fff } caption { caption-side: bottom; font-style: italic }',
    '<table><caption>Quarterly</caption><tr><th>Region<th>Q1<th>Q2</tr><tr><td rowspan="2">North<td>12<td>18</tr><tr><td>9<td>21</tr><tr><td>South<td colspan="2">n/a</tr></table>',
  ),
  page(
    'container queries and nesting',
    '.c { container-type: inline-size; float: left; margin: 6px; background: #fff; width: calc(80px + var(--i) * 60px) } .c p { margin: 6px; font-size: 8cqw; @container (min-width: 180px) { color: #fff; background: #06c } &:is(p) { border-left: 4px solid #e33 } } .c:has(p):nth-child(3) { outline: 3px solid #0a0 } @layer base, top; @layer top { p { font-weight: 700 } } @layer base { p { font-weight: 100 } }',
    many(3, 'c', '<p>contained</p>'),
  ),
  page(
    'overflow and sticky',
    '.s { position: absolute; left: 20px; top: 20px; width: 200px; height: 200px; overflow: auto; background: #fff } .s h3 { position: sticky; top: 0; background: #fd0; margin: 0 } .r { position: absolute; right: 20px; top: 20px; width: 200px; height: 200px; overflow: hidden; border-radius: 40px; background: #9cf }',
    `<div class="s" id="s">${Array.from({ length: 20 }, (_, i) => (i % 5 ? `<p>line ${i}</p>` : `<h3>Part ${i}</h3>`)).join('')}</div><div class="r" id="r">${many(30, 'row', 'A clipped row of text ')}</div><script>document.getElementById('s').scrollTop = 130; document.getElementById('r').scrollTop = 77;</script>`,
  ),
  page(
    'scrolled by a script',
    '#s { height: 270px; overflow-y: scroll; scrollbar-width: none } #s div { height: 60px; background: hsl(calc(var(--i) * 25) 70% 70%); font-size: 30px; padding: 10px }',
    `<div id="s">${many(20, 'r', 'Row')}</div><script>let start = performance.now(); requestAnimationFrame(function step(now) { document.getElementById('s').scrollTop = (now - start) * 1.5; requestAnimationFrame(step) })</script>`,
  ),
  page(
    'stacking',
    '.z { position: absolute; width: 140px; height: 140px; left: calc(30px + var(--i) * 70px); top: calc(20px + var(--i) * 15px); z-index: calc(10 - var(--i)); background: hsl(calc(var(--i) * 70) 60% 60%); box-shadow: 0 4px 14px #0007 } .z:nth-child(2) { z-index: 50; transform: rotate(8deg) } .z i { position: absolute; z-index: 999; left: 100px; background: #fff }',
    many(5, 'z', '<i>over</i>'),
  ),
  page(
    'widgets',
    '#root { padding: 16px; box-sizing: border-box } * { margin: 4px } input { accent-color: #c06 }',
    '<button>Button</button><input value="text field"><input type="checkbox" checked><input type="radio" checked><input type="range" value="70"><progress value="0.6"></progress><meter value="0.4"></meter><select><option>Choice</select><br><textarea rows="3">text area</textarea><input type="color" value="#ff8800"><details open><summary>Summary</summary>Details</details><fieldset><legend>Legend</legend>fieldset</fieldset>',
    // In a tab that has shown another page, Chromium sometimes gives the <select> the height that it had before its font loaded.
    { ownBrowser: true },
  ),
  page(
    'shadow trees and slots',
    'x-card { display: inline-block; margin: 16px }',
    '<x-card>Slotted <b slot="t">title</b></x-card><x-card>Other <b slot="t">card</b></x-card><div><template shadowrootmode="open"><style>p { color: #c06; font-size: 30px; margin: 16px }</style><p><slot></slot></p></template>declared shadow</div><script>customElements.define("x-card", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<style>:host{background:#fff;border-radius:14px;box-shadow:0 6px 20px #0005;padding:20px}::slotted(b){color:#06c;display:block}</style><slot name=t></slot><slot></slot>"; } });</script>',
  ),
  page(
    'nested documents',
    'iframe { border: 4px solid #06c; width: 200px; height: 180px; margin: 20px }',
    `<iframe srcdoc="<body style='margin:0;background:linear-gradient(#fc0,#f06);font:30px sans-serif'>Inner</body>"></iframe><object data="shape.svg" type="image/svg+xml" width="180" height="180"></object>`,
    {
      files: {
        'shape.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#cfe"/><circle cx="50" cy="50" r="40" fill="#06c"/></svg>',
      },
    },
  ),
  page(
    'anchors and zoom',
    '.a { anchor-name: --a; position: absolute; left: 150px; top: 90px; background: #fd0; padding: 10px } .t { position: absolute; position-anchor: --a; left: anchor(right); bottom: anchor(top); background: #222; color: #fff; padding: 4px 8px } .z { zoom: 1.7; position: absolute; right: 10px; bottom: 10px; background: #cfe } .r { rotate: 15deg; scale: 1.2; translate: 10px 20px; position: absolute; left: 20px; top: 150px; background: #fcc }',
    '<div class="a">Anchor</div><div class="t">Tooltip</div><div class="z">zoomed</div><div class="r">own properties</div>',
  ),
  page(
    'an odd size',
    '.x { position: absolute; inset: 7px; border: 3px solid #c06 } ',
    '<div class="x">361 by 203</div>',
    {
      width: 361,
      height: 203,
    },
  ),
  page(
    'a portrait format',
    '#root { background: linear-gradient(#102, #a4c) } h1 { color: #fff; padding: 30px; font-size: 44px }',
    '<h1>Nine by sixteen</h1>',
    {
      width: 270,
      height: 480,
    },
  ),
  page('only a page background', '', '', { background: 'linear-gradient(90deg, #fc0, #06c)' }),
];
