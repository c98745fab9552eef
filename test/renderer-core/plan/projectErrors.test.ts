// The error of a project that cannot be rendered lists every problem.
import { expect, test } from 'vitest';
import type { UserError } from '../../../renderer-core/errors.ts';
import { buildGraph } from '../../../renderer-core/model/graph.ts';
import { assertValidProject, attributeWarnings } from '../../../renderer-core/plan/projectErrors.ts';

const page = (body: string) =>
  `<html><body>\n<div data-composition-id="main" data-width="64" data-height="64" data-duration="1">\n${body}\n</div></body></html>`;

function errorOf(files: Record<string, string>): UserError | undefined {
  try {
    assertValidProject(
      buildGraph('index.html', (path) => files[path]),
      () => false,
    );
    return undefined;
  } catch (error) {
    return error as UserError;
  }
}

test('accepts a project without errors', () => {
  expect(errorOf({ 'index.html': page('<p data-start="0" data-duration="1">x</p>') })).toBeUndefined();
});

test('warns of numbers that are ignored or changed, in all files', () => {
  const files: Record<string, string> = {
    'index.html': page('<audio data-volume="loud"></audio>\n<div data-composition-src="card.html"></div>'),
    'card.html': page('<p>\n<video data-volume="2" data-playback-rate="1.5"></video></p>'),
  };
  expect(attributeWarnings(buildGraph('index.html', (path) => files[path]))).toEqual([
    'index.html:3:21: data-volume must be a number (got "loud")',
    'card.html:4:21: data-volume must be a number from 0 to 1 (got 2)',
  ]);
});

test('lists the errors of all files, with the first one as the location and code', () => {
  const error = errorOf({
    'index.html': page(
      '<p data-start="a">x</p>\n<i data-start="b">y</i>\n<div data-composition-src="card.html"></div>',
    ),
    'card.html': page('<p data-start="c">z</p>'),
  });
  expect(error).toMatchObject({
    code: 'timing_invalid',
    message: [
      'No clip has the id "a"',
      'index.html:4:16: No clip has the id "b"',
      'card.html:3:16: No clip has the id "c"',
    ].join('\n'),
    place: { file: 'index.html', line: 3, column: 16 },
    problems: [
      { message: 'No clip has the id "a"', place: { file: 'index.html', line: 3, column: 16 } },
      { message: 'No clip has the id "b"', place: { file: 'index.html', line: 4, column: 16 } },
      { message: 'No clip has the id "c"', place: { file: 'card.html', line: 3, column: 16 } },
    ],
  });
});

test('lists at most 20 errors', () => {
  const clips = Array.from({ length: 25 }, (_, index) => `<p data-start="c${index}">x</p>`).join('\n');
  const lines = errorOf({ 'index.html': page(clips) })?.message.split('\n') ?? [];
  expect(lines).toHaveLength(21);
  expect(lines.slice(-2)).toEqual([
    'index.html:22:16: No clip has the id "c19"',
    '5 more; framework lint lists all of them.',
  ]);
});
