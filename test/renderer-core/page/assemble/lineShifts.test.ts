// Positions in a text that was edited are found again in the text before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyTextEdits,
  lineShifts,
  originalLine,
  originalPosition,
  type TextEdit,
  textShifts,
} from '../../../../renderer-core/page/assemble/textEdits.ts';

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
      const shifts = lineShifts(textShifts(text, edits));
      for (const [index, line] of applyTextEdits(text, edits).split('\n').entries()) {
        if (line.startsWith('line')) expect(lines[originalLine(index + 1, shifts) - 1]).toBe(line);
      }
    }),
  );
});

test('shifts lines up after a removed line break', () => {
  const shifts = lineShifts(textShifts('a\nb\nc', [{ span: { start: 1, end: 2 }, text: ' ' }]));
  expect(originalLine(2, shifts)).toBe(3);
});

test.each<[text: string, edits: TextEdit[], found: string]>([
  ['<head><script>x', [{ span: { start: 6, end: 6 }, text: '<style></style>' }], 'x'],
  ['<p>one</p>x', [{ span: { start: 3, end: 6 }, text: 'a\nlonger text' }], 'x'],
  [
    'a\nb<i></i>\n x',
    [
      { span: { start: 3, end: 10 }, text: '' },
      { span: { start: 11, end: 11 }, text: '  ' },
    ],
    'x',
  ],
  ['ab\nx', [{ span: { start: 2, end: 3 }, text: '' }], 'x'],
])('maps the position in %j after edits', (text, edits, found) => {
  const position = (of: string, at: number) => {
    const before = of.slice(0, at).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  };
  const edited = applyTextEdits(text, edits);
  expect(originalPosition(position(edited, edited.lastIndexOf(found)), textShifts(text, edits))).toEqual(
    position(text, text.lastIndexOf(found)),
  );
});

test('maps the position in a part of a text that follows another text', () => {
  const shifts = textShifts('<template>\n  x', [], { start: 10, end: 14 }, '<html>\n<body>');
  expect(originalPosition({ line: 3, column: 3 }, shifts)).toEqual({ line: 2, column: 3 });
  expect(originalPosition({ line: 2, column: 7 }, shifts)).toEqual({ line: 1, column: 11 });
});
