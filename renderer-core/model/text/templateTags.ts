// Tags of template engines in the text of a file. They can contain quotes and angle brackets, which are not HTML, CSS or
// JSON, so parsers must not see them.
import type { Span } from './spans.ts';

/** The end of a tag for its beginning. */
const ends: Readonly<Record<string, string>> = {
  '{{': '}}',
  '{%': '%}',
  '{#': '#}',
  '{!!': '!!}',
  '<?': '?>',
  '<%': '%>',
  '[%': '%]',
  '[#': ']',
};
const openers =
  /\{\{|\{%|\{#|\{!!|<\?|<%|\[%|\[#(?=\/?[a-z])|[$#@]\{[^{}<>\n]*\}|\{\$[^{}<>\n]*\}|\$\([\w.]+\)|%\(\w+\)[sd]/g;

/** Program text between `<?` and `?>` can be long; expressions are not. */
const longest = 20_000;

/** YAML in front of a page, as static site generators write it. */
const frontMatter = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\n)?---[ \t]*(?:\r?\n|$)/;

/** The tags of a text, in order. */
export function templateTags(text: string): Span[] {
  const tags: Span[] = [];
  const front = text.startsWith('---') || text.startsWith('\uFEFF---') ? frontMatter.exec(text)?.[0].length : undefined;
  if (front !== undefined) tags.push({ start: 0, end: front });
  /** The next end of each kind, so that each part of the text is searched once. */
  const next = new Map<string, number>();
  openers.lastIndex = front ?? 0;
  for (let found = openers.exec(text); found; found = openers.exec(text)) {
    const span = tagAt(text, found.index, found[0], next);
    if (!span) continue;
    tags.push(span);
    openers.lastIndex = span.end;
  }
  return tags;
}

function tagAt(text: string, start: number, opener: string, next: Map<string, number>): Span | undefined {
  const closer = ends[opener];
  if (closer === undefined) return { start, end: start + opener.length };
  const known = next.get(closer) ?? 0;
  const from = start + opener.length;
  const close = known < from && known >= 0 ? text.indexOf(closer, from) : known;
  next.set(closer, close);
  if (close < 0 || close - start > longest) return undefined;
  // Code of scripts and styles contains braces too. A tag of an engine contains no element and no other tag.
  if (opener.startsWith('{') && /\{\{|<\/?[a-z]/i.test(text.slice(from, close))) return undefined;
  const isTriple = text.startsWith('{{{', start) && text.startsWith('}}}', close);
  return { start, end: close + closer.length + (isTriple ? 1 : 0) };
}

/** The text with each tag replaced by a word of the same length, `__XX__`, for parsers of CSS and JavaScript. */
export function tagsAsWords(text: string): string {
  return replaceTags(text, (length) => `__${'X'.repeat(Math.max(0, length - 4))}__`.slice(0, length));
}

/**
 * The text with spaces in the place of tags, for the parser of HTML. In a value without quotes, a space would end the value,
 * so that there are letters.
 */
export function tagsAsSpaces(text: string): string {
  return replaceTags(text, (length, before) => (/=[^\s"'<>=]*$/.test(before.slice(-200)) ? 'x' : ' ').repeat(length));
}

function replaceTags(text: string, replacement: (length: number, before: string) => string): string {
  const tags = templateTags(text);
  if (tags.length === 0) return text;
  let result = '';
  for (const { start, end } of tags) {
    result += text.slice(result.length, start);
    result += replacement(end - start, result);
  }
  return result + text.slice(result.length);
}
