// Findings and fixes for misspelled keys of a declaration.

import type { JsonMember } from '../model/text/jsonText.ts';
import { misspelledMessage } from '../model/variables/fieldSpelling.ts';
import { fixInFile, type RuleContext, type RuleFinding } from './context.ts';
import { type JsonLocation, replaceJson } from './jsonEdits.ts';

/** Reports a key that is a typo of the field `meant`. The fix is safe, because the object does not have that field. */
export function misspelledFinding(
  context: RuleContext,
  place: JsonLocation,
  { key, keySpan }: JsonMember,
  meant: string,
): RuleFinding {
  const fix = fixInFile(context, `Change to "${meant}"`, [replaceJson(place, keySpan, meant)], true);
  return { message: misspelledMessage(key, meant), span: keySpan, fixes: [fix] };
}
