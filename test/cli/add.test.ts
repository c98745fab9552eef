// `framework add`: the catalog, the added block, and errors that leave the project as it was.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import index from '../../blocks/blocks.json' with { type: 'json' };
import { blockNames } from '../../cli/commandTable.ts';
import { temporaryFolder } from '../support/project.ts';
import { cli } from './cli.ts';

const page =
  '<!doctype html>\n<div data-composition-id="main" data-width="640" data-height="360" data-duration="8">\n  <p>Hello</p>\n</div>\n';

function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.html'), page);
  return folder;
}

test('lists the catalog', async () => {
  expect(index.blocks.map(({ name }) => name)).toEqual(blockNames);
  const { status, stdout } = await cli(['add']);
  expect(status).toBe(0);
  expect(stdout.split('\n')[1]).toBe('lower-third  The name and role of a speaker, left or right.');
  expect((await cli(['add', '--list'])).stdout).toBe(stdout);
  const { blocks } = JSON.parse((await cli(['add', '--json'])).stdout);
  expect(blocks[2]).toEqual({
    name: 'caption',
    title: 'Caption',
    description: 'A spoken sentence whose words light up one after another.',
  });
});

test('adds a block at a time, and reuses its file', async () => {
  const folder = project();
  const first = await cli(['add', 'lower-third', folder, '--at', '1.5', '--json']);
  expect(JSON.parse(first.stdout)).toEqual({
    block: 'lower-third',
    composition: join(folder, 'index.html'),
    file: join(folder, 'compositions/lower-third.html'),
    created: true,
    id: 'lower-third',
    start: 1.5,
    duration: 5,
    track: 0,
    compositionDuration: null,
  });
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain(
    `  <p>Hello</p>\n  <div\n    id="lower-third"\n    data-composition-src="compositions/lower-third.html"\n    data-start="1.5"`,
  );
  const second = await cli(['add', 'lower-third', join(folder, 'index.html'), '--at', '7.5']);
  expect(second.stdout).toMatch(
    /^Added lower-third to .*index\.html: "lower-third-2" from 7\.5 s to 12\.5 s on track 0\nUsed .*lower-third\.html, which is the same block\nThe composition is now 12\.5 s long\n$/,
  );
  expect(readdirSync(join(folder, 'compositions'))).toEqual(['lower-third.html']);
  expect((await cli(['lint', folder])).stdout).toContain('No problems found in 2 compositions');
});

test('changes the composition of --composition', async () => {
  const folder = project();
  mkdirSync(join(folder, 'scenes'));
  writeFileSync(join(folder, 'scenes/one.html'), page);
  expect((await cli(['add', 'title', folder, '-c', 'scenes/one.html', '--duration', '3'])).status).toBe(0);
  expect(readFileSync(join(folder, 'scenes/one.html'), 'utf8')).toContain('src="../compositions/title.html"');
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(page);
});

test('changes nothing for wrong arguments', async () => {
  const folder = project();
  writeFileSync(join(folder, 'plain.html'), '<p>Hello</p>');
  const results = [
    await cli(['add', 'lower-thrid', folder]),
    await cli(['add', 'title', folder, '--at', 'now']),
    await cli(['add', 'title', folder, '--duration', '0']),
    await cli(['add', 'title', folder, '-c', 'plain.html']),
    await cli(['add', 'title', folder, '-c', 'missing.html']),
  ];
  expect(results.map(({ status, stderr }) => [status, stderr.split('\n')[0]])).toEqual([
    [2, 'error: The block "lower-thrid" does not exist; did you mean "lower-third"?'],
    [2, 'error: --at must be a number of seconds from 0 up (got "now")'],
    [2, 'error: --duration must be greater than 0'],
    [1, 'error: plain.html is not a composition: no element has data-composition-id.'],
    [1, expect.stringContaining('The composition missing.html does not exist')],
  ]);
  expect(readdirSync(folder).sort()).toEqual(['index.html', 'plain.html']);
});

test('removes the new file if the composition cannot be written', async () => {
  const folder = project();
  // The name of the temporary file is taken.
  writeFileSync(join(folder, `index.html.${process.pid}.tmp`), '');
  const { status, stderr } = await cli(['add', 'title', folder]);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Cannot write')]);
  expect(readdirSync(folder)).toEqual(['index.html']);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(page);
});
