// The fonts that ship with the product, and the names of system fonts that they replace.

/** A family of an npm package. */
export type PinnedFamily = {
  name: string;
  package: string;
  /** Style sheets in the package that declare its faces, without the extension. */
  sheets: readonly string[];
};

const upright = ['400', '400-italic', '700', '700-italic'];
const variable = (name: string, sheets = ['index']): PinnedFamily => ({
  name,
  package: `@fontsource-variable/${name.toLowerCase().replaceAll(' ', '-')}`,
  sheets,
});
const fixed = (name: string, sheets: readonly string[]): PinnedFamily => ({
  name,
  package: `@fontsource/${name.toLowerCase().replaceAll(' ', '-')}`,
  sheets,
});

/** For formulas. */
export const mathFamily = 'Framework Math';

export const pinnedFamilies: readonly PinnedFamily[] = [
  fixed('Arimo', upright),
  fixed('Tinos', upright),
  fixed('Cousine', upright),
  fixed('Gelasio', upright),
  fixed('Carlito', upright),
  fixed('Caladea', upright),
  variable('Inter', ['index', 'wght-italic']),
  variable('Roboto', ['index', 'wght-italic']),
  variable('Noto Sans Symbols'),
  fixed('Noto Sans Symbols 2', ['400']),
  fixed('Noto Sans Math', ['400']),
  // The whole font, which formulas need as their first one.
  { name: mathFamily, package: '@fontsource/noto-sans-math', sheets: ['400'] },
  {
    // Fractions, subscripts and other characters that the packages with small files leave out.
    name: 'Framework Symbols',
    package: 'inter-ui',
    sheets: ['inter-variable'],
  },
  // Box drawing, as wide as the characters of Cousine.
  { name: 'Framework Boxes', package: '@fontsource/fira-code', sheets: ['symbols2-400'] },
  variable('Noto Sans Arabic'),
  variable('Noto Sans Hebrew'),
  variable('Noto Sans Devanagari'),
  variable('Noto Sans Thai'),
  variable('Noto Sans SC'),
  variable('Noto Sans TC'),
  variable('Noto Sans JP'),
  variable('Noto Sans KR'),
  {
    // Those that are in color without a variation selector. Some of them are also in fonts of symbols, in black.
    name: 'Framework Emoji',
    package: '@fontsource/noto-color-emoji',
    sheets: ['emoji-400'],
  },
  fixed('Noto Color Emoji', ['emoji-400']),
];

/** Whether the package is downloaded when a page needs it. The others are part of the product, because they are small. */
export const isOnDemand = (fontPackage: string): boolean =>
  /\/noto-(?:color-emoji|sans-(?:sc|tc|jp|kr))$/.test(fontPackage);

/**
 * How a face is scaled to the size of the font that it replaces: the average advance width of that font divided by that of
 * the face, and the ascent, descent and line gap of that font, all as parts of its font size.
 */
export type Metrics = { width?: number; ascent: number; descent: number; lineGap?: number };

/** `name`: as it is usually written. */
export type Replacement = { name: string; family: string; metrics?: Metrics };

const sanFrancisco: Omit<Replacement, 'name'> = {
  family: 'Inter',
  metrics: { width: 0.872, ascent: 0.9668, descent: 0.2109 },
};
const courier: Omit<Replacement, 'name'> = { family: 'Cousine' };

/**
 * Names of system fonts. Arimo, Tinos, Cousine, Carlito and Caladea were designed with the metrics of the fonts that they
 * replace. The other metrics are those that the original fonts contain.
 */
const replacements: Readonly<Record<string, Omit<Replacement, 'name'>>> = {
  Arial: { family: 'Arimo' },
  Helvetica: { family: 'Arimo', metrics: { ascent: 0.77, descent: 0.23 } },
  'Helvetica Neue': { family: 'Arimo', metrics: { ascent: 0.952, descent: 0.213, lineGap: 0.028 } },
  'Liberation Sans': { family: 'Arimo' },
  'Times New Roman': { family: 'Tinos' },
  Times: { family: 'Tinos' },
  'Liberation Serif': { family: 'Tinos' },
  'Courier New': courier,
  Courier: courier,
  'Liberation Mono': courier,
  Menlo: { family: 'Cousine', metrics: { width: 1.003, ascent: 0.928, descent: 0.236 } },
  Monaco: { family: 'Cousine', metrics: { ascent: 1, descent: 0.25 } },
  'SF Mono': { family: 'Cousine', metrics: { width: 1.03, ascent: 0.952, descent: 0.241 } },
  Consolas: { family: 'Cousine', metrics: { width: 0.916, ascent: 0.908, descent: 0.263 } },
  Georgia: { family: 'Gelasio', metrics: { ascent: 0.917, descent: 0.2192 } },
  Calibri: { family: 'Carlito' },
  Cambria: { family: 'Caladea', metrics: { ascent: 0.95, descent: 0.2222 } },
  'Segoe UI': { family: 'Inter', metrics: { width: 0.9286, ascent: 1.0791, descent: 0.251 } },
  '-apple-system': sanFrancisco,
  BlinkMacSystemFont: sanFrancisco,
  'San Francisco': sanFrancisco,
  'SF Pro': sanFrancisco,
  'SF Pro Text': sanFrancisco,
  'SF Pro Display': sanFrancisco,
  'ui-sans-serif': sanFrancisco,
  'ui-rounded': sanFrancisco,
  'ui-serif': { family: 'Tinos' },
  'ui-monospace': courier,
  'Apple Color Emoji': { family: 'Noto Color Emoji' },
  'Segoe UI Emoji': { family: 'Noto Color Emoji' },
};

/** The named family that is used for each generic one. Browsers never look for web fonts under a generic name. */
export const genericFamilies: Readonly<Record<string, string>> = {
  'sans-serif': 'Arimo',
  serif: 'Tinos',
  monospace: 'Cousine',
  'system-ui': '-apple-system',
  cursive: 'Arimo',
  fantasy: 'Arimo',
  math: mathFamily,
  emoji: 'Noto Color Emoji',
  fangsong: 'Noto Sans SC',
};

const byName = new Map<string, Replacement>([
  ...Object.entries(replacements).map(([name, replacement]) => [name.toLowerCase(), { name, ...replacement }] as const),
  ...pinnedFamilies.map(({ name }) => [name.toLowerCase(), { name, family: name }] as const),
]);

/** The pinned family that a page gets for `name`, which is not generic; undefined if there is none. Case does not matter. */
export const replacementFor = (name: string): Replacement | undefined => byName.get(name.toLowerCase());

export const pinnedFamily = (name: string): PinnedFamily | undefined =>
  pinnedFamilies.find((family) => family.name === name);

/** All names that have a replacement, in lower case. */
export const replacedNames: readonly string[] = [...byName.keys()];
