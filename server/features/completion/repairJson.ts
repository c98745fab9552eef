// Completes JSON that is being typed: a new string or object before other ones would otherwise extend into them.

/** `toOriginal` converts an offset in the repaired text. */
export type RepairedJson = { text: string; toOriginal(offset: number): number };

type Insertion = { offset: number; text: string };

/** Closes the string and the object at the cursor `at` if what follows shows that they are not closed. */
export function repairJson(text: string, at: number): RepairedJson {
  const { open, last, isInString } = scanTo(text, at);
  const insertions: Insertion[] = [];
  let from = at;
  if (isInString) {
    const end = endOfString(text, at);
    if (end === undefined) insertions.push({ offset: at, text: '"' });
    from = end ?? at;
  }
  const next = objectInObject(text, from, open, isInString ? '"' : last);
  if (next !== undefined) insertions.push({ offset: next, text: '}, ' });
  return insertAll(text, insertions);
}

/** The brackets that are open at an offset, the last character outside strings and white space, and whether a string is open. */
function scanTo(text: string, at: number): { open: string[]; last: string; isInString: boolean } {
  const open: string[] = [];
  let last = '';
  let isInString = false;
  for (let i = 0; i < at; i++) {
    const character = text[i] ?? '';
    if (isInString) {
      if (character === '\\') i++;
      else if (character === '"' || character === '\n') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    else if (character === '{' || character === '[') open.push(character);
    else if (character === '}' || character === ']') open.pop();
    if (character.trim() !== '') last = character;
  }
  return { open, last, isInString };
}

/** The end of the string at an offset; undefined if the next quote on its line starts another string. */
function endOfString(text: string, at: number): number | undefined {
  const rest = /^(?:[^"\\\n]|\\.)*"/.exec(text.slice(at))?.[0];
  if (rest === undefined) return undefined;
  const end = at + rest.length;
  return /^[^\S\n]*(?:[,:}\]\n]|$)/.test(text.slice(end)) ? end : undefined;
}

/** The offset of an object where the object at the cursor needs a key, or at the cursor itself. */
function objectInObject(text: string, from: number, open: readonly string[], before: string): number | undefined {
  if (open.at(-1) !== '{') return undefined;
  const inner: string[] = [];
  let last = before;
  let isFirst = true;
  for (let i = from; i < text.length; i++) {
    const character = text[i] ?? '';
    if (character.trim() === '') continue;
    if (character === '"') i = (endOfString(text, i + 1) ?? i + 1) - 1;
    else if (character === '{' && inner.length === 0 && (isFirst || last !== ':')) return i;
    else if (character === '{' || character === '[') inner.push(character);
    else if ((character === '}' || character === ']') && inner.pop() === undefined) return undefined;
    last = character;
    isFirst = false;
  }
  return undefined;
}

function insertAll(text: string, insertions: readonly Insertion[]): RepairedJson {
  let repaired = '';
  let copied = 0;
  for (const { offset, text: inserted } of insertions) {
    repaired += text.slice(copied, offset) + inserted;
    copied = offset;
  }
  return {
    text: repaired + text.slice(copied),
    toOriginal(offset) {
      let original = offset;
      for (const insertion of insertions) {
        if (original > insertion.offset) original = Math.max(insertion.offset, original - insertion.text.length);
      }
      return original;
    },
  };
}
