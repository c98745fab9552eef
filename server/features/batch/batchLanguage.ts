// Completion, hover and definition in batch files, by the JSON language service with a schema generated from the declarations.
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type CompletionItem, type Hover, type LocationLink, type Range, TextEdit } from 'vscode-languageserver-types';
import { firstTooDeep } from '../../../renderer-core/model/text/jsonText.ts';
import { touches } from '../../../renderer-core/model/text/spans.ts';
import { hasCells } from '../../../renderer-core/plan/batchFile.ts';
import { declaredVariable } from '../declaringFile.ts';
import { colorsOf } from '../schemas/declarationHints.ts';
import { batchSchema, rowSchema } from '../schemas/jsonSchemas.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';
import { type BatchFile, batchRange } from './batchFile.ts';

/** Completes keys and values of rows; nothing in CSV and TSV files. Never throws. */
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

/** Describes the variable of the key or value at an offset. */
export async function hoverBatch(batch: BatchFile, offset: number): Promise<Hover | null> {
  const part = jsonPart(batch, offset);
  if (!part) return null;
  const { service, document, line } = part;
  const found = await service.doHover(document, document.positionAt(part.at), service.parseJSONDocument(document));
  // The service returns an empty text for a key that is not in the schema.
  if (!found || (Array.isArray(found.contents) && found.contents.every((one) => one === ''))) return null;
  return { ...found, ...(found.range && { range: inFile(found.range, line) }) };
}

/** Goes from a row's key or value to the declaration of the variable. */
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
  /** The line of the file at which the part begins. */
  line: number;
};

/** The JSON around an offset (the whole file, or one line of JSONL) and a service with its schema. */
function jsonPart({ document, kind, target }: BatchFile, offset: number): JsonPart | undefined {
  if (hasCells(kind) || !target) return undefined;
  const isLines = kind === 'jsonl';
  const line = isLines ? document.positionAt(offset).line : 0;
  const start = isLines ? document.offsetAt({ line, character: 0 }) : 0;
  const text = isLines
    ? document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }).replace(/[\r\n]+$/, '')
    : document.getText();
  // The service recurses into nested values.
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
