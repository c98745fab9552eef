// Strict JSON inside an attribute, with the file span of every key and value, and messages for people when it is broken.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type AttributeText, toFileSpan } from './attributeText.ts';
import type { Span } from './spans.ts';

/** One value of a JSON text. `span` covers it in the file, quotes and brackets included. */
export type JsonNode = { span: Span } & (
  | { kind: 'object'; members: readonly JsonMember[] }
  | { kind: 'array'; items: readonly JsonNode[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
);

/** One member of a JSON object. `value` is missing only where the text is broken. */
export type JsonMember = { key: string; keySpan: Span; span: Span; value: JsonNode | undefined };

export type JsonProblem = { message: string; span: Span };

/** `root` is what could be read, also of a broken text (an editor completes inside it); `problem` says what is broken. */
export type JsonText = { root: JsonNode | undefined; problem: JsonProblem | undefined };

/** The deepest nesting that is read. It keeps a hostile file from exhausting the stack. */
export const maxJsonDepth = 200;

/** Reads an attribute's value as JSON: exactly what `JSON.parse` accepts, up to `maxJsonDepth` levels. Never throws. */
export function readJson(source: AttributeText): JsonText {
  if (source.text.trim() === '') {
    return { root: undefined, problem: { message: 'The value is empty; JSON is expected', span: source.span } };
  }
  const tooDeep = firstTooDeep(source.text);
  if (tooDeep !== undefined) {
    const message = `The JSON is nested more than ${maxJsonDepth} levels deep`;
    return { root: undefined, problem: { message, span: toFileSpan(source, tooDeep, tooDeep + 1) } };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(source.text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  return {
    root: tree && convert(source, tree),
    problem: first && {
      message: explain(source, first),
      span: toFileSpan(source, first.offset, Math.min(first.offset + Math.max(first.length, 1), source.text.length)),
    },
  };
}

/** The plain value of a node, as `JSON.parse` gives it: the last of equal keys counts, `__proto__` is an own key. */
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

/** The member of an object that counts for a key: the last one. */
export function jsonMember(node: JsonNode, key: string): JsonMember | undefined {
  return node.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** A node by its path of keys and indices, as far as the path leads. */
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
      return { span, kind: 'string', value: String(node.value) };
    case 'number':
      return { span, kind: 'number', value: Number(node.value) };
    case 'boolean':
      return { span, kind: 'boolean', value: node.value === true };
    default:
      return { span, kind: 'null' };
  }
}

function convertMember(source: AttributeText, property: Node): JsonMember {
  const [key, value] = property.children ?? [];
  const keyOffset = key?.offset ?? property.offset;
  return {
    key: String(key?.value ?? ''),
    keySpan: toFileSpan(source, keyOffset, keyOffset + (key?.length ?? 0)),
    span: toFileSpan(source, property.offset, property.offset + property.length),
    value: value && convert(source, value),
  };
}

/** The offset of the first bracket that is deeper than `maxJsonDepth`; other readers of JSON ask before they recurse. */
export function firstTooDeep(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  // Where a text is broken the parser may see strings elsewhere than this count; from there on every bracket counts.
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

const plainMessages: Record<string, string> = {
  InvalidNumberFormat: 'This is not a JSON number',
  ColonExpected: 'A colon is missing behind the key',
  CommaExpected: 'A comma is missing in front of this',
  CloseBraceExpected: 'A closing } is missing',
  CloseBracketExpected: 'A closing ] is missing',
  EndOfFileExpected: 'The JSON value is complete before this; nothing may follow it',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'This string has no closing quote',
  UnexpectedEndOfNumber: 'This number is not complete',
  InvalidUnicode: 'A \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'This escape is not allowed in a JSON string; a backslash itself is written \\\\',
  InvalidCharacter: 'A control character must be escaped in a JSON string, a line break as \\n',
};

function explain(source: AttributeText, error: ParseError): string {
  const code = printParseErrorCode(error.error);
  const here = source.text.slice(error.offset, error.offset + error.length);
  const before = source.text.slice(0, error.offset).trimEnd().at(-1);
  const atEnd = source.text.slice(error.offset + error.length).trim() === '';
  const openString = atEnd && code === 'UnexpectedEndOfString';
  if (openString || here === '') return `The JSON ends too early${quoteHint(source, openString)}`;
  if (here.startsWith("'")) return 'JSON strings and keys stand in double quotes';
  if (before === ',' && (here === ']' || here === '}')) return `Nothing follows this comma; remove it before ${here}`;
  if (code === 'PropertyNameExpected' || (code === 'InvalidSymbol' && (before === '{' || before === ','))) {
    return `A key in double quotes is expected here, not ${printable(here)}`;
  }
  if (code === 'InvalidSymbol' || code === 'ValueExpected') {
    return `A JSON value is expected here, not ${printable(here)}`;
  }
  return plainMessages[code] ?? 'This is not valid JSON';
}

/** The usual cause of JSON that stops early is the attribute's own delimiter standing inside it. */
function quoteHint(source: AttributeText, openString: boolean): string {
  if (source.quote === '"') return '; put the attribute in single quotes, or write each " in it as &quot;';
  if (source.quote === '') return '; put the attribute in single quotes';
  return openString ? '; write an apostrophe in it as &#39;' : '';
}

function printable(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}
