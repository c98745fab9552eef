// Edits the text of the credentials file. Other tools share the file, so their formatting and members are preserved.
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { type CredentialsFile, isObject } from './credentials.ts';

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** `text` is the JSON of `before`; returns JSON of `after` that ends with a line feed. */
export function editedText(text: string, before: CredentialsFile, after: CredentialsFile): string {
  let edited = text.trimEnd();
  for (const path of changedPaths(before, after)) {
    const value = path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), after);
    edited = applyEdits(edited, modify(edited, path, value, { formattingOptions }));
  }
  // If a name occurs twice, the edit changes one of them and JSON.parse reads the other.
  return `${parsesTo(edited, after) ? edited : JSON.stringify(after, null, 2)}\n`;
}

function parsesTo(text: string, content: CredentialsFile): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), content);
  } catch {
    return false;
  }
}

/** Members that differ. In `oauth` and `user`, only their own members that differ. */
function changedPaths(before: CredentialsFile, after: CredentialsFile): JSONPath[] {
  return changedNames(before, after).flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const isNested = (name === 'oauth' || name === 'user') && isObject(old) && isObject(now);
    return isNested ? changedNames(old, now).map((inner) => [name, inner]) : [[name]];
  });
}

function changedNames(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
