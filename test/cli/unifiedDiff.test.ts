// Diffs as `diff -u` shows them: applied by hand they give the other text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../renderer-core/cli/unifiedDiff.ts';

const lines = (...all: (string | number)[]) => `${all.join('\n')}\n`;

test('a change with its surroundings', () => {
  expect(unifiedDiff('f', lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, 'five', 6, 7, 8, 9))).toBe(
    lines('--- a/f', '+++ b/f', '@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'),
  );
});

test('changes far from each other', () => {
  const before = Array.from({ length: 30 }, (_, index) => String(index));
  const after = before.map((line) => (line === '3' || line === '20' ? `${line}!` : line));
  const heads = unifiedDiff('f', lines(...before), lines(...after)).match(/^@@.*$/gm);
  expect(heads).toEqual(['@@ -1,7 +1,7 @@', '@@ -18,7 +18,7 @@']);
});

test('nothing changed', () => {
  expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('');
});

/** Applies a diff: lines outside the hunks are copied. */
function patch(before: string, diff: string): string {
  const old = before.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const head = /^@@ -(\d+)/.exec(line);
    if (head) while (at < Number(head[1]) - 1) result.push(old[at++] ?? '');
    else if (line[0] === '+') result.push(line.slice(1));
    else {
      expect(old[at]).toBe(line.slice(1));
      if (line[0] === ' ') result.push(line.slice(1));
      at++;
    }
  }
  return [...result, ...old.slice(at)].join('\n');
}

test('any two texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 25 }).map((all) => `${all.join('\n')}x\n`);
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before !== after) expect(patch(before, unifiedDiff('f', before, after))).toBe(after);
    }),
  );
});
