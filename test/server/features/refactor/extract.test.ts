// Extract to sub-composition: the moved and remaining parts, and the reasons why extraction is impossible.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findings, offered, refactored, unmarked } from '../../../support/editor/refactor.ts';

const title = /^Extract/;
const size = 'data-width="640" data-height="360"';
const page = (body: string, head = '', declarations = '') =>
  `<html${declarations && ` data-composition-variables='${declarations}'`}>\n${head}<body>\n<div data-composition-id="main" ${size} data-duration="6">\n${body}\n</div>\n</body>\n</html>\n`;
/** The page and the new file after the extraction. */
const project = (index: string, path: string, lines: string[]) =>
  `=== index.html\n${index}=== ${path}\n${lines.join('\n')}\n`;

const host = (id: string, more = '', tag = 'div') =>
  `<${tag} data-composition-id="${id}" data-composition-src="compositions/${id}.html"${more} style="display: contents"></${tag}>`;
const named = (id: string, value: string) => `{"id":"${id}","type":"string","label":"${id}","default":"${value}"}`;

/** `applied` returns the page first, under a line of its own if there are several files. */
function checkProject(source: string, expected: string): void {
  expect(refactored(source, title)).toBe(expected);
  expect(findings(refactored(source, title))).toEqual(findings(unmarked(source)));
}

test('keeps the times of a clip on the host and makes inner times relative to it', () => {
  checkProject(
    page(
      '  «<section id="card" data-start="1" data-duration="3" data-track-index="2">\n    <h1>Hi</h1>\n  </section>»',
    ),
    project(
      page(`  ${host('card', ' data-start="1" data-duration="3" data-track-index="2"')}`),
      'compositions/card.html',
      [
        '<template>',
        `  <section id="card" data-composition-id="card" ${size} data-duration="3">`,
        '    <h1>Hi</h1>',
        '  </section>',
        '</template>',
      ],
    ),
  );
});

test('shifts the seconds of inner clips and resolves references to outer clips', () => {
  const clips = (a: string, b: string, c: string) =>
    `<p id="a" data-start="${a}" data-duration="1"></p><p id="b" data-start="${b}" data-duration="1"></p><p data-start="${c}" data-duration="1"></p>`;
  const intro = '<i id="intro" data-start="0" data-duration="1"></i>';
  checkProject(
    page(`${intro}<d«»iv id="x" data-start="intro + 0.5" data-duration="4">${clips('2', 'intro + 1', 'b')}</div>`),
    project(page(`${intro}${host('x', ' data-start="intro + 0.5" data-duration="4"')}`), 'compositions/x.html', [
      '<template>',
      `  <div id="x" data-composition-id="x" ${size} data-duration="4">${clips('0.5', '0.5', 'b')}</div>`,
      '</template>',
    ]),
  );
});

test('keeps references to the extracted clip', () => {
  const next = '<p data-start="card + 1" data-duration="1"></p>';
  const after = refactored(page(`<b id="card" data-start="0" data-duration="2">«»x</b>${next}`), title);
  expect(after).toContain(`${host('card', ' data-start="0" data-duration="2"')}${next}`);
  expect(findings(after)).toEqual([]);
});

test('wraps several elements in one', () => {
  checkProject(
    page('  «<p>a</p>\n  <p>b</p>»'),
    project(page(`  ${host('p')}`), 'compositions/p.html', [
      '<template>',
      `  <div data-composition-id="p" ${size} data-duration="6" style="display: contents">`,
      '    <p>a</p>',
      '    <p>b</p>',
      '  </div>',
      '</template>',
    ]),
  );
});

test('moves rules that match only the selection, with their keyframes, and lists the others', () => {
  const css = (rules: string) => `<style>\n${rules}\n</style>\n`;
  const own = [
    '    .card { color: red; animation: in 1s }',
    '    .card b { color: blue }',
    '    @keyframes in { from { opacity: 0 } }',
  ];
  const shared = ['    b { top: 0 }', '    .box { left: 0 }'];
  checkProject(
    page('  «<div class="card box"><b>x</b></div>»<p class="box"></p>', css([shared[0], ...own, shared[1]].join('\n'))),
    project(page(`  ${host('card')}<p class="box"></p>`, css(shared.join('\n'))), 'compositions/card.html', [
      '<template>',
      '  <!-- Also styled by rules in index.html: b; .box. -->',
      '  <style>',
      ...own,
      '  </style>',
      `  <div class="card box" data-composition-id="card" ${size} data-duration="6"><b>x</b></div>`,
      '</template>',
    ]),
  );
});

test.each([
  ['a later rule that sets the same property', '.card { color: red } b, div { color: blue }'],
  ['another element that it matches', '.card { color: red }', '<i class="card"></i>'],
  ['a script that assigns the class', '.card { color: red }', '<script>node.className = "card"</script>'],
  ['a layer', '@layer a; .card { color: red }'],
  ['a media query', '@media (width > 1px) { .card { color: red } }'],
])('does not move a rule because of %s', (_, css, more = '') => {
  const after = refactored(page(`<div class="card">«»x</div>${more}`, `<style>${css}</style>`), title);
  expect(after).toContain(`<style>${css}</style>`);
});

