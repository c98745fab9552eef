// Extract to sub-composition: what leaves, what stays, and when it cannot be done.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findings, offered, refactored, unmarked } from '../../support/refactor.ts';

const title = /^Extract/;
const size = 'data-width="640" data-height="360"';
const page = (body: string, head = '', declarations = '') =>
  `<html${declarations && ` data-composition-variables='${declarations}'`}>\n${head}<body>\n<div data-composition-id="main" ${size} data-duration="6">\n${body}\n</div>\n</body>\n</html>\n`;
/** What is there afterwards: the page, and the new file. */
const project = (index: string, path: string, lines: string[]) =>
  `=== index.html\n${index}=== ${path}\n${lines.join('\n')}\n`;

const host = (id: string, more = '', tag = 'div') =>
  `<${tag} data-composition-id="${id}" data-composition-src="compositions/${id}.html"${more} style="display: contents"></${tag}>`;
const named = (id: string, value: string) => `{"id":"${id}","type":"string","label":"${id}","default":"${value}"}`;

/** The page comes first in what `applied` gives, under its own line when there are several files. */
function checkProject(source: string, expected: string): void {
  expect(refactored(source, title)).toBe(expected);
  expect(findings(refactored(source, title))).toEqual(findings(unmarked(source)));
}

test('a clip: its times stay on the host, and what is in it counts from its start', () => {
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

test('clips inside it: seconds are shifted, names outside of it become seconds, names inside stay', () => {
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

test('a clip that waits for it goes on doing so', () => {
  const next = '<p data-start="card + 1" data-duration="1"></p>';
  const after = refactored(page(`<b id="card" data-start="0" data-duration="2">«»x</b>${next}`), title);
  expect(after).toContain(`${host('card', ' data-start="0" data-duration="2"')}${next}`);
  expect(findings(after)).toEqual([]);
});

test('several elements get one around them', () => {
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

test('rules for it alone move, with their keyframes; others stay and are named', () => {
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
      '  <!-- Styled by rules of index.html too: b; .box. -->',
      '  <style>',
      ...own,
      '  </style>',
      `  <div class="card box" data-composition-id="card" ${size} data-duration="6"><b>x</b></div>`,
      '</template>',
    ]),
  );
});

test.each([
  ['a rule behind it that sets the same', '.card { color: red } b, div { color: blue }'],
  ['a rule that something else matches', '.card { color: red }', '<i class="card"></i>'],
  ['a script that gives the class away', '.card { color: red }', '<script>node.className = "card"</script>'],
  ['a layer', '@layer a; .card { color: red }'],
  ['a query', '@media (width > 1px) { .card { color: red } }'],
])('a rule stays because of %s', (_, css, more = '') => {
  const after = refactored(page(`<div class="card">«»x</div>${more}`, `<style>${css}</style>`), title);
  expect(after).toContain(`<style>${css}</style>`);
});

test('variables that it alone reads move; others are in both; styles take theirs from above', () => {
  const declarations = (...ids: string[]) =>
    `[${ids.map((id) => named(id, `<${id}> it's`.replaceAll("'", '&#39;'))).join(', ')}]`;
  const body = '<b data-var-text="own"></b><b data-var-text="both"></b><i style="color: var(--look)"></i>';
  const rest = '<u data-var-text="both" style="color: var(--look)"></u>';
  const after = refactored(
    page(`<div id="a">${body}</div>${rest}`.replace('<div', '«»<div'), '', declarations('own', 'both', 'look')),
    title,
  );
  expect(after).toContain(`<html data-composition-variables='${declarations('both', 'look')}'>`);
  expect(after).toContain(` data-variable-values='{"own":"<own> it&#39;s","both":"<both> it&#39;s"}'`);
  expect(after).toContain(
    ` data-composition-variables='[${named('own', '<own> it&#39;s')},${named('both', '<both> it&#39;s')}]'`,
  );
  expect(findings(after)).toEqual([]);
});

test('paths are counted from the new folder', () => {
  const source = `=== pages/a.html\n${page('«<div id="x"><img src="p.png"><img src="/logo.png"><div data-composition-src="b.html"></div></div>»')}=== pages/p.png\n=== logo.png\n=== pages/b.html\n<b data-composition-id="b"></b>`;
  const after = refactored(source, title);
  expect(after).toContain('data-composition-src="../compositions/x.html"');
  expect(after).toContain(
    '<img src="../pages/p.png"><img src="/logo.png"><div data-composition-src="../pages/b.html">',
  );
});

test('names that are taken get a number', () => {
  const other = '<u data-composition-id="card" data-composition-src="c.html"></u>';
  const after = refactored(
    `=== index.html\n${page(`${other}<b class="card">«»x</b>`)}=== c.html\n<b data-composition-id="c"></b>\n=== compositions/card-2.html\n`,
    title,
  );
  expect(after).toContain('data-composition-id="card-2" data-composition-src="compositions/card-2-2.html"');
});

test.each([
  ['There is a <script> in it', '<d«»iv><script>1</script></div>'],
  ['There is a composition written out in it', '<d«»iv><b data-composition-id="b"></b></div>'],
  [
    'stays, starts after "in"',
    '<d«»iv><b id="in" data-start="0" data-duration="1"></b></div><i data-start="in" data-duration="1"></i>',
  ],
  [
    '"in" starts before the element',
    '<d«»iv data-start="2" data-duration="1"><b id="in" data-start="1" data-duration="5"></b></div>',
  ],
  [
    'The style rule ".row > div" depends',
    '<style>.row > div { top: 0 }</style><p class="row"></p><section class="row"><div>«»x</div></section>',
  ],
  ['The style rule "i + b" depends', '<style>i + b { top: 0 }</style><i></i><b>«»x</b>'],
  ['The style rule "b:nth-child(2)" depends', '<style>b:nth-child(2) { top: 0 }</style><b>«»x</b>'],
  ['The style rule "div" depends', '<style>div { font-size: 2em }</style><section>«»x</section>'],
])('says why not: %s', (reason, body) => {
  const [action] = offered(page(body)).filter((one) => title.test(one.title));
  expect(action?.disabled?.reason).toContain(reason);
  expect(action?.edit).toBeUndefined();
});

test.each([
  ['the root', '«»x'],
  ['a piece of a drawing', '<svg><g>«»</g></svg>'],
  ['a host', '<div data-composition-src="a.html">«»</div>'],
  ['a row of a table', '<table><tr>«»</tr></table>'],
  ['a piece of a text', '<p>a «b» c</p>'],
  ['half an element', '<p>a</p>«<p>b</p><p>»c</p>'],
])('nothing for %s', (_, body) => {
  expect(offered(page(body)).filter((one) => title.test(one.title))).toEqual([]);
});

test('in a paragraph the host is one of its words', () => {
  expect(refactored(page('<p>one «<b>two</b>»</p>'), title)).toContain(`<p>one ${host('b', '', 'span')}</p>`);
});

test('whatever is marked in whatever text, nothing throws', () => {
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
