// The schemas in the JSON language service: which values they accept and reject.
import { describe, expect, test } from 'vitest';
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { VariableDeclaration } from '../../../../renderer-core/model/variables/variables.ts';
import { declarationsSchema } from '../../../../server/features/schemas/declarationsSchema.ts';
import { gradingSchema } from '../../../../server/features/schemas/gradingSchema.ts';
import { batchSchema, valuesSchema } from '../../../../server/features/schemas/jsonSchemas.ts';

/** The parts of a text that a schema rejects. */
async function rejectedParts(schema: JSONSchema, text: string): Promise<string[]> {
  const service = getLanguageService({});
  const document = TextDocument.create('test:///value.json', 'json', 1, text);
  const found = await service.doValidation(document, service.parseJSONDocument(document), undefined, schema);
  return found.map(({ range }) => document.getText(range));
}

const declarations: VariableDeclaration[] = [
  { id: 'title', type: 'string', default: 'Hello', maxLength: 3 },
  { id: 'size', type: 'number', max: 5 },
  { id: 'accent', type: 'color' },
  { id: 'dark', type: 'boolean' },
  { id: 'look', type: 'enum', options: [{ value: 'warm', label: 'Warm' }] },
];

describe('values', () => {
  test.each([
    ['{"title":"longer than three","size":6,"accent":"#00ff00","dark":true,"look":"warm"}', []],
    ['{"title":1}', ['1']],
    ['{"accent":"green","look":"cold"}', ['"green"', '"cold"']],
    ['{"other":1}', ['"other"']],
  ])('checks %s', async (text, expected) =>
    expect(await rejectedParts(valuesSchema(declarations), text)).toEqual(expected));
});

describe('batch files', () => {
  test.each([
    ['[{"title":"a","name of the file":"b"}]', []],
    ['{"rows":[{"size":1}]}', []],
    ['[{"dark":"yes"}]', ['"yes"']],
    ['{"rows":[{"size":"1"}]}', ['"1"']],
  ])('checks %s', async (text, expected) =>
    expect(await rejectedParts(batchSchema(declarations), text)).toEqual(expected));
});

describe('declarations', () => {
  test.each([
    ['[{"id":"a","type":"string","label":"A","default":"x","placeholder":"y"}]', []],
    ['[{"id":"a","type":"number","label":"A","default":"x"}]', ['"x"']],
    ['[{"id":"a","type":"enum","label":"A","default":"x","options":[{"value":"x","label":1}]}]', ['1']],
    ['[{"id":"a","type":"list","label":"A","default":"x"}]', ['"list"']],
  ])('checks %s', async (text, expected) => expect(await rejectedParts(declarationsSchema(), text)).toEqual(expected));
});

describe('gradings', () => {
  test.each([
    ['{"preset":"noir","intensity":0.5,"adjust":{"exposure":-5},"colorSpace":"linear"}', []],
    ['{"preset":"$look","intensity":"$size","adjust":{"exposure":"$missing"}}', []],
    ['{"preset":"unknown"}', ['"unknown"']],
    ['{"adjust":{"contrast":2}}', ['2']],
  ])('checks %s', async (text, expected) =>
    expect(await rejectedParts(gradingSchema(declarations), text)).toEqual(expected));
});
