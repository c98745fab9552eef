// Fixes for a value that is not one of the options: the options, the most similar one first.
import type { Span } from '../model/text/spans.ts';
import { nearestName } from '../model/text/suggest.ts';
import { formatValue } from '../model/variables/values.ts';
import type { VariableDeclaration } from '../model/variables/variables.ts';
import { fixInFile, likelyFix, type RuleContext } from './context.ts';
import { convertFor } from './conversions.ts';
import type { Fix } from './finding.ts';
import { type JsonLocation, replaceJson } from './jsonEdits.ts';

/** A light bulb menu with more entries than this is hard to read. */
const mostOffered = 8;

/** Replaces the value at `span` by an option. It is safe if only the letter case differs. */
export function optionFixes(
  context: RuleContext,
  place: JsonLocation,
  span: Span,
  declaration: VariableDeclaration,
  value: unknown,
): Fix[] {
  const names = [...new Set((declaration.options ?? []).map((option) => option.value))];
  const same = convertFor(declaration, value);
  const best = same ?? nearestName(String(value), names);
  const others = names.filter((name) => name !== best).slice(0, mostOffered);
  const title = (name: unknown) => `Change to ${formatValue(name)}`;
  const edits = (name: unknown) => [replaceJson(place, span, name)];
  const rest = others.map((name) => fixInFile(context, title(name), edits(name)));
  if (best === undefined) return rest;
  const isSafe = same !== undefined;
  const first = isSafe
    ? fixInFile(context, title(best), edits(best), true)
    : likelyFix(context, title(best), edits(best));
  return [first, ...rest];
}
