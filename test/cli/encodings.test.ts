// Files that are not UTF-8: what `framework lint` finds, and how fixes write them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintProject } from '../../renderer-core/lintProject.ts';
import { replaceFile } from '../../renderer-core/project/projectFiles.ts';
import { project } from '../support/project.ts';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const root = (inside: string, size = 'data-width="16" data-height="16" data-duration="1"') =>
  `<div data-composition-id="m" ${size}>${inside}</div>`;

async function findings(files: Record<string, Uint8Array>): Promise<string[]> {
  const report = await lintProject(project(files));
  return report.findings.map(
    ({ rule, severity, file, line, column, message }) =>
      `${file}:${line}:${column} ${severity} ${message.split('; ', 1)} (${rule})`,
  );
}

test.each([
  ['<!doctype html><meta charset=latin1>Café', 'latin1'],
  ['\uFEFF<!doctype html>日本', 'utf16le'],
  ['<!doctype html>日本', 'utf8'],
] as const)('finds nothing wrong with a declared encoding: %s', async (text, encoding) => {
  expect(await findings({ 'index.html': Buffer.from(`${text}${root('')}`, encoding) })).toEqual([]);
});

test('reports pages that cannot be decoded, or that declare no encoding', async () => {
  expect(await findings({ 'index.html': latin1(`<!doctype html><meta charset=utf-8>\n${root('Caf\xE9')}`) })).toEqual([
    'index.html:2:84 error The file is not valid UTF-8 text (text-encoding)',
  ]);
  expect(await findings({ 'index.html': latin1(`<!doctype html>${root('Caf\xE9')}`) })).toEqual([
    'index.html:1:1 warning index.html is not UTF-8 and declares no encoding, so it is read as windows-1252 (text-encoding)',
  ]);
});

test('reports sheets and scripts that cannot be decoded, also imported ones, but not their comments', async () => {
  const files = {
    'a.css': latin1('@import "b.css";'),
    'b.css': latin1('\na{content:"\xE9"}'),
    'a.js': latin1('a = "\xE9"'),
    'c.js': latin1('/* \xA9 Andr\xE9 */ // \xE9\na = "http://e.de"'),
    'c.css': latin1('/* \xA9 */'),
    'own.css': latin1('@charset "latin1";a{content:"\xE9"}'),
    'named.js': latin1('a = "\xE9"'),
  };
  const page = `<!doctype html><meta charset=utf-8>
<link rel=stylesheet href=a.css>
<script src=a.js></script><script src=c.js></script><script src=named.js charset=latin1></script>
<link rel=stylesheet href=c.css><link rel=stylesheet href=own.css>`;
  expect(await findings({ 'index.html': latin1(page + root('')), ...files })).toEqual([
    'index.html:2:27 error b.css is not valid UTF-8 text (line 2) (text-encoding)',
    'index.html:3:13 error a.js is not valid UTF-8 text (line 1) (text-encoding)',
  ]);
  expect(await findings({ 'index.html': latin1(page.replace('utf-8', 'latin1') + root('')), ...files })).toEqual([]);
});

const fixable = 'data-width="16px" data-height="16" data-duration="1"';

test.each([
  ['<!doctype html><meta charset=latin1>Café', 'latin1'],
  ['\uFEFF<!doctype html>日本', 'utf16le'],
] as const)('--fix keeps the encoding: %s', async (text, encoding) => {
  const dir = project({ 'index.html': Buffer.from(`${text}${root('', fixable)}`, encoding) });
  await lintProject(dir, { fix: true });
  expect((await readFile(join(dir, 'index.html'))).toString(encoding)).toBe(`${text}${root('')}`);
});

test('--fix does not write files that cannot be decoded', async () => {
  const bytes = latin1(`<!doctype html><meta charset=utf-8>Caf\xE9${root('', fixable)}`);
  const dir = project({ 'index.html': bytes });
  expect((await lintProject(dir, { fix: true })).fixed).toEqual([]);
  expect(await readFile(join(dir, 'index.html'))).toEqual(Buffer.from(bytes));
});

test('refuses to write a character that the encoding lacks', async () => {
  const bytes = latin1('<meta charset=latin1>\xE9');
  const dir = project({ 'index.html': bytes });
  const path = join(dir, 'index.html');
  await expect(replaceFile(path, '<meta charset=latin1>→')).rejects.toMatchObject({
    code: 'output_unwritable',
    message: `Cannot write ${path}: its encoding, windows-1252, lacks a character of the new text`,
  });
  expect(await readFile(path)).toEqual(Buffer.from(bytes));
});
