// `framework new`: what is made, what is left alone, and what the examples' own list says of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exampleNames } from '../../renderer-core/cli/commands.ts';
import { lintProject } from '../../renderer-core/lintProject.ts';
import { parseComposition } from '../../renderer-core/model/composition.ts';
import { variableTypes } from '../../renderer-core/model/variables.ts';
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

test('the default example comes whole, and nothing is left beside it', async () => {
  const parent = temporaryFolder();
  const { status, stdout } = await cli(['new', join(parent, 'my-video')]);
  expect([status, readdirSync(parent)]).toEqual([0, ['my-video']]);
  expect(stdout).toContain('framework render');
  expect(filesIn(join(parent, 'my-video'))).toEqual([...(index.examples[0]?.files ?? [])].sort());
  const made = readFileSync(join(parent, 'my-video/vendor/gsap.min.js'));
  expect(made.equals(readFileSync(join(examples, 'launch-card/vendor/gsap.min.js')))).toBe(true);
});

test('into a folder with other things, which stay', async () => {
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

test('a file of the same name is kept, and nothing is written', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'rows.json'), '[]');
  const { status, stderr } = await cli(['new', folder, '--example', 'lower-third']);
  expect(status).toBe(1);
  expect(stderr).toContain('has files of this name already: rows.json');
  expect(readdirSync(folder)).toEqual(['rows.json']);
});

test('what was written goes away again when the rest cannot be', async () => {
  const folder = temporaryFolder();
  // The file where a folder should be is noticed when its first file is copied, behind four others.
  writeFileSync(join(folder, 'compositions'), 'a file');
  const { status, stderr } = await cli(['new', folder, '--example', 'release-notes']);
  expect([status, stderr.includes('Cannot write to')]).toEqual([1, true]);
  expect(readdirSync(folder)).toEqual(['compositions']);
});

test('a folder below a file, a name that no example has, and a cancelled one', async () => {
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

test('the list, for people and for programs', async () => {
  const { stdout } = await cli(['new', '--list']);
  expect(stdout).toContain('countdown      Five seconds that tick');
  const { examples: listed } = JSON.parse((await cli(['new', '--list', '--json'])).stdout);
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(exampleNames);
  expect(index.examples.map(({ name }) => name)).toEqual(exampleNames);
});

describe.each(index.examples)('$name', ({ name, files, open, shape }) => {
  const folder = join(examples, name);

  test('its files are all there are, but for what is about the repository', () => {
    expect(filesIn(folder).filter((file) => file !== 'README.md')).toEqual([...files].sort());
    expect(existsSync(join(folder, 'README.md'))).toBe(true);
  });

  test('is of the shape that the list says', () => {
    const { width, height, duration } = parseComposition(readFileSync(join(folder, open), 'utf8'));
    expect(shape).toBe(`${width?.value}×${height?.value}, ${duration?.value} s`);
  });

  test('the linter has nothing to say', async () => {
    const { findings } = await lintProject(folder);
    expect(findings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  });
});

test('variables of every type are shown by each of the small ones', () => {
  for (const name of ['launch-card', 'lower-third', 'countdown', 'release-notes']) {
    const { declarations } = parseComposition(readFileSync(join(examples, name, 'index.html'), 'utf8'));
    expect([name, variableTypes.filter((type) => !declarations.some((one) => one.type === type))]).toEqual([name, []]);
  }
});
