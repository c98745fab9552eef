// Fixes for the two most common mistakes in JSON: trailing commas and single quotes.
import type { JsonProblem } from '../model/text/jsonText.ts';
import { type Span, textOf } from '../model/text/spans.ts';
import { quoteAround } from './attributeEdits.ts';
import { fixInFile, type RuleContext } from './context.ts';
import type { Fix } from './finding.ts';

/** `value` is the span of the attribute's value, `problem` the problem of the JSON in it. */
export function jsonFixes(context: RuleContext, value: Span, problem: JsonProblem): Fix[] {
  const { text } = context;
  const before = text.slice(value.start, problem.span.start).trimEnd();
  if (before.endsWith(',') && /[\]}]/.test(text[problem.span.start] ?? '')) {
    const comma = value.start + before.length - 1;
    const edit = { span: { start: comma, end: comma + 1 }, text: '' };
    return [fixInFile(context, 'Remove the comma', [edit], true)];
  }
  const written = textOf(text, value);
  const swapped = written.replaceAll("'", '"');
  if (quoteAround(text, value) !== '"' || /["&]/.test(written) || !isJson(swapped)) return [];
  const edit = { span: { start: value.start - 1, end: value.end + 1 }, text: `'${swapped}'` };
  return [fixInFile(context, 'Swap single and double quotes', [edit], true)];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
