// Which file embeds which.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import {
  buildGraph,
  isOnOtherHost,
  maxFiles,
  referenceBase,
  referenceCandidates,
  remoteReference,
  resolveReference,
} from '../../../renderer-core/model/graph.ts';
import { filesOf, mark } from '../../support/editor/markup.ts';

/** `embed`s as `from → target`, then problems as `code file: message`; marked ranges in a file are its problems. */
function check(source: string, expected: string[], entry = 'index.html') {
  const markedFiles = filesOf(source);
  const files = new Map([...markedFiles].map(([path, text]) => [path, text.replace(/[«»]/g, '')]));
  const graph = buildGraph(entry, (path) => files.get(path));
  const mounts = graph.mounts.map(({ from, target }) => `${from} → ${target}`);
  expect([...mounts, ...graph.problems.map(({ code, file, message }) => `${code} ${file}: ${message}`)]).toEqual(
    expected,
  );
  for (const [path, text] of files) {
    const spans = graph.problems.filter(({ file }) => file === path).map(({ span }) => span);
    expect(mark(text, spans)).toBe(markedFiles.get(path));
  }
  return graph;
}

test('resolves sources relative to their file, then to the project', () => {
  const graph = check(
    `
=== index.html
<div data-composition-id="main"><div data-composition-src="./scenes/a.html?v=1#x"></div><div data-composition-src="scenes/a.html"></div></div>
=== scenes/a.html
<div data-composition-id="a"><div data-composition-src="b.html"></div><div data-composition-src="parts/c%20d.html"></div><div data-composition-src="../parts/c d.html"></div></div>
=== scenes/b.html
<div data-composition-id="b"></div>
=== parts/c d.html
<div data-composition-id="c"></div>
`,
    [
      'index.html → scenes/a.html',
      'index.html → scenes/a.html',
      'scenes/a.html → scenes/b.html',
      'scenes/a.html → parts/c d.html',
      'scenes/a.html → parts/c d.html',
    ],
  );
  expect([...graph.files.keys()]).toEqual(['index.html', 'scenes/a.html', 'scenes/b.html', 'parts/c d.html']);
});

test('reports missing, empty and external sources with the paths that were tried', () => {
  check(
    `
=== scenes/index.html
<div data-composition-id="main"><i data-composition-src="«gone.html»"></i><i data-composition-src="«../../up.html»"></i><i data-composition-src="«https://x.example/a.html»"></i><i data-composition-src="«»"></i><i data-composition-src="«empty.html»"></i><i data-composition-src="«plain.html»"></i></div>
=== scenes/empty.html

=== scenes/plain.html
<p>no composition</p>
`,
    [
      'scenes/index.html → null',
      'scenes/index.html → null',
      'scenes/index.html → null',
      'scenes/index.html → null',
      'scenes/index.html → scenes/empty.html',
      'scenes/index.html → scenes/plain.html',
      'missing scenes/index.html: gone.html does not exist; looked for scenes/gone.html and gone.html',
      'outside scenes/index.html: "../../up.html" is not a file inside the project folder',
      'outside scenes/index.html: "https://x.example/a.html" is not a file inside the project folder',
      'missing scenes/index.html: data-composition-src must be the path of a file (got an empty value)',
      'empty scenes/index.html: scenes/empty.html is empty',
      'no-composition scenes/index.html: scenes/plain.html contains no composition: no element has data-composition-id',
    ],
    'scenes/index.html',
  );
});

test('reports a missing or empty entry, and one without a composition', () => {
  check('', ['missing index.html: index.html does not exist']);
  check('=== index.html\n«\n»', ['empty index.html: index.html is empty']);
  check('=== index.html\n«<»p>', [
    'no-composition index.html: index.html contains no composition: no element has data-composition-id',
  ]);
});

test('reports cycles where they close', () => {
  check(
    `
=== index.html
<div data-composition-id="main"><i data-composition-src="a.html"></i></div>
=== a.html
<div data-composition-id="a"><i data-composition-src="b.html"></i><i data-composition-src="«a.html»"></i></div>
=== b.html
<div data-composition-id="b"><i data-composition-src="«a.html»"></i></div>
`,
    [
      'index.html → a.html',
      'a.html → b.html',
      'a.html → a.html',
      'b.html → a.html',
      'circular b.html: a.html embeds itself: a.html → b.html → a.html',
      'circular a.html: a.html embeds itself: a.html → a.html',
    ],
  );
});

test('reports module scripts of embedded files, once for each file', () => {
  const message =
    'An embedded file must not have module scripts, because a module runs once for all mounts and cannot see its own; use a classic script';
  check(
    `
=== index.html
<div data-composition-id="main"><i data-composition-src="a.html"></i><i data-composition-src="a.html"></i><script type="module"></script></div>
=== a.html
<div data-composition-id="a"><script «type="module"» src="a.js"></script><script></script></div>
`,
    ['index.html → a.html', 'index.html → a.html', `module-script a.html: ${message}`],
  );
});

