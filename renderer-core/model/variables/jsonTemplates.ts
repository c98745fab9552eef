// JSON that contains tags of a template engine: each one is replaced by what can be in its place, so that the rest is checked.
import { templateTags } from '../text/templateTags.ts';

/** Placeholders outside of strings that no JSON contains: `{x}`, `%X%`, `__X__`, `[[x]]`, `@{x}`. */
const placeholder =
  /\{[A-Za-z_$][^\s{}":,]*\}|[$#@%*~]!?\{[^{}]*\}|%\w+%|__\w+__|\[\[\s*(?!true|false|null)[A-Za-z_$][\w .|-]*\]\]|@@?[\w.()]+@{0,2}|\$\w+\$/y;

type Token = { kind: 'tags' | 'string' | 'sign' | 'other'; start: number; end: number };

/**
 * The JSON as text of the same length: a tag in a string becomes letters, a tag in the place of a value a string, and a tag
 * around values, such as a loop, whitespace.
 */
export function withoutTemplateTags(text: string): string {
  const characters = text.split('');
  const tokens = tokensOf(text, characters);
  const open: string[] = [];
  let before: Token | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'tags') {
      const isAlternative = replaceTags(characters, token, open.at(-1), before, tokens[index + 1]);
      if (isAlternative) blankValue(characters, tokens.slice(index + 1));
    }
    const sign = characters[token.start] ?? '';
    if (token.kind === 'sign' && (sign === '{' || sign === '[')) open.push(sign);
    if (token.kind === 'sign' && (sign === '}' || sign === ']')) open.pop();
    if (characters.slice(token.start, token.end).some((character) => character !== ' ')) before = token;
  }
  return characters.join('');
}

/** Tokens without whitespace. Tags that follow one another are one token. */
function tokensOf(text: string, characters: string[]): Token[] {
  const tags = new Map(templateTags(text).map(({ start, end }) => [start, end]));
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], start: number, end: number): number => {
    const last = tokens.at(-1);
    if (kind === 'tags' && last?.kind === 'tags') last.end = end;
    else tokens.push({ kind, start, end });
    return end;
  };
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    placeholder.lastIndex = at;
    const tagEnd = tags.get(at) ?? (placeholder.test(text) ? placeholder.lastIndex : undefined);
    if (tagEnd !== undefined) at = add('tags', at, tagEnd);
    else if (character === '"') at = add('string', at, stringEnd(text, at, tags, characters));
    else if (/\s/.test(character)) at++;
    else at = add('{}[],:'.includes(character) ? 'sign' : 'other', at, at + 1);
  }
  return tokens;
}

/** The end of the string at `start`. Tags in it can contain quotes, so that they become letters. */
function stringEnd(text: string, start: number, tags: ReadonlyMap<number, number>, characters: string[]): number {
  let at = start + 1;
  while (at < text.length) {
    const end = tags.get(at);
    if (end !== undefined) {
      characters.fill('x', at, end);
      at = end;
    } else if (text[at] === '\\') at += 2;
    else if (text[at++] === '"') return at;
  }
  return text.length;
}

/** Removes a value up to the next tags: the second branch of a condition. */
function blankValue(characters: string[], tokens: readonly Token[]): void {
  let depth = 0;
  for (const { kind, start, end } of tokens) {
    const sign = characters[start] ?? '';
    if (depth === 0 && (kind === 'tags' || (kind === 'sign' && ',}]:'.includes(sign)))) return;
    if (kind === 'sign' && (sign === '{' || sign === '[')) depth++;
    if (kind === 'sign' && (sign === '}' || sign === ']')) depth--;
    characters.fill(' ', start, end);
  }
}

/** Replaces tags by what JSON needs between its neighbors. Returns whether a second value follows where only one can be. */
function replaceTags(
  characters: string[],
  { start, end }: Token,
  around: string | undefined,
  before: Token | undefined,
  next: Token | undefined,
): boolean {
  const previous = before?.kind === 'sign' ? (characters[before.start] ?? '') : before && 'value';
  const following = next?.kind === 'sign' ? (characters[next.start] ?? '') : next && 'value';
  characters.fill(' ', start, end);
  const isAtKey = around === '{' && (previous === '{' || previous === ',');
  const isAfterValue = previous === 'value' || previous === '}' || previous === ']';
  const startsValue = following === 'value' || following === '{' || following === '[';
  if (isAfterValue) {
    if (startsValue && around !== '[') return true;
    if (startsValue) characters[start] = ',';
  } else if (isAtKey && following !== ':') {
    // The tags are members: the comma on one side of them goes too.
    if (following === ',' && next) characters[next.start] = ' ';
    else if (following === '}' && previous === ',' && before) characters[before.start] = ' ';
  } else if (!startsValue) {
    characters.fill('x', start, end);
    characters[start] = '"';
    characters[end - 1] = '"';
  }
  return false;
}
