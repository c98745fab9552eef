// Declarations of new variables, compared after the edit.
import { expect, test } from 'vitest';
import type { VariableDeclaration } from '../../../../renderer-core/model/variables/variables.ts';
import { declareVariable } from '../../../../server/features/refactor/declareVariable.ts';
import { sourceFile } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

const body =
  '<body><style>p{--gap:1px;color:var(--ink)}</style><div data-composition-id="main"><p data-var-text="ghost"></p></div></body>';

/** The start tag of `<html>` after the edit, or the reason. */
function declared(html: string, declaration: VariableDeclaration): string {
  const source = `${html}${body}</html>`;
  const file = sourceFile(new Map([['index.html', source]]), 'index.html');
  if (!file) throw new Error('no composition');
  const found = declareVariable(file, declaration);
  if ('reason' in found) return found.reason;
  const text = applied(source, { changes: { [file.uri]: found.edits } });
  return text.slice(0, text.indexOf('<body'));
}

test('adds the declaration with a label, and the attribute if there is none', () => {
  expect(declared('<html>', { id: 'titleColor', type: 'color', default: '#ff5500' })).toBe(
    `<html data-composition-variables='[{"id":"titleColor","type":"color","label":"Title color","default":"#ff5500"}]'>`,
  );
  expect(
    declared(`<html data-composition-variables='[{"id":"a","type":"string"}]'>`, {
      id: 'b',
      type: 'boolean',
      default: true,
    }),
  ).toBe(
    `<html data-composition-variables='[{"id":"a","type":"string"},{"id":"b","type":"boolean","label":"B","default":true}]'>`,
  );
});

test('gives options labels', () => {
  const options = [{ value: 'very-calm', label: 'very-calm' }];
  expect(declared('<html>', { id: 'mood', type: 'enum', default: 'very-calm', options })).toBe(
    `<html data-composition-variables='[{"id":"mood","type":"enum","label":"Mood","default":"very-calm","options":[{"value":"very-calm","label":"Very calm"}]}]'>`,
  );
});

test('declares a variable that is used but not declared', () => {
  expect(declared('<html>', { id: 'ghost', type: 'string', default: '' })).toContain('"id":"ghost"');
  expect(declared('<html>', { id: 'ink', type: 'string', default: '' })).toContain('"id":"ink"');
});

test('says why an ID cannot be used', () => {
  const html = `<html data-composition-variables='[{"id":"a","type":"string"},{"id":"broken"}]'>`;
  expect(
    ['', 'two words', '__proto__', 'a', 'broken', 'gap'].map((id) => declared(html, { id, type: 'string' })),
  ).toEqual([
    'An ID must not be empty.',
    'The ID of a variable must contain only the letters a to z, digits, - and _, because styles read it as a custom property --id (got "two words").',
    '"__proto__" is reserved and cannot be the ID of a variable.',
    '"a" is already declared in index.html, line 1.',
    '"broken" is declared with an error. Fix its declaration instead.',
    'The style in index.html, line 1 already uses a custom property --gap.',
  ]);
});

test('does not change declarations that cannot be parsed', () => {
  expect(declared(`<html data-composition-variables='[{"id":]'>`, { id: 'b', type: 'string' })).toBe(
    'The variable declarations of this file are invalid; fix them first.',
  );
});