test('ends at a folder that links back into itself', () => {
  const graph = buildGraph('a/i.html', () => '<p data-composition-id="x"><i data-composition-src="a/i.html"></i></p>');
  expect(graph.files.size).toBe(maxFiles);
  expect(graph.problems).toMatchObject([{ code: 'circular' }]);
});

test('accepts the same file twice', () => {
  check(
    `
=== index.html
<div data-composition-id="main"><i data-composition-src="a.html"></i><i data-composition-src="b.html"></i></div>
=== a.html
<div data-composition-id="a"><i data-composition-src="b.html"></i></div>
=== b.html
<div data-composition-id="b"></div>
`,
    ['index.html → a.html', 'index.html → b.html', 'a.html → b.html'],
  );
});

test('resolves the paths of references', () => {
  const from = 'scenes/intro/a.html';
  expect(resolveReference(from, 'x.png')).toBe('scenes/intro/x.png');
  expect(resolveReference(from, '../x.png')).toBe('scenes/x.png');
  expect(resolveReference(from, '/x.png')).toBe('x.png');
  expect(resolveReference(from, '..\\x.png')).toBe('scenes/x.png');
  expect(resolveReference(from, '100%.png')).toBe('scenes/intro/100%.png');
  expect(resolveReference(from, 'a%23b.png?x#y')).toBe('scenes/intro/a#b.png');
  const outside = [
    '../../../x',
    '%2e%2e/../%2e%2e/x',
    '//host/x',
    '\\\\host\\x',
    'C:\\x',
    'file:///x',
    'data:x',
    '/..',
    '../..',
  ];
  expect(outside.map((reference) => resolveReference(from, reference)).filter((path) => path !== null)).toEqual([]);
  expect(referenceCandidates(from, 'x.html')).toEqual(['scenes/intro/x.html', 'x.html']);
  expect(referenceCandidates('a.html', 'x.html')).toEqual(['x.html']);
});

test('resolves no reference outside the project', () => {
  const part = fc.constantFrom('..', '.', 'a', '/', '\\', '%2e', '%2F', '%', '?', '#', ':', ' ', '%5c');
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      fc.constantFrom('a.html', 'b/a.html', 'b/c/a.html'),
      (reference, from) => {
        for (const path of referenceCandidates(from, reference)) {
          expect(path.split('/').some((name) => name === '' || name === '.' || name === '..')).toBe(false);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test.each([
  ['index.html', '<base href="assets/">', 'a.png', 'assets/a.png'],
  ['index.html', '<base href="assets/page.html">', 'a.png', 'assets/a.png'],
  ['index.html', '<base href="./assets/">', '../a.png', 'a.png'],
  ['index.html', '<base href="assets/?x#y">', 'a.png', 'assets/a.png'],
  ['index.html', '<base href="my%20files/">', 'a.png', 'my files/a.png'],
  ['scenes/a.html', '<base href="/assets/">', 'a.png', 'assets/a.png'],
  ['scenes/a.html', '<base href="..">', 'a.png', 'a.png'],
  ['scenes/a.html', '<base href="../../../">', 'a.png', 'a.png'],
  ['scenes/a.html', '<base target="_top"><base href="x/"><base href="y/">', 'a.png', 'scenes/x/a.png'],
  ['scenes/a.html', '<base href="x/">', '/a.png', 'a.png'],
  ['index.html', '<base href="data:text/html,">', 'a.png', 'a.png'],
  ['index.html', '<base href="https://cdn.example/x/">', 'a.png', 'https://cdn.example/x/a.png'],
  ['index.html', '<base href="//cdn.example/x/">', '/a.png', 'http://cdn.example/a.png'],
])('resolves references after <base>: %s %s %s', (file, base, reference, expected) => {
  const composition = parseComposition(`<html><head>${base}</head><body><p data-composition-id="m"></p></body></html>`);
  const from = referenceBase(file, composition);
  expect(remoteReference(from, reference) ?? resolveReference(from, reference)).toBe(expected);
  if (isOnOtherHost(from)) expect(referenceCandidates(from, reference)).toEqual([]);
});

test('resolves references in front of <base> without it', () => {
  const text = '<link rel="stylesheet" href="a.css"><base href="assets/"><p data-composition-id="m">';
  const { stylesheets, ...composition } = parseComposition(text);
  expect(referenceBase('index.html', composition, stylesheets[0]?.href.span.start)).toBe('index.html');
});

test('resolves the sources of hosts relative to the <base> of their file', () => {
  check(
    `
=== index.html
<base href="scenes/"><div data-composition-id="main"><div data-composition-src="a.html"></div></div>
=== scenes/a.html
<div data-composition-id="a"></div>
`,
    ['index.html → scenes/a.html'],
  );
});
