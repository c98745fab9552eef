// Families for writing systems that the pinned fonts do not have.

/** Writing systems by their name in Unicode. The family `Noto Sans <name>` has their characters. */
const scripts = [
  ...['Adlam', 'Armenian', 'Balinese', 'Bengali', 'Cherokee', 'Coptic', 'Ethiopic', 'Georgian', 'Gujarati', 'Gurmukhi'],
  ...[
    'Javanese',
    'Kannada',
    'Khmer',
    'Lao',
    'Malayalam',
    'Mongolian',
    'Myanmar',
    'Oriya',
    'Sinhala',
    'Syriac',
    'Tamil',
  ],
  ...['Telugu', 'Thaana', 'Tifinagh'],
] as const;

const families: readonly (readonly [script: string, family: string])[] = [
  ...scripts.map((script) => [script, `Noto Sans ${script}`] as const),
  ['Tibetan', 'Noto Serif Tibetan'],
];

/** A family that has a character, and that `framework fonts add` finds; undefined if none is known. */
export function familyFor(character: string): string | undefined {
  return families.find(([script]) => new RegExp(`\\p{Script=${script}}`, 'u').test(character))?.[1];
}
