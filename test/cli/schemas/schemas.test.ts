// The documented schemas: made from the table, one for every command that prints JSON, and strict about what is in them.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../../renderer-core/cli/commands.ts';
import { schemaFiles } from '../../scripts/schemas.ts';
import { cli, report } from '../cli/cli.ts';
import { schemaFaults } from '../support/answers.ts';

const folder = new URL('../../docs/schemas/', import.meta.url);
const page = readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8');

test('docs/schemas is what the table makes: node --import tsx scripts/schemas.ts', () => {
  const there = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
  expect(Object.fromEntries(there)).toEqual(Object.fromEntries(schemaFiles()));
});

describe('every command', () => {
  const named = (option: string) => commands.filter(({ options }) => options.some(({ name }) => name === option));
  const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.json`;

  test('that prints JSON has a schema, and one for its progress', () => {
    const wanted = [
      ...named('json').map(({ name }) => fileOf(name)),
      ...named('progress').map(({ name }) => fileOf(`${name}-events`)),
    ];
    expect(wanted.filter((name) => !schemaFiles().has(name))).toEqual([]);
  });

  test('is in docs/json.md', () => {
    expect([...schemaFiles().keys()].filter((name) => !page.includes(`(schemas/${name})`))).toEqual([]);
  });
});

describe('schemas', () => {
  const plain = JSON.stringify(report);
  test('know every field, and no other', () => {
    expect(schemaFaults('render', JSON.parse(plain))).toEqual([]);
    expect(schemaFaults('render', { ...JSON.parse(plain), more: 1 })).not.toEqual([]);
    expect(schemaFaults('render', { ...JSON.parse(plain), frames: '120' })).not.toEqual([]);
    const { bytes: _, ...less } = report;
    expect(schemaFaults('render', less)).not.toEqual([]);
  });

  test('of an error and of progress', () => {
    const error = { code: 'usage', message: 'No.', place: { file: 'a.html', line: 1 } };
    expect(schemaFaults('doctor', { error })).toEqual([]);
    expect(schemaFaults('doctor', { error: { ...error, stack: '' } })).not.toEqual([]);
    expect(schemaFaults('render-events', { type: 'error', error })).toEqual([]);
    expect(schemaFaults('render-events', { type: 'frames', done: 1, total: 2 })).not.toEqual([]);
  });

  test('of files', () => {
    expect(schemaFaults('configuration', { lint: { rules: { 'unused-variable': 'off' } }, other: 1 })).toEqual([]);
    expect(schemaFaults('configuration', { lint: { rules: { 'unused-variables': 'off' } } })).not.toEqual([]);
    expect(schemaFaults('rows', [{ title: 'A' }])).toEqual([]);
    expect(schemaFaults('rows', { rows: [{ title: 'A' }] })).toEqual([]);
    expect(schemaFaults('rows', ['A'])).not.toEqual([]);
  });
});

describe('framework schema', () => {
  test('prints one, by the name of the command', async () => {
    const { stdout } = await cli(['schema', 'cloud', 'render']);
    expect(stdout).toBe(schemaFiles().get('cloud-render.json'));
    expect((await cli(['schema', 'render-events'])).stdout).toContain('"remainingSeconds"');
  });
  test('lists all', async () => {
    const { stdout } = await cli(['schema']);
    expect(stdout).toMatch(/^serve-key-list +framework serve key list --json$/m);
    expect(stdout.trim().split('\n')).toHaveLength(schemaFiles().size);
  });
  test('names the nearest', async () => {
    const { status, stderr } = await cli(['schema', 'rendr']);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('did you mean "render"?') });
  });
});
