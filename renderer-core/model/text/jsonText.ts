// Strict JSON in an attribute or a file: every key and value with its span, and readable messages for invalid text.
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { withoutTemplateTags } from '../variables/jsonTemplates.ts';
import { isPlaceholder } from '../variables/placeholders.ts';
import { type AttributeText, toFileSpan } from './attributeText.ts';
import type { Span } from './spans.ts';

/**
 * One value of a JSON text. `span` covers it in the file, quotes and brackets included. `isPlaceholder`: it contains
 * placeholders of a template engine, or is one outside of quotes.
 */
export type JsonNode = { span: Span } & (
  | { kind: 'object'; members: readonly JsonMember[] }
  | { kind: 'array'; items: readonly JsonNode[] }
  | { kind: 'string'; value: string; isPlaceholder?: true }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
);

/** One member of a JSON object. `value` is missing only if the text is invalid. */
export type JsonMember = { key: string; keySpan: Span; span: Span; value: JsonNode | undefined };

export type JsonProblem = { message: string; span: Span };

/** `root` is what could be read, also from invalid text, so that an editor can complete inside it. */
export type JsonText = { root: JsonNode | undefined; problem: JsonProblem | undefined };

/** What the JSON is in, for messages: the name of the attribute or file. A file gets no advice about attribute quotes. */
export type JsonSource = { name?: string; isFile?: boolean };

/** Maximum nesting. It prevents a hostile file from exhausting the stack. */
export const maxJsonDepth = 200;

/** Reads exactly what `JSON.parse` accepts, up to `maxJsonDepth` levels. Never throws. */
export function readJson(source: AttributeText, origin: JsonSource = {}): JsonText {
  if (source.text.trim() === '') {
    const message = `${origin.name ?? 'The value'} must be JSON (got an empty value)`;
    return { root: undefined, problem: { message, span: source.span } };
  }
  const text = source.hasPlaceholder ? withoutTemplateTags(source.text) : source.text;
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) {
    const message = `The JSON is nested more than ${maxJsonDepth} levels deep`;
    return { root: undefined, problem: { message, span: toFileSpan(source, tooDeep, tooDeep + 1) } };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  return {
    root: tree && convert(source, tree),
    problem: first && {
      message: explain({ ...source, text }, first, origin),
      span: toFileSpan(source, first.offset, Math.min(first.offset + Math.max(first.length, 1), source.text.length)),
    },
  };
}

/** The plain value of a node, as `JSON.parse` returns it: the last of equal keys wins, `__proto__` is an own key. */
export function jsonValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, value && jsonValue(value)]));
    case 'array':
      return node.items.map(jsonValue);
    case 'null':
      return null;
    default:
      return node.value;
  }
}

/** The member of an object that is used for a key: the last one. */
export function jsonMember(node: JsonNode, key: string): JsonMember | undefined {
  return node.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** The node at a path of keys and indices. */
export function jsonAt(node: JsonNode, path: readonly (string | number)[]): JsonNode | undefined {
  let current: JsonNode | undefined = node;
  for (const step of path) {
    if (current === undefined) return undefined;
    if (typeof step === 'string') current = jsonMember(current, step)?.value;
    else current = current.kind === 'array' ? current.items[step] : undefined;
  }
  return current;
}

function convert(source: AttributeText, node: Node): JsonNode {
  const span = toFileSpan(source, node.offset, node.offset + node.length);
  const children = node.children ?? [];
  switch (node.type) {
    case 'object':
      return { span, kind: 'object', members: children.map((child) => convertMember(source, child)) };
    case 'array':
      return { span, kind: 'array', items: children.map((child) => convert(source, child)) };
    case 'string':
      return { span, kind: 'string', ...stringOf(source, node) };
    case 'number':
      return { span, kind: 'number', value: Number(node.value) };
    case 'boolean':
      return { span, kind: 'boolean', value: node.value === true };
    default:
      return { span, kind: 'null' };
  }
}

function stringOf(source: AttributeText, { offset, length, value }: Node): { value: string; isPlaceholder?: true } {
  if (!source.hasPlaceholder) return { value: String(value) };
  const written = source.text.slice(offset, offset + length);
  if (!isPlaceholder(written)) return { value: String(value) };
  // Without quotes, `${name}` is not a reference to a variable.
  return { value: written.startsWith('"') ? written.slice(1, -1) : `(${written})`, isPlaceholder: true };
}

function convertMember(source: AttributeText, property: Node): JsonMember {
  const [key, value] = property.children ?? [];
  const keyOffset = key?.offset ?? property.offset;
  return {
    key: key ? stringOf(source, key).value : '',
    keySpan: toFileSpan(source, keyOffset, keyOffset + (key?.length ?? 0)),
    span: toFileSpan(source, property.offset, property.offset + property.length),
    value: value && convert(source, value),
  };
}

/** The offset of the first bracket that is nested deeper than `maxJsonDepth`. Check it before a recursive parse. */
export function firstTooDeep(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  // In invalid text the parser may find strings elsewhere than this loop. From there on, count every bracket.
  let isBroken = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"' || character === '\n') inString = false;
      if (character === '\n') isBroken = true;
    } else if (character === '"') inString = !isBroken;
    else if (character === '/') isBroken = true;
    else if (character === '[' || character === '{') {
      depth++;
      if (depth > maxJsonDepth) return i;
    } else if ((character === ']' || character === '}') && !isBroken) depth = Math.max(0, depth - 1);
  }
  return undefined;
}

