// Shows how much the tests notice: breaks the code in places that a seeded random choice selects, and says which suite fails.
//   node --import tsx scripts/mutants.ts [--seed 1] [--count 40] [--only 3,7] [--list] [--json FILE]
// It changes the sources of the working tree, one place at a time, and restores them; run it in a clone. Errors of the types
// count for `npm test`, which checks them first.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

/** Each has the same number of mutants. */
const areas = [
  'renderer-core/page',
  'renderer-core/capture',
  'renderer-core/render',
  'renderer-core/media',
  'renderer-core/plan',
  'server/features',
  'cloud/service',
  'serverless',
];

type Mutant = { file: string; line: number; start: number; end: number; text: string; kind: string };

const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** A node of the syntax tree (ESTree). */
type Syntax = { type: string; start: number; end: number } & Record<string, unknown>;

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string';

/** The plausible mistakes in a file: another operator, a missing negation or call, a wrong number or boolean. */
function mutantsOf(file: string): Mutant[] {
  const code = readFileSync(file, 'utf8');
  const found: Mutant[] = [];
  const add = (start: number, end: number, text: string, kind: string) =>
    found.push({ file, line: code.slice(0, start).split('\n').length, start, end, text, kind });
  const visit = (node: Syntax): void => {
    const { type, start, end } = node;
    if (/^(?:TS|Import)/.test(type) && !/^TS(?:As|Satisfies|NonNull)/.test(type)) return;
    const textOf = (child: unknown) => (isSyntax(child) ? code.slice(child.start, child.end) : '');
    const other = operators[String(node.operator)];
    if (/^(?:Binary|Logical)Expression$/.test(type) && other && isSyntax(node.left) && isSyntax(node.right)) {
      const at = code.indexOf(String(node.operator), node.left.end);
      add(at, at + String(node.operator).length, other, `${node.operator} becomes ${other}`);
    }
    if (type === 'UnaryExpression' && node.operator === '!') add(start, end, textOf(node.argument), 'without !');
    if (type === 'Literal' && typeof node.value === 'boolean')
      add(start, end, String(!node.value), `${node.value} negated`);
    if (type === 'Literal' && typeof node.value === 'number')
      add(start, end, `(${node.value} + 1)`, `${node.value} becomes one more`);
    if (type === 'IfStatement') {
      const test = node.test as Syntax;
      add(test.start, test.end, `!(${textOf(test)})`, 'negated condition');
    }
    if (type === 'ExpressionStatement' && isSyntax(node.expression) && node.expression.type === 'CallExpression')
      add(start, end, ';', `without ${textOf(node.expression.callee)}()`);
    for (const child of Object.values(node).flat()) if (isSyntax(child)) visit(child);
  };
  visit(parseSync(file, code).program as unknown as Syntax);
  return found;
}

/** Numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.as|\.d)\.ts$/.test(name))
    .map((name) => join(folder, name))
    .sort();

function choose(): Mutant[] {
  const next = random(Number(values.seed));
  const places = new Set<string>();
  return Array.from({ length: Number(values.count) }, (_, index) => {
    const area = areas[index % areas.length] ?? '';
    const files = sourcesIn(area);
    for (;;) {
      const all = mutantsOf(files[Math.floor(next() * files.length)] ?? '');
      const mutant = all[Math.floor(next() * all.length)];
      if (!mutant || places.has(`${mutant.file} ${mutant.start}`)) continue;
      places.add(`${mutant.file} ${mutant.start}`);
      return mutant;
    }
  });
}

/** What a command printed, if it failed. */
function failureOf(command: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    timeout: 45 * 60_000,
  });
  return status === 0 ? undefined : stdout + stderr;
}

/** The first suite that fails, and in it the first test; undefined: none does. Tests that import the file run first, because most errors are found there. */
function suiteThatFinds(file: string): string | undefined {
  if (failureOf('npm', ['run', '--silent', 'build']) ?? failureOf('npx', ['tsc', '--noEmit']))
    return 'npm test (types)';
  for (const [mode, suite] of [
    ['core', 'npm test'],
    ['full', 'test:full'],
  ] as const) {
    const options = ['--run', '--bail', '1', '--mode', mode];
    const failure =
      failureOf('npx', ['vitest', 'related', file, ...options]) ?? failureOf('npx', ['vitest', ...options]);
    if (failure) return `${suite}: ${/ FAIL {2}(.*)/.exec(failure)?.[1] ?? 'no test named'}`;
  }
  return undefined;
}

const only = values.only?.split(',').map(Number);
const rows = [];
for (const [index, mutant] of choose().entries()) {
  if (only && !only.includes(index + 1)) continue;
  const { file, line, start, end, text, kind } = mutant;
  const original = readFileSync(file, 'utf8');
  let found: string | undefined = '';
  if (!values.list) {
    try {
      writeFileSync(file, original.slice(0, start) + text + original.slice(end));
      found = suiteThatFinds(file) ?? 'not found';
    } finally {
      writeFileSync(file, original);
    }
  }
  rows.push({ number: index + 1, place: `${file}:${line}`, kind, found });
  console.log(`| ${index + 1} | ${file}:${line} | ${kind} | ${found} |`);
  if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 2));
}
