// Finds the known name that is most similar to a misspelled one. Bundled into the page.

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
  let work = 0;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const other = candidate.toLowerCase();
    // Each change affects at most two letters of the set.
    if (bits(letters ^ lettersOf(other)) >= 2 * bestDistance) continue;
    work += name.length * candidate.length;
    if (work > mostWork) break;
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
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** Longer names get no suggestion: they are not typos of names, and comparing them takes long. */
const longest = 50;

/** Pairs of letters to compare for one name: 2,000 candidates if all have 10 letters, 80 if all have 50. */
const mostWork = 200_000;

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
  // Typed arrays, because long lists of names are compared while others wait. The first letter has an invalid one before it.
  const letters = Int32Array.from({ length: to.length + 1 }, (_, j) => (j === 0 ? -1 : to.charCodeAt(j - 1)));
  let beforeLast = new Int32Array(letters.length);
  let last = Int32Array.from(letters, (_, j) => j);
  let row = new Int32Array(letters.length);
  let leastOfLast = 0;
  let letterBefore = -2;
  for (let i = 1; i <= from.length; i++) {
    const letter = from.charCodeAt(i - 1);
    row[0] = i;
    let least = i;
    for (let j = 1; j < letters.length; j++) {
      const replaced = at(last, j - 1) + (at(letters, j) === letter ? 0 : 1);
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced);
      if (at(letters, j - 1) === letter && at(letters, j) === letterBefore)
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    // A swap skips a row, so both of the last two rows must exceed the limit.
    if (Math.min(least, leastOfLast) >= enough) return enough;
    leastOfLast = least;
    letterBefore = letter;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return at(last, to.length);
}

const at = (row: Int32Array, index: number): number => row[index] as number;
