// A language that nobody speaks, made from ours: whoever reads a sentence sees whether it was translated.

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

/** `⟦Réndér {0}⟧`: what is put in, targets of links, icons and code stay. */
export function pseudo(sentence: string): string {
  const kept = /(\{\w+\}|\]\([^)]*\)|`[^`]*`|\$\([\w~-]+\))/;
  const spoken = sentence
    .split(kept)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[aeiou]/gi, (letter) => accents[letter] ?? letter),
    );
  return `⟦${spoken.join('')}⟧`;
}

/** Of a whole bundle: its values are our sentences. */
export function pseudoBundle(bundle: Record<string, string | { message: string }>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bundle).map(([key, value]) => [key, pseudo(typeof value === 'string' ? value : value.message)]),
  );
}