/** `ts.SyntaxKind`-like constants of jsonc-parser. Its enum is a const enum, which isolated modules cannot import. */
const SyntaxKind = {
  OpenBraceToken: 1,
  CloseBraceToken: 2,
  OpenBracketToken: 3,
  CloseBracketToken: 4,
  CommaToken: 5,
  ColonToken: 6,
  StringLiteral: 10,
  EOF: 17,
} as const;

const scannerMessages: Record<string, string> = {
  InvalidNumberFormat: 'This is not a valid JSON number',
  InvalidCommentToken: 'Comments are not allowed in JSON',
  UnexpectedEndOfComment: 'Comments are not allowed in JSON',
  UnexpectedEndOfString: 'This string has no closing quote',
  UnexpectedEndOfNumber: 'This number is incomplete',
  InvalidUnicode: '\\u must be followed by four hexadecimal digits',
  InvalidEscapeCharacter: 'Invalid escape in a JSON string; write a backslash as \\\\',
  InvalidCharacter: 'Control characters must be escaped in a JSON string; write a line break as \\n',
};

function explain(source: AttributeText, error: ParseError, { name, isFile }: JsonSource): string {
  const code = printParseErrorCode(error.error);
  const found = source.text.slice(error.offset, error.offset + error.length);
  const before = source.text.slice(0, error.offset).trimEnd().at(-1);
  const atEnd = source.text.slice(error.offset + error.length).trim() === '';
  const isOpenString = atEnd && code === 'UnexpectedEndOfString';
  const where = name === undefined ? '' : ` in ${name}`;
  if (isOpenString || found === '') {
    return `Unexpected end of the JSON${where}${isFile ? '' : quoteHint(source, isOpenString)}`;
  }
  if (found.startsWith("'")) return 'JSON strings and keys must be in double quotes';
  if (before === ',' && (found === ']' || found === '}'))
    return `Trailing comma${where}; remove the comma before ${found}`;
  const scannerMessage = scannerMessages[code];
  if (scannerMessage !== undefined) return scannerMessage;
  const { expected, isAfterValue } = expectedAt(source.text, error.offset);
  // A letter right after a string usually means that the string contains a quote.
  const hint = isAfterValue && /[\p{L}\p{N}]/u.test(found) ? '; write a " inside a string as \\"' : '';
  return `Expected ${expected}${where} (got ${printable(found)})${hint}`;
}

/** An object or array that is open at some offset. `key` is the last key of the object. */
type Container = { isObject: boolean; key: string; state: 'key' | 'colon' | 'value' | 'end' };

/** What JSON allows at `offset`, given that the text before it is valid. */
function expectedAt(text: string, offset: number): { expected: string; isAfterValue: boolean } {
  const scanner = createScanner(text, true);
  const open: Container[] = [];
  let isComplete = false;
  let isAfterString = false;
  const endValue = () => {
    const container = open.at(-1);
    if (container) container.state = 'end';
    else isComplete = true;
  };
  for (let kind = scanner.scan(); kind !== SyntaxKind.EOF; kind = scanner.scan()) {
    if (scanner.getTokenOffset() >= offset) break;
    const container = open.at(-1);
    isAfterString = kind === SyntaxKind.StringLiteral;
    if (kind === SyntaxKind.OpenBraceToken) open.push({ isObject: true, key: '', state: 'key' });
    else if (kind === SyntaxKind.OpenBracketToken) open.push({ isObject: false, key: '', state: 'value' });
    else if (kind === SyntaxKind.CloseBraceToken || kind === SyntaxKind.CloseBracketToken) {
      open.pop();
      endValue();
    } else if (kind === SyntaxKind.ColonToken && container) container.state = 'value';
    else if (kind === SyntaxKind.CommaToken && container) container.state = container.isObject ? 'key' : 'value';
    else if (container?.state === 'key') {
      container.key = scanner.getTokenValue();
      container.state = 'colon';
    } else endValue();
  }
  const container = open.at(-1);
  return {
    expected: describeExpected(container, isComplete),
    isAfterValue: isAfterString && container?.state === 'end',
  };
}

function describeExpected(container: Container | undefined, isComplete: boolean): string {
  if (!container) return isComplete ? 'nothing after the JSON value' : 'a JSON value';
  const { isObject, key, state } = container;
  if (state === 'key') return 'a key in double quotes';
  if (state === 'colon') return `: after the key "${printable(key)}"`;
  if (state === 'value') return isObject ? `a value for "${printable(key)}"` : 'a value';
  return isObject ? `, or } after the value of "${printable(key)}"` : ', or ] after a value';
}

/** The usual cause of JSON that ends early: the value contains the attribute's own quote. */
function quoteHint(source: AttributeText, isOpenString: boolean): string {
  if (source.quote === '"') return '; put the attribute value in single quotes, or write each " in it as &quot;';
  if (source.quote === '') return '; put the attribute value in single quotes';
  return isOpenString ? '; write an apostrophe in it as &#39;' : '';
}

function printable(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}

/** The kind of a JSON value with its article, for messages: "an object". */
export function kindName(node: JsonNode): string {
  if (node.kind === 'null') return 'null';
  return `${node.kind === 'array' || node.kind === 'object' ? 'an' : 'a'} ${node.kind}`;
}
