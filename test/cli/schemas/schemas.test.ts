// The documented schemas: generated from the table, complete, and strict.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../cli/commandTable.ts';
import { schemaFiles } from '../../../scripts/schemas.ts';
import { schemaProblems } from '../../support/schemaProblems.ts';
import { cli, report } from '../cli.ts';

const folder = new URL('../../../docs/schemas/', import.meta.url);
const page = readFileSync(new URL('../../../docs/json.md', import.meta.url), 'utf8');

test('docs/schemas is up to date (node --import tsx scripts/schemas.ts)', () => {
  const there = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
  expect(Object.fromEntries(there)).toEqual(Object.fromEntries(schemaFiles()));
});

describe('every command', () => {
  const named = (option: string) => commands.filter(({ options }) => options.some(({ name }) => name === option));
  const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.json`;

  test('has a schema for its JSON output and its progress events', () => {
    const wanted = [
      ...named('json').map(({ name }) => fileOf(name)),
      ...named('progress').map(({ name }) => fileOf(`${name}-events`)),
    ];
    expect(wanted.filter((name) => !schemaFiles().has(name))).toEqual([]);
  });

  test('is listed in docs/json.md', () => {
    expect([...schemaFiles().keys()].filter((name) => !page.includes(`(schemas/${name})`))).toEqual([]);
  });
});

describe('schemas', () => {
  const plain = JSON.stringify(report);
  test('accept exactly the documented fields', () => {
    expect(schemaProblems('render', JSON.parse(plain))).toEqual([]);
    expect(schemaProblems('render', { ...JSON.parse(plain), more: 1 })).not.toEqual([]);
    expect(schemaProblems('render', { ...JSON.parse(plain), frames: '120' })).not.toEqual([]);
    const { bytes: _, ...less } = report;
    expect(schemaProblems('render', less)).not.toEqual([]);
  });

  test('describe errors and progress events', () => {
    const error = { code: 'usage', message: 'No.', place: { file: 'a.html', line: 1 } };
    expect(schemaProblems('doctor', { error })).toEqual([]);
    expect(schemaProblems('doctor', { error: { ...error, stack: '' } })).not.toEqual([]);
    expect(schemaProblems('render-events', { type: 'error', error })).toEqual([]);
    expect(schemaProblems('render-events', { type: 'frames', done: 1, total: 2 })).not.toEqual([]);
  });

  test('describe files', () => {
    expect(schemaProblems('configuration', { lint: { rules: { 'unused-variable': 'off' } }, other: 1 })).toEqual([]);
    expect(schemaProblems('configuration', { lint: { rules: { 'unused-variables': 'off' } } })).not.toEqual([]);
    expect(schemaProblems('rows', [{ title: 'A' }])).toEqual([]);
    expect(schemaProblems('rows', { rows: [{ title: 'A' }] })).toEqual([]);
    expect(schemaProblems('rows', ['A'])).not.toEqual([]);
  });
});

describe('framework schema', () => {
  test('prints the schema of a command', async () => {
    const { stdout } = await cli(['schema', 'cloud', 'render']);
    expect(stdout).toBe(schemaFiles().get('cloud-render.json'));
    expect((await cli(['schema', 'render-events'])).stdout).toContain('"remainingSeconds"');
  });
  test('lists all schemas', async () => {
    const { stdout } = await cli(['schema']);
    expect(stdout).toMatch(/^serve-key-list +framework serve key list --json$/m);
    expect(stdout.trim().split('\n')).toHaveLength(schemaFiles().size);
  });
  test('suggests the nearest name', async () => {
    const { status, stderr } = await cli(['schema', 'rendr']);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('did you mean "render"?') });
  });
});
