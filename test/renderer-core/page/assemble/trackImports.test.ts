// Dynamic imports are reported to the clock.
import { expect, test } from 'vitest';
import { trackImports } from '../../../../renderer-core/page/assemble/trackImports.ts';

test.each([
  ['import("./a.js")', 'window[Symbol.for("framework.import")](import("./a.js"),"./a.js")'],
  [
    'import x from "x"; const m = await import(of(")"), { with: { type: "json" } });',
    'import x from "x"; const m = await window[Symbol.for("framework.import")](import(of(")"), { with: { type: "json" } }),"of(\\")\\")");',
  ],
  ['with (x) { import(y) }', 'with (x) { window[Symbol.for("framework.import")](import(y),"y") }'],
])('reports %s', (code, expected) => expect(trackImports(code)).toBe(expected));

test.each([
  'import "./a.js"',
  '// import("a")',
  'const t = "import(a)"',
  'a.import(b)',
  'import(',
  'import.meta.url',
])('keeps %s', (code) => expect(trackImports(code)).toBe(code));
