// What a request handler does when its request is cancelled or fails.
import { expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { createRunSafe } from '../../server/runSafe.ts';

test('does not start a request that is cancelled while it waits', async () => {
  const started: string[] = [];
  const hover = createRunSafe(() => {})('Hover', null, (word: string) => started.push(word));
  const source = new CancellationTokenSource();
  const answer = hover('first', source.token);
  source.cancel();
  await expect(answer).rejects.toMatchObject({ code: -32800 });
  await hover('second', new CancellationTokenSource().token);
  expect(started).toEqual(['second']);
});

test('logs an error and returns the empty result', async () => {
  const lines: string[] = [];
  const hover = createRunSafe((line) => lines.push(line))('Hover', null, () => {
    throw new Error('no such word');
  });
  expect(await hover(undefined, new CancellationTokenSource().token)).toBeNull();
  expect(lines[0]).toMatch(/^Hover failed: Error: no such word/);
});
