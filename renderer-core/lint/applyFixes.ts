// Applies fixes to texts. A fix that overlaps an earlier one is skipped as a whole.
import type { Fix, TextEdit } from './finding.ts';

/** `texts` are the changed files; `skipped` are fixes that overlap an earlier one or refer to an unknown file. */
export type AppliedFixes = { texts: Map<string, string>; applied: Fix[]; skipped: Fix[] };

/** Applies fixes in order. `texts` are file texts by path. */
export function applyFixes(texts: ReadonlyMap<string, string>, fixes: readonly Fix[]): AppliedFixes {
  const result: AppliedFixes = { texts: new Map(), applied: [], skipped: [] };
  const taken = new Map<string, TextEdit[]>();
  for (const fix of fixes) {
    const isPossible = fix.edits.every(({ file, edits }) => {
      const text = texts.get(file);
      const others = taken.get(file) ?? [];
      return (
        text !== undefined &&
        edits.every((edit) => edit.span.end <= text.length && !others.some((other) => collide(edit, other)))
      );
    });
    if (!isPossible) result.skipped.push(fix);
    else {
      result.applied.push(fix);
      for (const { file, edits } of fix.edits) taken.set(file, [...(taken.get(file) ?? []), ...edits]);
    }
  }
  for (const [file, edits] of taken) result.texts.set(file, applyEdits(texts.get(file) ?? '', edits));
  return result;
}

/** Applies edits that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let result = '';
  let copied = 0;
  for (const { span, text: replacement } of sorted) {
    result += text.slice(copied, span.start) + replacement;
    copied = span.end;
  }
  return result + text.slice(copied);
}

/** Adjacent edits collide too, because neither takes the text that the other inserts into account. */
function collide({ span: a }: TextEdit, { span: b }: TextEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}
