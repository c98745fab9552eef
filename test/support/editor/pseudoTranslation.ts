// A pseudo-translation: makes it visible whether a sentence was translated.

const accents: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
};

/** `⟦Réndér {0}⟧`: placeholders, link targets, icons and code stay unchanged. */
export function pseudo(sentence: string): string {
  const kept = /(\{\w+\}|\]\([^)]*\)|`[^`]*`|\$\([\w~-]+\))/;
  const spoken = sentence
    .split(kept)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[aeiou]/gi, (letter) => accents[letter] ?? letter),
    );
  return `⟦${spoken.join('')}⟧`;
}

/** Translates the English values of a bundle. */
export function pseudoBundle(bundle: Record<string, string | { message: string }>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bundle).map(([key, value]) => [key, pseudo(typeof value === 'string' ? value : value.message)]),
  );
}
