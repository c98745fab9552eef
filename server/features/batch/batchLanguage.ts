// Completion, hover and definition in batch files: the JSON service over a schema made from the composition's declarations.
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type CompletionItem, type Hover, type LocationLink, type Range, TextEdit } from 'vscode-languageserver-types';
import { firstTooDeep } from '../../renderer-core/model/jsonText.ts';
import { touches } from '../../renderer-core/model/spans.ts';
import { type BatchFile, batchRange } from './batchFile.ts';
import { colorsOf } from './declarationHints.ts';
import { rangeOf, type SourceFile } from './file.ts';
import { declaredVariable } from './instanceTarget.ts';
import { batchSchema, rowSchema } from './jsonSchemas.ts';

/** Keys and values of rows; nothing in a CSV. Never throws. */
export async function completeBatch(batch: BatchFile, offset: number): Promise<CompletionItem[]> {
  const part = jsonPart(batch, offset);
  if (!part) return [];
  const { service, document } = part;
  const found = await service.doComplete(document, document.positionAt(part.at), service.parseJSONDocument(document));
  return (found?.items ?? []).map(({ textEdit, insertText: _, ...item }, index) => ({
    ...item,
    sortText: item.sortText ?? `5${String(index).padStart(4, '0')}`,
    ...(textEdit && TextEdit.is(textEdit) && { textEdit: { ...textEdit, range: inFile(textEdit.range, part.line) } }),
  }));
}

/** What the variable is that a key or a value is for. */
export async function hoverBatch(batch: BatchFile, offset: number): Promise<Hover | null> {
  const part = jsonPart(batch, offset);
  if (!part) return null;
  const { service, document, line } = part;
  const found = await service.doHover(document, document.positionAt(part.at), service.parseJSONDocument(document));
  // About a key that the schema does not know the service says an empty text.
  if (!found || (Array.isArray(found.contents) && found.contents.every((one) => one === ''))) return null;
  return { ...found, ...(found.range && { range: inFile(found.range, line) }) };
}

/** From a key of a row, or its value, to the declaration. */
export function batchDefinition(batch: BatchFile, offset: number): LocationLink[] {
  const { target } = batch;
  const row = batch.read().rows.find(({ span }) => touches(span, offset));
  if (!row || !target) return [];
  const id = Object.keys(row.variables).find(
    (key) => touches(row.keySpanOf(key), offset) || touches(row.spanOf(key), offset),
  );
  const declared = id === undefined ? undefined : declaredVariable(target.composition, id);
  if (id === undefined || !declared) return [];
  const from = touches(row.keySpanOf(id), offset) ? row.keySpanOf(id) : row.spanOf(id);
  return [
    {
      originSelectionRange: batchRange(batch, from),
      targetUri: target.uri,
      targetRange: rangeOf(target, declared.span),
      targetSelectionRange: rangeOf(target, declared.idSpan),
    },
  ];
}

type JsonPart = {
  service: ReturnType<typeof getLanguageService>;
  document: TextDocument;
  at: number;
  /** Line of the file that the part begins in. */
  line: number;
};

/** The JSON around an offset with the service that knows its schema: the whole file, or a line of JSONL. */
function jsonPart({ document, kind, target }: BatchFile, offset: number): JsonPart | undefined {
  if (kind === 'csv' || !target) return undefined;
  const isLines = kind === 'jsonl';
  const line = isLines ? document.positionAt(offset).line : 0;
  const start = isLines ? document.offsetAt({ line, character: 0 }) : 0;
  const text = isLines
    ? document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }).replace(/[\r\n]+$/, '')
    : document.getText();
  // The service goes down into what is nested with a call for each level.
  if (firstTooDeep(text) !== undefined) return undefined;
  const service = getLanguageService({
    clientCapabilities: { textDocument: { completion: { completionItem: { documentationFormat: ['markdown'] } } } },
  });
  const schema = schemaFor(target, isLines);
  service.configure({ validate: false, schemas: [{ uri: 'batch:///schema.json', fileMatch: ['*'], schema }] });
  return { service, document: TextDocument.create('batch:///rows.json', 'json', 1, text), at: offset - start, line };
}

function schemaFor({ composition }: SourceFile, isLines: boolean): JSONSchema {
  const colors = colorsOf(composition);
  return isLines ? rowSchema(composition.declarations, colors) : batchSchema(composition.declarations, colors);
}

function inFile({ start, end }: Range, line: number): Range {
  return { start: { ...start, line: start.line + line }, end: { ...end, line: end.line + line } };
}
