// `framework new`: created projects, existing files, and the list of examples.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exampleNames } from '../../cli/commandTable.ts';
import { lintProject } from '../../renderer-core/lintProject.ts';
import { parseComposition } from '../../renderer-core/model/composition.ts';
import { variableTypes } from '../../renderer-core/model/variables/variables.ts';
import { readExamples } from '../../renderer-core/project/newProject.ts';
import { temporaryFolder } from '../support/project.ts';
import { cli } from './cli.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const index = await readExamples();

/** Files below a folder, sorted, POSIX. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''))
    .sort();
}

test('shows the next commands, which a shell passes unchanged', async () => {
  const parent = temporaryFolder();
  const { stdout } = await cli(['new', join(parent, 'my $(video)')]);
  const folder = relative(process.cwd(), join(parent, 'my $(video)'));
  const quoted = process.platform === 'win32' ? `"${folder}"` : `'${folder}'`;
  expect(stdout).toContain(`Next:\n\n  framework render ${quoted}\n  framework lint ${quoted}\n`);
});

test('creates a complete project from the default example and leaves no other file', async () => {
  const parent = temporaryFolder();
  const { status } = await cli(['new', join(parent, 'my-video')]);
  expect([status, readdirSync(parent)]).toEqual([0, ['my-video']]);
  expect(filesIn(join(parent, 'my-video'))).toEqual([...(index.examples[0]?.files ?? [])].sort());
  const made = readFileSync(join(parent, 'my-video/vendor/gsap.min.js'));
  expect(made.equals(readFileSync(join(examples, 'launch-card/vendor/gsap.min.js')))).toBe(true);
});

test('keeps the other files of an existing folder', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const { status, stdout } = await cli(['new', folder, '--example', 'lower-third', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    example: 'lower-third',
    folder,
    open: join(folder, 'index.html'),
    files: ['index.html', 'rows.json'],
  });
  expect(readdirSync(folder).sort()).toEqual(['index.html', 'notes.txt', 'rows.json']);
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

test('writes nothing if a file of the same name exists', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'rows.json'), '[]');
  const { status, stderr } = await cli(['new', folder, '--example', 'lower-third']);
  expect(status).toBe(1);
  expect(stderr).toContain('already contains files of the example: rows.json');
  expect(readdirSync(folder)).toEqual(['rows.json']);
});

test('removes the written files if a later one cannot be written', async () => {
  const folder = temporaryFolder();
  // This file blocks a folder, which fails after four other files were copied.
  writeFileSync(join(folder, 'compositions'), 'a file');
  const { status, stderr } = await cli(['new', folder, '--example', 'release-notes']);
  expect([status, stderr.includes('Cannot write to')]).toEqual([1, true]);
  expect(readdirSync(folder)).toEqual(['compositions']);
});

test('creates nothing below a file, for an unknown example, or when cancelled', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'taken'), '');
  expect((await cli(['new', join(folder, 'taken', 'below')])).status).toBe(1);
  const unknown = await cli(['new', join(folder, 'new'), '--example', 'lower-thrid']);
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "lower-third"?')]);
  const cancelled = await cli(['new', join(folder, 'new')], { signal: AbortSignal.abort() });
  expect(cancelled.status).toBe(130);
  expect(existsSync(join(folder, 'new'))).toBe(false);
  mkdirSync(join(folder, 'new'));
  await cli(['new', join(folder, 'new')], { signal: AbortSignal.abort() });
  expect([readdirSync(folder).sort(), readdirSync(join(folder, 'new'))]).toEqual([['new', 'taken'], []]);
});

test('lists the examples', async () => {
  const { stdout } = await cli(['new', '--list']);
  expect(stdout).toContain('countdown      Five ticking seconds');
  const { examples: listed } = JSON.parse((await cli(['new', '--list', '--json'])).stdout);
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(exampleNames);
  expect(index.examples.map(({ name }) => name)).toEqual(exampleNames);
});

describe.each(index.examples)('$name', ({ name, files, open, shape }) => {
  const folder = join(examples, name);

  test('contains exactly the files of the list, and a README', () => {
    expect(filesIn(folder).filter((file) => file !== 'README.md')).toEqual([...files].sort());
    expect(existsSync(join(folder, 'README.md'))).toBe(true);
  });

  test('has the size and duration of the list', () => {
    const { width, height, duration } = parseComposition(readFileSync(join(folder, open), 'utf8'));
    expect(shape).toBe(`${width?.value}×${height?.value}, ${duration?.value} s`);
  });

  test('has no lint findings', async () => {
    const { findings } = await lintProject(folder);
    expect(findings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  });
});

test('uses variables of every type in each small example', () => {
  for (const name of ['launch-card', 'lower-third', 'countdown', 'release-notes']) {
    const { declarations } = parseComposition(readFileSync(join(examples, name, 'index.html'), 'utf8'));
    expect([name, variableTypes.filter((type) => !declarations.some((one) => one.type === type))]).toEqual([name, []]);
  }
});
