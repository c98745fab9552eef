// Lines of a text that was edited are found again in the text before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyTextEdits, lineShifts, originalLine, type TextEdit } from '../../../renderer-core/plan/textEdits.ts';

test('maps every remaining line to its original line', () => {
  const edit = fc.tuple(fc.nat(9), fc.array(fc.constantFrom('x', 'y'), { maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 4 }), (inserts) => {
      const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`);
      const text = lines.join('\n');
      const edits: TextEdit[] = inserts.map(([line, added]) => {
        const at = text.indexOf(`line ${line}`);
        return { span: { start: at, end: at }, text: added.map((one) => `${one}\n`).join('') };
      });
      const shifts = lineShifts(text, edits);
      for (const [index, line] of applyTextEdits(text, edits).split('\n').entries()) {
        if (line.startsWith('line')) expect(lines[originalLine(index + 1, shifts) - 1]).toBe(line);
      }
    }),
  );
});

test('shifts lines up after a removed line break', () => {
  const shifts = lineShifts('a\nb\nc', [{ span: { start: 1, end: 2 }, text: ' ' }]);
  expect(originalLine(2, shifts)).toBe(3);
});
