// The texts that `framework mcp` returns to agents.
import { describe, expect, test } from 'vitest';
import { lintText, renderText, snapshotText, toolErrorText, variablesText } from '../../../cli/mcp/toolText.ts';

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
