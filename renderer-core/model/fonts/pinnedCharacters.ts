// Which characters the pinned fonts have.
import { pinnedRanges } from './pinnedRanges.ts';

/** Whether one of the pinned fonts has a character. Browsers compose characters such as `ế` of a letter and its marks. */
export function isPinned(character: string): boolean {
  return isInRanges(character) || [...character.normalize('NFD')].every(isInRanges);
}

/** The first character of each range, and the one after its last, in ascending order. Decoded on first use. */
let boundaries: Uint32Array | undefined;

function isInRanges(character: string): boolean {
  boundaries ??= decodeBoundaries(pinnedRanges);
  const code = character.codePointAt(0) ?? 0;
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boundaries[middle] ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

const firstDigit = 'a'.charCodeAt(0);

/** Each number is the distance to the one before, in base 26: the digits are letters, and the last one is a capital. */
export function decodeBoundaries(text: string): Uint32Array {
  let at = 0;
  const numbers = Array.from(text.matchAll(/[a-z]*[A-Z]/g), ([digits]) => {
    let distance = 0;
    for (const digit of digits.toLowerCase()) distance = distance * 26 + digit.charCodeAt(0) - firstDigit;
    at += distance;
    return at;
  });
  return Uint32Array.from(numbers);
}
