// What real commands print for programs, and the files that they write, are what their schemas say. `runProgram` holds each
// line against them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaFaults } from '../support/answers.ts';
import { runProgram } from '../support/program.ts';
import { composition, project } from '../support/project.ts';

const title = { id: 'title', type: 'string', label: 'Title', default: 'Hello' };
const files = () => ({
  'index.html': composition('<p data-var-text="title"></p>', { variables: [title] }),
  'bad.html': composition('<img src="gone.png"><script>nope()</script>'),
});
const both = ['--json', '--progress=ndjson'];

/** The answer, and the kinds of events in their order, each kind once. */
async function run(args: string[]) {
  const { status, stdout, stderr } = await runProgram(args);
  const types = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).type] : []));
  return { status, answer: JSON.parse(stdout), types: [...new Set(types)] };
}

describe('commands', () => {
  test('render: a video, a plan, a warning, and a failure', async () => {
    const dir = project(files());
    const output = join(dir, 'out.mp4');
    expect(await run(['render', dir, '-o', output, '--variables={"other":1}', ...both])).toMatchObject({
      status: 0,
      answer: { output },
      types: ['stage', 'warning', 'frames', 'done'],
    });
    expect((await run(['render', dir, '--dry-run', '--json'])).answer).toMatchObject({ plan: { frames: 30 } });
    expect(await run(['render', dir, '-c', 'bad.html', ...both])).toMatchObject({
      status: 1,
      answer: { error: { code: 'asset_missing' } },
      types: ['stage', 'error'],
    });
  });

  test('render --batch, its plan and its manifest', async () => {
    const dir = project(files());
    const rows = join(dir, 'rows.json');
    writeFileSync(rows, JSON.stringify([{ title: 'A' }, { title: 'B' }]));
    const args = ['render', dir, '--batch', rows, '-o', join(dir, 'out/{title}.mp4')];
    expect((await run([...args, '--dry-run', '--json'])).answer).toMatchObject({ total: 2 });
    const { answer, types } = await run([...args, ...both]);
    expect(answer).toMatchObject({ completed: 2 });
    expect(types).toEqual(expect.arrayContaining(['stage', 'row', 'rows', 'done']));
    expect(schemaFaults('manifest', JSON.parse(readFileSync(answer.manifest, 'utf8')))).toEqual([]);
    const broken = join(dir, 'broken.json');
    writeFileSync(broken, '[{"title": 1}]');
    const failed = await run([
      'render',
      dir,
      '--batch',
      broken,
      '--strict-variables',
      '-o',
      join(dir, '{index}.mp4'),
      '--json',
    ]);
    expect(failed).toMatchObject({ status: 1, answer: { error: { problems: [{ row: 0 }] } } });
  });

  test('snapshot, lint, variables, doctor', async () => {
    const dir = project(files());
    const shot = await run(['snapshot', dir, '--at=0', '--at=50%', '-o', join(dir, 'shot.png'), ...both]);
    expect(shot).toMatchObject({ status: 0, answer: { pictures: [{}, {}] }, types: ['stage', 'frames'] });
    expect(await run(['lint', dir, '--json'])).toMatchObject({ status: 1, answer: { counts: { error: 1 } } });
    expect((await run(['variables', dir, '--json'])).answer.compositions).toHaveLength(2);
    expect((await run(['doctor', '--json'])).answer.ok).toBe(true);
  });
});

test('the rows and variables of the examples', () => {
  for (const name of ['data-chart', 'launch-card', 'quote-story', 'speaker-cards']) {
    const values = JSON.parse(readFileSync(new URL(`../../examples/${name}/variables.json`, import.meta.url), 'utf8'));
    expect(schemaFaults('rows', [values])).toEqual([]);
  }
});
