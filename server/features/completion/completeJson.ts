// Completion inside JSON attributes: runs the JSON language service with generated schemas and maps its edits into the file.
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type CompletionItem, CompletionItemKind, TextEdit } from 'vscode-languageserver-types';
import { attr } from '../../../renderer-core/model/attributes.ts';
import { toFileSpan } from '../../../renderer-core/model/text/attributeText.ts';
import { readJson } from '../../../renderer-core/model/text/jsonText.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import type { CursorContext } from '../cursorContext.ts';
import { declaredVariable, declaringFile } from '../declaringFile.ts';
import { variableDetail } from '../hover/descriptions.ts';
import { colorsOf, declarationHints } from '../schemas/declarationHints.ts';
import { declarationsSchema } from '../schemas/declarationsSchema.ts';
import { gradingSchema } from '../schemas/gradingSchema.ts';
import { valuesSchema } from '../schemas/jsonSchemas.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';
import { completeAsset } from './completeAsset.ts';
import { encoder, openList, tokenEnd } from './completionItems.ts';
import { type RepairedJson, repairJson } from './repairJson.ts';

type JsonCursor = CursorContext & { kind: 'json' };

/** Completes keys and values, or the whole structure if the value is empty. */
export async function completeJson(file: SourceFile, context: JsonCursor, offset: number): Promise<CompletionItem[]> {
  const { text, json } = context;
  const isEmpty = text.text.trim() === '';
  // An empty path in a non-empty text: the cursor is before or after the JSON.
  if (!isEmpty && (!json || (json.path.length === 0 && !json.isKey))) return [];
  const repaired = repairJson(text.text, context.at);
  const schema = schemaFor(file, context, repaired);
  if (!schema) return [];
  const document = TextDocument.create('attribute:///value.json', 'json', 1, repaired.text);
  const service = getLanguageService({
    clientCapabilities: { textDocument: { completion: { completionItem: { documentationFormat: ['markdown'] } } } },
  });
  service.configure({ validate: false, schemas: [{ uri: 'attribute:///schema.json', fileMatch: ['*'], schema }] });
  const found = await service.doComplete(
    document,
    document.positionAt(context.at),
    service.parseJSONDocument(document),
  );
  const variable = valueVariable(file, context);
  const items = (found?.items ?? []).map((item, index) =>
    mapItem(file, context, document, repaired, item, index, variable),
  );
  return [...completeAsset(file, context, offset), ...items];
}

function schemaFor(
  file: SourceFile,
  { of: kind, element, text, json }: JsonCursor,
  repaired: RepairedJson,
): JSONSchema | undefined {
  const { composition } = file;
  if (kind === 'grading') return gradingSchema(composition.declarations);
  if (kind === 'values') {
    const declaring = declaringFile(file, element)?.composition;
    const embedding = element.attributes.has(attr.compositionSrc) ? composition.declarations : [];
    const colors = [...colorsOf(declaring ?? composition), ...colorsOf(composition)];
    return declaring && valuesSchema(declaring.declarations, colors, embedding);
  }
  return declarationsSchema(
    declarationHints(composition, readJson({ ...text, text: repaired.text }).root, json?.path[0]),
  );
}

/** The variable of the value at the cursor in `data-variable-values`. */
function valueVariable(file: SourceFile, { of: kind, element, json }: JsonCursor): VariableDeclaration | undefined {
  const id = json?.path[0];
  if (kind !== 'values' || !json || json.isKey || typeof id !== 'string') return undefined;
  const declaring = declaringFile(file, element)?.composition;
  return declaring && declaredVariable(declaring, id)?.declaration;
}

/** Whether a key or an item of an array is typed directly after another one. */
function needsComma(text: string, start: number): boolean {
  return /[^\s[{,:]\s*$/.test(text.slice(0, start));
}

function mapItem(
  file: SourceFile,
  { text, at, of: kind }: JsonCursor,
  document: TextDocument,
  repaired: RepairedJson,
  item: CompletionItem,
  index: number,
  variable: VariableDeclaration | undefined,
): CompletionItem {
  // An attribute value without quotes gets single quotes, which suit JSON.
  const needsQuotes = text.quote === '' && text.text === '';
  const encode = encoder(needsQuotes ? "'" : text.quote);
  const given = item.textEdit && TextEdit.is(item.textEdit) ? item.textEdit : undefined;
  const start = given ? document.offsetAt(given.range.start) : at;
  const end = given ? repaired.toOriginal(document.offsetAt(given.range.end)) : at;
  const comma = needsComma(text.text, start) ? ', ' : '';
  const written = encode(comma + (given?.newText ?? item.insertText ?? item.label));
  const isKey = item.kind === CompletionItemKind.Property;
  const { sortText, detail, labelDetails, insertText: _, ...rest } = item;
  const option =
    variable && detail !== undefined ? { labelDetails: { description: detail } } : labelDetails && { labelDetails };
  const shown = variable ? variableDetail(variable) : detail;
  return {
    ...rest,
    ...option,
    ...(shown && { detail: shown }),
    filterText: encode(item.filterText ?? item.label),
    sortText: sortText ?? `5${String(index).padStart(4, '0')}`,
    textEdit: {
      range: rangeOf(file, toFileSpan(text, start, tokenEnd(text.text, start, end, at))),
      newText: needsQuotes ? `'${written}'` : written,
    },
    // Fields of a grading have lists of values, which open automatically.
    ...(isKey && kind === 'grading' && written.includes('$1') && { command: openList }),
  };
}
