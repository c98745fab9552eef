// The JSON output of real commands, and the files that they write, match their schemas. `runProgram` checks each line.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { composition, project } from '../support/project.ts';
import { schemaProblems } from '../support/schemaProblems.ts';

const title = { id: 'title', type: 'string', label: 'Title', default: 'Hello' };
const files = () => ({
  'index.html': composition('<p style="color:#fff" data-var-text="title"></p>', { variables: [title] }),
  'bad.html': composition('<img src="gone.png"><script>nope()</script>'),
});
const both = ['--json', '--progress=ndjson'];

/** The JSON output, and the types of events in order, each type once. */
async function run(args: string[]) {
  const { status, stdout, stderr } = await runProgram(args);
  const types = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).type] : []));
  return { status, output: JSON.parse(stdout), types: [...new Set(types)] };
}

describe('commands', () => {
  test('render prints valid JSON for a video, a plan, a warning and a failure', async () => {
    const dir = project(files());
    const output = join(dir, 'out.mp4');
    expect(await run(['render', dir, '-o', output, '--variables={"other":1}', ...both])).toMatchObject({
      status: 0,
      output: { output },
      types: ['stage', 'warning', 'frames', 'done'],
    });
    expect((await run(['render', dir, '--dry-run', '--json'])).output).toMatchObject({ plan: { frames: 30 } });
    expect(await run(['render', dir, '-c', 'bad.html', ...both])).toMatchObject({
      status: 1,
      output: { error: { code: 'asset_missing' } },
      types: ['stage', 'error'],
    });
  });

  test('check prints valid JSON, and render --check renders nothing after an error', async () => {
    const dir = project(files());
    const rows = join(dir, 'rows.json');
    writeFileSync(rows, JSON.stringify([{ title: 'Hi' }, { title: 'Incomprehensibilities' }]));
    const { status, output } = await run(['check', dir, '--batch', rows, '--json']);
    expect(status).toBe(0);
    expect(output.findings).toMatchObject([{ rule: 'text-outside-frame', file: 'index.html', rows: [1] }]);
    expect(output.rows).toMatchObject([{ findings: 0 }, { findings: 1 }]);
    writeFileSync(join(dir, 'framework.json'), '{"lint": {"rules": {"text-outside-frame": "error"}}}');
    const video = join(dir, 'out.mp4');
    const values = '--variables={"title":"Incomprehensibilities"}';
    expect(await run(['render', dir, '-o', video, values, '--check', '--json'])).toMatchObject({
      status: 1,
      output: { error: { code: 'composition_invalid' } },
    });
    expect(existsSync(video)).toBe(false);
  });

  test('render --batch prints valid JSON and writes a valid manifest', async () => {
    const dir = project(files());
    const rows = join(dir, 'rows.json');
    writeFileSync(rows, JSON.stringify([{ title: 'A' }, { title: 'B' }]));
    const args = ['render', dir, '--batch', rows, '-o', join(dir, 'out/{title}.mp4')];
    expect((await run([...args, '--dry-run', '--json'])).output).toMatchObject({ total: 2 });
    const { output: report, types } = await run([...args, ...both]);
    expect(report).toMatchObject({ completed: 2 });
    expect(types).toEqual(expect.arrayContaining(['stage', 'row', 'rows', 'done']));
    expect(schemaProblems('manifest', JSON.parse(readFileSync(report.manifest, 'utf8')))).toEqual([]);
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
    expect(failed).toMatchObject({ status: 1, output: { error: { problems: [{ row: 0 }] } } });
  });

  test('snapshot, lint, variables and doctor print valid JSON', async () => {
    const dir = project(files());
    const shot = await run(['snapshot', dir, '--at=0', '--at=50%', '-o', join(dir, 'shot.png'), ...both]);
    expect(shot).toMatchObject({ status: 0, output: { pictures: [{}, {}] }, types: ['stage', 'frames'] });
    expect(await run(['lint', dir, '--json'])).toMatchObject({ status: 1, output: { counts: { error: 1 } } });
    expect((await run(['variables', dir, '--json'])).output.compositions).toHaveLength(2);
    expect((await run(['doctor', '--json'])).output.ok).toBe(true);
  });
});

test('the variables of the examples match the schema of rows', () => {
  for (const name of ['data-chart', 'launch-card', 'quote-story', 'speaker-cards']) {
    const values = JSON.parse(readFileSync(new URL(`../../examples/${name}/variables.json`, import.meta.url), 'utf8'));
    expect(schemaProblems('rows', [values])).toEqual([]);
  }
});
