// What language model tools make of a model's input, and of the command line's answers.
import { describe, expect, test } from 'vitest';
import { lintCall, renderCall, snapshotCall, variablesCall } from '../../client/agents/toolArguments.ts';
import { insideWorkspace } from '../../client/agents/toolPaths.ts';
import { errorText, lintText, snapshotText, variablesText } from '../../client/agents/toolText.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commands } from '../../renderer-core/cli/commands.ts';
import { findCommand } from '../../renderer-core/cli/findCommand.ts';
import { parseInput } from '../../renderer-core/cli/parse.ts';

describe('paths', () => {
  const folders = ['/home/ann/video', '/mnt/other'];
  test.each([
    [undefined, '/home/ann/video'],
    ['.', '/home/ann/video'],
    ['intro', '/home/ann/video/intro'],
    ['./intro/../card.html', '/home/ann/video/card.html'],
    ['/mnt/other/a/', '/mnt/other/a'],
    ['intro\\card.html', '/home/ann/video/intro/card.html'],
  ])('%s', (path, full) => expect(insideWorkspace(path, { folders })).toEqual({ path: full }));

  test.each([
    '..',
    '../videos',
    'intro/../../secret',
    '/etc',
    '/home/ann/video2',
    '/mnt/other/../x',
    'C:\\x',
    'a\0',
  ])('%s is outside', (path) => expect(insideWorkspace(path, { folders })).toEqual({ reason: 'outside' }));

  test('on Windows', () => {
    const drive = { folders: ['c:/films'] };
    expect(insideWorkspace('c:\\films\\a', drive)).toEqual({ path: 'c:/films/a' });
    expect(insideWorkspace('c:\\films\\..\\b', drive)).toEqual({ reason: 'outside' });
  });

  test('no folder', () => expect(insideWorkspace('a', { folders: [] })).toEqual({ reason: 'empty' }));
});

describe('arguments are ones that the command line takes', () => {
  const values = { title: '--output=x', size: 2 };
  const variables = { variables: values };
  const programs = ['--browser=/usr/bin/chromium'];
  test.each([
    ['lint', lintCall('/p', { fix: true })],
    ['variables', variablesCall('/p')],
    ['snapshot', snapshotCall('/p', { composition: 'a.html', at: [0.5, '12f'], ...variables }, '/s/a.jpg', programs)],
    [
      'render',
      renderCall('/p', { composition: '-x.html', quality: 'draft', format: 'mp4', ...variables }, '/p/o.mp4', programs),
    ],
  ])('%s', (name, { args, stdin }) => {
    const { command, rest } = findCommand(commands, args);
    expect(command?.name).toBe(name);
    if (!command) return;
    const input = parseInput(command, [], rest);
    expect(input.positionals).toEqual(['/p']);
    expect(input.switches).toContain('json');
    if (stdin !== '') expect(JSON.parse(stdin)).toEqual(values);
    expect(input.values.get('variables-file')).toBe(stdin === '' ? undefined : '-');
  });

  test('several times are one sheet', () => {
    expect(snapshotCall('/p', { at: [0, 1] }, 'a.jpg', []).args).toContain('--sheet');
    expect(snapshotCall('/p', { at: [0] }, 'a.jpg', []).args).not.toContain('--sheet');
  });
});

test('answers', () => {
  const fixes = [{ title: 'Change to "title"', isSafe: true }];
  const finding = { file: 'a.html', line: 4, column: 9, severity: 'error', message: 'No "titel"', rule: 'r', fixes };
  const counts = { error: 1, warning: 0, info: 0 };
  expect(lintText({ root: '/p', files: 1, counts, findings: [finding], fixed: [] })).toBe(
    '/p/a.html:4:9 error No "titel" (r). Fix: Change to "title" (safe).\n1 composition files: 1 errors, 0 warnings, 0 notes.',
  );
  const variables = [{ id: 'title', type: 'string' as const, default: 'Hi' }];
  const composition = { file: 'a.html', width: 64, height: 48, duration: null, variables, embeds: [] };
  expect(variablesText({ root: '/p', compositions: [composition] })).toBe(
    '/p/a.html: 64x48\n{"id":"title","type":"string","default":"Hi"}',
  );
  const pictures = [{ output: '/s', width: 1, height: 1, frames: [{ frame: 15, seconds: 0.5 }] }];
  expect(snapshotText({ pictures, frames: 30, fps: '30', durationSeconds: 1, warnings: ['Late'] })).toBe(
    '0.50 s (frame 15) of 1 s, 30 frames at 30 fps.\nWarning: Late',
  );
  expect(errorText({ message: 'No', hint: 'Do', place: { file: 'a.html', line: 2 } })).toBe('a.html:2: No\nHint: Do');
});

test('the manifest says to models what each tool is for and takes', () => {
  for (const { name, modelDescription, inputSchema } of manifest.contributes.languageModelTools) {
    expect(name).toMatch(/^framework_/);
    expect(modelDescription.length).toBeGreaterThan(100);
    const fields: { description?: string }[] = Object.values(inputSchema.properties);
    expect(fields.filter(({ description }) => !description)).toEqual([]);
  }
});
