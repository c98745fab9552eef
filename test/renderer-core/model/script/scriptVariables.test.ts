// What scripts take out of getVariables().
import { expect, test } from 'vitest';
import { type Syntax, syntaxOf } from '../../../../renderer-core/model/script/scriptSyntax.ts';
import { readSyntaxVariables } from '../../../../renderer-core/model/script/scriptVariables.ts';
import { mark, marked } from '../../../support/editor/markup.ts';

const readScriptVariables = (code: string, offset: number) =>
  readSyntaxVariables(syntaxOf({ text: code }) as Syntax, offset);

/** The marked ranges are the ids that are read. `escapes` when any id may be read. */
function check(markup: string, { escapes = false }: { escapes?: boolean } = {}) {
  const { text } = marked(markup);
  const found = readScriptVariables(text, 0);
  expect(
    mark(
      text,
      found.reads.map(({ span }) => span),
    ),
  ).toBe(markup);
  for (const { id, span } of found.reads) expect(text.slice(span.start, span.end)).toBe(id);
  expect(found.escapes).toBe(escapes);
}

test('reads every form of destructuring', () => {
  check(
    'const { «title», «accent»: color, "«my-id»": x, «n» = 5, «m»: other = 6 } = window.__framework.getVariables();',
  );
  check('let t; ({ «title»: t } = __framework.getVariables());');
  check('const { «a», ...rest } = getVariables()', { escapes: true });
  check('const { [name]: x } = getVariables()', { escapes: true });
});

test('reads members', () => {
  check('document.title = window.__framework.getVariables().«title»;');
  check('use(getVariables()?.«title», getVariables()["«my-id»"]);');
  check('getVariables().«title».toUpperCase()');
  check('getVariables()[key]', { escapes: true });
});

test('follows values that are assigned to a name', () => {
  check('let vars = getVariables(); vars = vars; use(vars.«title»);');
  check('const vars = getVariables(); use(vars.«title», vars["«a»"]); const { «b» } = vars;');
  check('let vars; vars = getVariables(); function f() { return vars.«title» }');
  check('const a = getVariables(); const b = a; use(b.«title»)');
  check('const vars = getVariables(); use(vars)', { escapes: true });
  check('const vars = getVariables(); for (const key in vars) use(vars[key])', { escapes: true });
});

test('reads guarded calls', () => {
  check(
    'const v = (window.__framework && window.__framework.getVariables && window.__framework.getVariables()) || {}; use(v.«a»)',
  );
  check('const v = typeof getVariables === "function" ? getVariables() : {}; use(v.«a»)');
  check('const v = getVariables() ?? {}; const t = v && v.«a»; use(t.length); if (v) use(v.«b»); use(!v)');
  check('const v = window.__framework?.getVariables?.() || {}; use(v.«a»)');
});

test('ignores another variable with the same name', () => {
  check('const v = getVariables(); use(v.«a»); function f(v) { return v.b } items.map((v) => v.c)');
  check('const v = getVariables(); { const v = other(); use(v.b) } use(v.«a»)');
  check('function f() { const v = getVariables(); use(v.«a») } function g() { use(v.b) }');
  check('const v = getVariables(); for (const v of list) use(v.b); try {} catch (v) { use(v.c) }');
  check('function f() { if (x) { var v = getVariables() } use(v.«a») }');
  check('const { v } = other; const o = { v: 1, w: o2.v }; const g = getVariables(); use(g.«a»)');
});

test('detects values that are passed on as a whole', () => {
  check('start(getVariables())', { escapes: true });
  check('const all = { ...defaults, ...getVariables() }', { escapes: true });
  check('function vars() { return getVariables() }', { escapes: true });
  check('const get = window.__framework.getVariables; use(get().title)', { escapes: true });
  check('addEventListener("x", getVariables)', { escapes: true });
});

test('ignores members of every object', () => {
  check('getVariables().hasOwnProperty("a")', { escapes: true });
  check('getVariables().constructor', { escapes: true });
});

test('follows a getter that is taken from its object', () => {
  check('const { getVariables } = window.__framework; const { «title» } = getVariables();');
});

test('reads literal defaults', () => {
  const defaults = (code: string) =>
    readScriptVariables(code, 100).reads.map((read) => read.default && [read.default.value, read.default.span.start]);
  expect(
    defaults("const { a = 'x', b = -5, c = true, d = null, e = `t`, f = other, g, h: i = 2 } = getVariables()"),
  ).toEqual([['x', 112], [-5, 121], [true, 129], [null, 139], ['t', 149], [undefined, 158], null, [2, 175]]);
});

test('returns shorthand properties and the spans of patterns', () => {
  const { reads, patterns } = readScriptVariables('const { a, b: c } = getVariables()', 10);
  expect(reads.map(({ id, isShorthand }) => [id, isShorthand])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(patterns).toEqual([{ start: 16, end: 27 }]);
});

test('reports an unclosed string', () => {
  const { reads } = readScriptVariables('getVariables()["\nx', 0);
  for (const { span } of reads) expect(span.start).toBeLessThanOrEqual(span.end);
  expect(reads).toHaveLength(1);
});

test('reads incomplete code', () => {
  check('const =} = getVariables();');
  const ids = (code: string) => readScriptVariables(code, 0).reads.map(({ id }) => id);
  expect(ids('const { title,  } = getVariables(')).toEqual(['title']);
  expect(ids('const { title = } = getVariables(); if (')).toEqual(['title']);
  expect(ids('const v = getVariables(); v.')).toEqual([]);
  expect(ids('import x from "y"; const { a } = getVariables(); export default await a')).toEqual(['a']);
});
