// The language model tools: paths, command lines, texts, and their part of the manifest.
import { describe, expect, test } from 'vitest';
import { commands } from '../../cli/commandTable.ts';
import { findCommand } from '../../cli/findCommand.ts';
import { toolDefinitions } from '../../cli/mcp/toolDefinitions.ts';
import { lintText, renderText, snapshotText, toolErrorText, variablesText } from '../../cli/mcp/toolText.ts';
import { parseInput } from '../../cli/parseArguments.ts';
import { lintCommand, renderCommand, snapshotCommand, variablesCommand } from '../../client/agents/toolArguments.ts';
import { insideWorkspace } from '../../client/agents/toolPaths.ts';
import manifest from '../../package.json' with { type: 'json' };
import sentences from '../../package.nls.json' with { type: 'json' };
import { editorTools } from '../../scripts/toolSchemas.ts';

describe('paths of the workspace', () => {
  const folders = ['/home/ann/video', '/mnt/other'];
  test.each([
    [undefined, '/home/ann/video'],
    ['.', '/home/ann/video'],
    ['intro', '/home/ann/video/intro'],
    ['./intro/../card.html', '/home/ann/video/card.html'],
    ['/mnt/other/a/', '/mnt/other/a'],
    ['intro\\card.html', '/home/ann/video/intro/card.html'],
  ])('accepts %s', (path, full) => expect(insideWorkspace(path, { folders })).toEqual({ path: full }));

  test.each([
    '..',
    '../videos',
    'intro/../../secret',
    '/etc',
    '/home/ann/video2',
    '/mnt/other/../x',
    'C:\\x',
    'a\0',
  ])('rejects %s', (path) => expect(insideWorkspace(path, { folders })).toEqual({ reason: 'outside' }));

  test('compares Windows paths', () => {
    const drive = { folders: ['c:/films'] };
    expect(insideWorkspace('c:\\films\\a', drive)).toEqual({ path: 'c:/films/a' });
    expect(insideWorkspace('c:\\films\\..\\b', drive)).toEqual({ reason: 'outside' });
  });

  test('rejects every path without a folder', () =>
    expect(insideWorkspace('a', { folders: [] })).toEqual({ reason: 'empty' }));
});

describe('command lines are valid', () => {
  const values = { title: '--output=x', size: 2 };
  const variables = { variables: values };
  const programs = ['--browser=/usr/bin/chromium'];
  test.each([
    ['lint', lintCommand('/p', { fix: true })],
    ['variables', variablesCommand('/p')],
    [
      'snapshot',
      snapshotCommand('/p', { composition: 'a.html', at: [0.5, '12f'], ...variables }, '/s/a.jpg', programs),
    ],
    [
      'render',
      renderCommand(
        '/p',
        { composition: '-x.html', quality: 'draft', format: 'mp4', ...variables },
        '/p/o.mp4',
        programs,
      ),
    ],
  ])('%s', (name, { args, stdin }) => {
    const { command, rest } = findCommand(commands, args);
    expect(command?.name).toBe(name);
    if (!command) return;
    const input = parseInput(command, [], rest);
    expect(input.positionals).toEqual(['/p']);
    expect(input.flags).toContain('json');
    if (stdin !== '') expect(JSON.parse(stdin)).toEqual(values);
    expect(input.values.get('variables-file')).toBe(stdin === '' ? undefined : '-');
  });

  test('passes the size', () => {
    const size = { resolution: '4k', aspectRatio: '9:16', fit: 'contain', background: 'red' } as const;
    const options = ['--resolution=4k', '--aspect-ratio=9:16', '--fit=contain', '--background=red'];
    expect(renderCommand('/p', size, undefined, []).args).toEqual(expect.arrayContaining(options));
    expect(snapshotCommand('/p', size, 'a.jpg', []).args).toEqual(expect.arrayContaining(options));
  });

  test('combines several times into a contact sheet', () => {
    expect(snapshotCommand('/p', { at: [0, 1] }, 'a.jpg', []).args).toContain('--contact-sheet');
    expect(snapshotCommand('/p', { at: [0] }, 'a.jpg', []).args).not.toContain('--contact-sheet');
  });
});

describe('texts', () => {
  const fixes = [{ title: 'Change to "title"', isSafe: true, edits: [] }];
  const finding = { file: 'a.html', line: 4, column: 9, severity: 'error' as const, message: 'No "titel"', rule: 'r' };

  test('print findings with their absolute path and fix', () => {
    const counts = { error: 1, warning: 0, info: 2 };
    expect(lintText({ root: '/p', files: 1, counts, findings: [{ ...finding, fixes }], fixed: [] })).toBe(
      '/p/a.html:4:9 error No "titel" (r). Fix: Change to "title" (safe).\n1 composition in /p: 1 error, 0 warnings, 2 notes.',
    );
  });

  test('print compositions with their variables', () => {
    const variables = [{ id: 'title', type: 'string' as const, label: 'Title', default: 'Hi', maxLength: 9 }];
    const embeds = [{ file: null, source: 'b.html' }];
    const rejected = [{ message: 'No.', line: 1, column: 2 }];
    const composition = { file: 'a.html', width: 64, height: 48, duration: null, fps: null };
    expect(variablesText({ compositions: [{ ...composition, variables, embeds, rejected }] })).toBe(
      'a.html: 64x48, no declared duration, 30 fps, 1 variable, embeds b.html (missing)\n' +
        '  title (string, "Title"): default "Hi", maxLength 9\n' +
        '  invalid declaration, a.html:1:2: No.',
    );
  });

  test('print snapshots and renders with their warnings', () => {
    const pictures = [{ output: '/s', bytes: 9, width: 64, height: 48, frames: [{ frame: 15, seconds: 0.5 }] }];
    expect(snapshotText({ pictures, frames: 30, fps: '30', durationSeconds: 1, warnings: ['Late'] })).toBe(
      '0.50 s (frame 15) of 1 s, 30 frames at 30 fps; 64x48 pixels.\nWarning: Late',
    );
    const size = { width: 64, height: 48, fps: '30', bytes: 900 };
    expect(
      renderText({
        ...size,
        output: '/o.mp4',
        frames: 30,
        durationSeconds: 1,
        elapsedMs: 1234,
        fonts: [],
        warnings: [],
      }),
    ).toBe('/o.mp4: 30 frames, 1 s, 64x48 at 30 fps, 900 bytes; rendered in 1.2 s.');
  });

  test('print errors with location, problems and hint', () => {
    const place = { file: 'a.html', line: 2 };
    expect(toolErrorText({ message: 'No', hint: 'Do', place, problems: [{ message: 'Bad', row: 1 }] })).toBe(
      'a.html:2: No\n- row 2: Bad\nHint: Do',
    );
  });
});

describe('the manifest', () => {
  const tools = manifest.contributes.languageModelTools;

  test('contains the tools of the table (update with: node --import tsx scripts/toolSchemas.ts)', () => {
    expect(tools.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema }))).toEqual(
      editorTools(),
    );
  });

  test('shows the titles of the table', () => {
    const titleOf = ({ displayName }: { displayName: string }) =>
      (sentences as Record<string, string>)[displayName.replaceAll('%', '')];
    expect(tools.map(titleOf)).toEqual(toolDefinitions.flatMap(({ editor, title }) => (editor ? [title] : [])));
  });

  test('describes every tool and every field', () => {
    for (const { modelDescription, inputSchema } of tools) {
      expect(modelDescription.length).toBeGreaterThan(100);
      const fields: { description?: string }[] = Object.values(inputSchema.properties);
      expect(fields.filter(({ description }) => !description)).toEqual([]);
    }
  });
});