test('passes variables that the selection reads to the new file, and leaves those of styles', () => {
  const declarations = (...ids: string[]) =>
    `[${ids.map((id) => named(id, `<${id}> it's`.replaceAll("'", '&#39;'))).join(', ')}]`;
  const body = '<b data-var-text="own"></b><b data-var-text="both"></b><i style="color: var(--look)"></i>';
  const rest = '<u data-var-text="both" style="color: var(--look)"></u>';
  const after = refactored(
    page(`<div id="a">${body}</div>${rest}`.replace('<div', '«»<div'), '', declarations('own', 'both', 'look')),
    title,
  );
  expect(after).toContain(`<html data-composition-variables='${declarations('own', 'both', 'look')}'>`);
  expect(after).toContain(` data-variable-values='{"own":"$own","both":"$both"}'`);
  expect(after).toContain(
    ` data-composition-variables='[${named('own', '<own> it&#39;s')},${named('both', '<both> it&#39;s')}]'`,
  );
  expect(findings(after)).toEqual([]);
});

test('makes paths relative to the new folder', () => {
  const source = `=== pages/a.html\n${page('«<div id="x"><img src="p.png"><img src="/logo.png"><div data-composition-src="b.html"></div></div>»')}=== pages/p.png\n=== logo.png\n=== pages/b.html\n<b data-composition-id="b"></b>`;
  const after = refactored(source, title);
  expect(after).toContain('data-composition-src="../compositions/x.html"');
  expect(after).toContain(
    '<img src="../pages/p.png"><img src="/logo.png"><div data-composition-src="../pages/b.html">',
  );
});

test('numbers names that are in use', () => {
  const other = '<u data-composition-id="card" data-composition-src="c.html"></u>';
  const after = refactored(
    `=== index.html\n${page(`${other}<b class="card">«»x</b>`)}=== c.html\n<b data-composition-id="c"></b>\n=== compositions/card-2.html\n`,
    title,
  );
  expect(after).toContain('data-composition-id="card-2" data-composition-src="compositions/card-2-2.html"');
});

test.each([
  ['The selection contains a <script>', '<d«»iv><script>1</script></div>'],
  ['The selection contains an inline composition', '<d«»iv><b data-composition-id="b"></b></div>'],
  [
    'is not selected and starts after "in"',
    '<d«»iv><b id="in" data-start="0" data-duration="1"></b></div><i data-start="in" data-duration="1"></i>',
  ],
  [
    '"in" starts before the element that contains it',
    '<d«»iv data-start="2" data-duration="1"><b id="in" data-start="1" data-duration="5"></b></div>',
  ],
  [
    'The style rule ".row > div" depends',
    '<style>.row > div { top: 0 }</style><p class="row"></p><section class="row"><div>«»x</div></section>',
  ],
  ['The style rule "i + b" depends', '<style>i + b { top: 0 }</style><i></i><b>«»x</b>'],
  ['The style rule "b:nth-child(2)" depends', '<style>b:nth-child(2) { top: 0 }</style><b>«»x</b>'],
  ['The style rule "div" depends', '<style>div { font-size: 2em }</style><section>«»x</section>'],
])('reports the reason why it is impossible: %s', (reason, body) => {
  const [action] = offered(page(body)).filter((one) => title.test(one.title));
  expect(action?.disabled?.reason).toContain(reason);
  expect(action?.edit).toBeUndefined();
});

test.each([
  ['the root', '«»x'],
  ['a part of a drawing', '<svg><g>«»</g></svg>'],
  ['a host', '<div data-composition-src="a.html">«»</div>'],
  ['a row of a table', '<table><tr>«»</tr></table>'],
  ['a part of a text', '<p>a «b» c</p>'],
  ['half an element', '<p>a</p>«<p>b</p><p>»c</p>'],
])('offers nothing for %s', (_, body) => {
  expect(offered(page(body)).filter((one) => title.test(one.title))).toEqual([]);
});

test('uses a span as the host inside a paragraph', () => {
  expect(refactored(page('<p>one «<b>two</b>»</p>'), title)).toContain(`<p>one ${host('b', '', 'span')}</p>`);
});

test('never throws, for any selection in any text', () => {
  const pieces = [
    '<div ',
    '<p>',
    '</p>',
    '</div>',
    '<style>',
    '</style>',
    '.a{',
    '}',
    '@media x{',
    '>',
    '"',
    "'",
    ' data-start="',
    'data-composition-id="x" ',
    'data-var-text=a ',
    '&#39;',
    'x',
    '\n',
    '/*',
    ':has(',
    ',',
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 20 }),
      fc.nat(40),
      fc.nat(20),
      (parts, start, length) => {
        const text = page(parts.join(''), '<style>.a > b{color:red}</style>', `[${named('a', '')}]`);
        const from = Math.min(text.length, 100 + start);
        const to = Math.min(text.length, from + length);
        offered(`${text.slice(0, from)}«${text.slice(from, to)}»${text.slice(to)}`);
      },
    ),
    { numRuns: 500 },
  );
});
