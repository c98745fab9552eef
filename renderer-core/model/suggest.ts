// Finds the known name that is most similar to a misspelled one. Bundled into the page.
import * as l10n from '@vscode/l10n';

/**
 * The most similar candidate, or undefined if none is similar: ignoring case, at most a third of the name's length (at least
 * one) in inserted, removed, changed or swapped letters. The first one wins a tie.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longest) return undefined;
  const wanted = name.toLowerCase();
  const letters = lettersOf(wanted);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  let compared = 0;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const other = candidate.toLowerCase();
    // Each change affects at most two letters of the set.
    if (bits(letters ^ lettersOf(other)) >= 2 * bestDistance) continue;
    if (++compared > mostCompared) break;
    const distance = editDistance(wanted, other, bestDistance);
    if (distance < bestDistance && distance < Math.max(wanted.length, candidate.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean "x"?` for the end of a message, or an empty string if no candidate is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : l10n.t`; did you mean "${nearest}"?`;
}

/** Longer names get no suggestion: they are not typos of names, and comparing them takes long. */
const longest = 50;

/** Maximum number of candidates to compare: more similar ones are unlikely typos, and comparing takes long. */
const mostCompared = 200;

/** The set of letters in a text; letters with the same last five bits share a bit. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/**
 * The number of insertions, deletions, changes and swaps of adjacent letters between two texts. Returns any number of at
 * least `enough` once the distance reaches it.
 */
export function editDistance(from: string, to: string, enough = Number.POSITIVE_INFINITY): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    // A swap skips a row, so both of the last two rows must exceed the limit.
    if (Math.min(...row, ...last) >= enough) return enough;
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
