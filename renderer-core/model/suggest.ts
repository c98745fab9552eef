// The nearest known name to a misspelt one. Small: it is also bundled into the page.

/**
 * The candidate that a writer most likely meant, or undefined when none is near: letter case aside, at most a third
 * of the name's length (and at least one) in inserted, dropped, changed or swapped letters. Ties go to the first.
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
    // Each change adds or takes away two letters at most.
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

/** `; did you mean "x"?`, to end a message with, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** Names longer than this get no suggestion: comparing them costs more than it helps. */
const longest = 100;

/** So many candidates of the same letters are no slip of the pen any more, and comparing all of them takes long. */
const mostCompared = 200;

/** Which letters a text has, one bit for all that share their last five bits. */
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
 * How many insertions, deletions, changes and swaps of neighbours lead from one text to the other; any number of at least
 * `enough` where it is at least that.
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
    // A swap leaps over a row, so two rows must be too far off.
    if (Math.min(...row, ...last) >= enough) return enough;
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
