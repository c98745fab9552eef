// The text of the credentials file, changed where it has to be: the rest is somebody else's, and stays as it was written.
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { type CredentialsFile, isObject } from './credentials.ts';

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** `text` says `before`; the result says `after`, and ends with a line feed. */
export function editedText(text: string, before: CredentialsFile, after: CredentialsFile): string {
  let edited = text.trimEnd();
  for (const path of changedPaths(before, after)) {
    const value = path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), after);
    edited = applyEdits(edited, modify(edited, path, value, { formattingOptions }));
  }
  // A name that stands there twice is changed in one place and read from the other.
  return `${says(edited, after) ? edited : JSON.stringify(after, null, 2)}\n`;
}

function says(text: string, content: CredentialsFile): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), content);
  } catch {
    return false;
  }
}

/** Members that differ; of `oauth` and `user`, where they stay, the members inside. */
function changedPaths(before: CredentialsFile, after: CredentialsFile): JSONPath[] {
  return differing(before, after).flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const isInside = (name === 'oauth' || name === 'user') && isObject(old) && isObject(now);
    return isInside ? differing(old, now).map((inner) => [name, inner]) : [[name]];
  });
}

function differing(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
