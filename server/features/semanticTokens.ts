// Semantic tokens of Framework attributes: names, keys and values in JSON, references to variables and clips.
import type { SemanticTokens } from 'vscode-languageserver-types';
import { attributeSpec } from '../../renderer-core/model/attributes.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import { gradingPresets } from '../../renderer-core/model/grading/gradingPresets.ts';
import { parseReference } from '../../renderer-core/model/references.ts';
import { type JsonMember, type JsonNode, jsonMember } from '../../renderer-core/model/text/jsonText.ts';
import type { Span } from '../../renderer-core/model/text/spans.ts';
import { declarationFields, variableTypes } from '../../renderer-core/model/variables/variables.ts';
import { namesIn } from './names/names.ts';
import { insideQuotes } from './names/spelling.ts';
import { type JsonAttribute, jsonAttributes } from './schemas/jsonAttributes.ts';
import type { SourceFile } from './sourceFile.ts';

/** Token types and modifiers that color themes know; tokens refer to them by index. */
export const tokenLegend = {
  tokenTypes: ['decorator', 'property', 'variable', 'type', 'enumMember', 'label'],
  tokenModifiers: ['declaration', 'readonly', 'defaultLibrary'],
} satisfies { tokenTypes: string[]; tokenModifiers: string[] };

type TokenType = 'decorator' | 'property' | 'variable' | 'type' | 'enumMember' | 'label';
type TokenModifier = 'declaration' | 'readonly' | 'defaultLibrary';

/** A token before encoding. It must not span lines. */
type Token = { span: Span; type: TokenType; modifiers: readonly TokenModifier[] };

/** All tokens of a file. Scripts and styles get theirs from their own languages. */
export function semanticTokens({ composition, document }: SourceFile): SemanticTokens {
  const tokens = [
    ...attributeTokens(composition),
    ...jsonAttributes(composition).flatMap((json) => jsonTokens(composition.text, json)),
  ];
  tokens.sort((a, b) => a.span.start - b.span.start);
  const placed = tokens.flatMap(({ span, type, modifiers }) => {
    const start = document.positionAt(span.start);
    const end = document.positionAt(span.end);
    const length = end.character - start.character;
    // A token cannot span lines.
    if (start.line !== end.line || length === 0) return [];
    return [{ ...start, length, type: tokenLegend.tokenTypes.indexOf(type), modifiers: bits(modifiers) }];
  });
  return { data: encodeTokens(placed) };
}

function bits(modifiers: readonly TokenModifier[]): number {
  return modifiers.reduce((sum, modifier) => sum | (1 << tokenLegend.tokenModifiers.indexOf(modifier)), 0);
}

export type PlacedToken = { line: number; character: number; length: number; type: number; modifiers: number };

/** Encodes five numbers per token, relative to the previous token. Tokens that overlap the previous one are omitted. */
export function encodeTokens(tokens: readonly PlacedToken[]): number[] {
  const data: number[] = [];
  let last = { line: 0, character: 0, length: 0 };
  for (const token of tokens) {
    const { line, character, length, type, modifiers } = token;
    const isSameLine = line === last.line;
    if (isSameLine && character < last.character + last.length) continue;
    data.push(line - last.line, isSameLine ? character - last.character : character, length, type, modifiers);
    last = token;
  }
  return data;
}

/** Attribute names, and values that are a single reference. */
function attributeTokens(composition: Composition): Token[] {
  const tokens: Token[] = [];
  for (const { attributes } of composition.html.elements) {
    for (const { name, nameSpan } of attributes.values()) {
      // `loop` and `muted` are HTML attributes.
      if (!name.startsWith('data-') || !attributeSpec(name)) continue;
      tokens.push({ span: nameSpan, type: 'decorator', modifiers: ['defaultLibrary'] });
    }
  }
  for (const { id } of composition.bindings) {
    const start = composition.text.indexOf(id.text, id.span.start);
    const span = { start, end: start + id.text.length };
    if (start >= 0 && span.end <= id.span.end) tokens.push({ span, type: 'variable', modifiers: ['readonly'] });
  }
  for (const { id } of composition.conditions)
    tokens.push({ span: id.span, type: 'variable', modifiers: ['readonly'] });
  for (const { span } of namesIn(composition).starts) tokens.push({ span, type: 'label', modifiers: ['readonly'] });
  return tokens;
}

function jsonTokens(text: string, { of, root }: JsonAttribute): Token[] {
  const tokens: Token[] = [];
  const add = (span: Span, type: TokenType, ...modifiers: TokenModifier[]) =>
    tokens.push({ span: insideQuotes(text, span), type, modifiers });
  if (!root) return tokens;
  if (of === 'declarations') for (const item of itemsOf(root)) declarationTokens(item, add);
  else if (of === 'values') for (const member of membersOf(root)) valueTokens(member, add);
  else gradingTokens(root, add);
  return tokens;
}

type Add = (span: Span, type: TokenType, ...modifiers: TokenModifier[]) => void;

function declarationTokens(item: JsonNode, add: Add): void {
  for (const { key, keySpan } of membersOf(item)) {
    if (Object.hasOwn(declarationFields, key)) add(keySpan, 'property', 'defaultLibrary');
  }
  const id = jsonMember(item, 'id')?.value;
  if (id?.kind === 'string') add(id.span, 'variable', 'declaration');
  const type = jsonMember(item, 'type')?.value;
  if (type?.kind === 'string' && variableTypes.some((name) => name === type.value)) {
    add(type.span, 'type', 'defaultLibrary');
  }
  const options = jsonMember(item, 'options')?.value;
  for (const option of options ? itemsOf(options) : []) {
    for (const { key, keySpan, value } of membersOf(option)) {
      if (key !== 'value' && key !== 'label') continue;
      add(keySpan, 'property', 'defaultLibrary');
      if (key === 'value' && value?.kind === 'string') add(value.span, 'enumMember', 'declaration');
    }
  }
  const given = jsonMember(item, 'default')?.value;
  if (type?.kind === 'string' && type.value === 'enum' && given?.kind === 'string') {
    add(given.span, 'enumMember', 'readonly');
  }
}

function valueTokens({ keySpan, value }: JsonMember, add: Add): void {
  add(keySpan, 'variable', 'readonly');
  if (value?.kind === 'string' && parseReference(value.value) !== undefined) add(value.span, 'variable', 'readonly');
}

function gradingTokens(node: JsonNode, add: Add): void {
  for (const { key, keySpan, value } of membersOf(node)) {
    add(keySpan, 'property', 'defaultLibrary');
    if (value?.kind === 'object') gradingTokens(value, add);
    if (value?.kind !== 'string') continue;
    if (parseReference(value.value) !== undefined) add(value.span, 'variable', 'readonly');
    else if (key === 'preset' && Object.hasOwn(gradingPresets, value.value))
      add(value.span, 'enumMember', 'defaultLibrary');
  }
}

const itemsOf = (node: JsonNode): readonly JsonNode[] => (node.kind === 'array' ? node.items : []);
const membersOf = (node: JsonNode): readonly JsonMember[] => (node.kind === 'object' ? node.members : []);
