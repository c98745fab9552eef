// Chooses the faces of a font family that a project gets, and writes the style sheet that declares them.
import { UserError } from '../../errors.ts';
import { quoted } from '../../model/fonts/familyList.ts';
import { familiesDeclared } from '../../model/fonts/fontUses.ts';
import { type FontFile, readFaces } from './fontFaces.ts';

/** A downloaded package. Anyone can publish one, so its texts are checked before they are written. */
export type FontPackage = {
  name: string;
  version: string;
  /** The names of the files in its top folder. */
  names: readonly string[];
  read(path: string): string | undefined;
};

/** A face and its family. `file` is `files/<name>.woff2`. */
export type OfferedFace = FontFile & { family: string };

/** A family that can be added. `label`: where it is from, as in `the npm package @fontsource/dm-sans 5.2.8`. */
export type OfferedFont = { label: string; faces: readonly OfferedFace[] };

export type AddedFont = {
  family: string;
  weights: string[];
  styles: string[];
  /** The fonts: the file of the offered face, name in the project. */
  files: { from: string; name: string }[];
  /** The style sheet. */
  css: string;
};

/** The name of a family's package, and of its files. Empty if it has no letters. */
export const fontSlug = (family: string): string =>
  family
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/** `weights` are those that the user wants; by default 400 and 700, if the family has them. Throws UserError. */
export function addedFont({ label, faces: found }: OfferedFont, slug: string, weights?: readonly number[]): AddedFont {
  const [first] = found;
  if (!first) throw unusable(label, 'it contains no fonts');
  const { family } = first;
  const available = [...new Set(found.map(({ weight }) => weight))].sort((a, b) => rangeOf(a)[0] - rangeOf(b)[0]);
  const wanted = weights ?? defaultWeights(available);
  const missing = wanted.filter((weight) => !available.some((one) => contains(one, weight)));
  if (missing.length > 0)
    throw new UserError('usage', `${family} has no weight ${missing.join(', ')}`, {
      hint: `Available weights: ${available.map((weight) => weight.replace(' ', ' to ')).join(', ')}.`,
    });
  const faces = found.filter(({ weight }) => wanted.some((one) => contains(weight, one)));
  const files = new Map(faces.map(({ file }) => [file, { from: file, name: baseName(file) }]));
  return {
    family,
    weights: [...new Set(faces.map(({ weight }) => weight))],
    styles: [...new Set(faces.map(({ style }) => style))],
    files: [...files.values()],
    css: `/* ${family}, from ${label}. License: ${slug}-LICENSE.txt */\n${faces.map((face) => faceText(family, face)).join('\n')}`,
  };
}

const sheetName = /^(?:(\d{3})|index|wght)(?:-italic)?\.css$/;

/**
 * The faces of all weights in a package, by weight, and normal before italic. A sheet `index.css` is only complete in
 * variable fonts.
 */
export function packageFaces({ name, names, read }: FontPackage): OfferedFace[] {
  const sheets = names.filter((sheet) => sheetName.test(sheet));
  const byWeight = sheets.filter((sheet) => /^\d/.test(sheet));
  const variable = ['index.css', 'wght-italic.css'].filter((sheet) => sheets.includes(sheet));
  const chosen = name.startsWith('@fontsource-variable/') || byWeight.length === 0 ? variable : byWeight;
  const inOrder = chosen.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.length - b.length);
  return inOrder.flatMap((sheet) => {
    const css = read(sheet) ?? '';
    const family = familiesDeclared(css)[0]?.replace(/ Variable$/, '') ?? '';
    return readFaces(css)
      .map((face) => ({ ...face, family }))
      .filter(isPlain);
  });
}

/** Whether name and descriptors of a face are what a font needs, and not other CSS. */
export const isPlain = ({ family, style, weight, file, ranges }: OfferedFace): boolean =>
  /^[\p{L}\d][\p{L}\d .'+-]{0,80}$/u.test(family) &&
  /^(?:normal|italic)$/.test(style) &&
  /^\d{1,4}(?: \d{1,4})?$/.test(weight) &&
  /^files\/[\w.-]+\.woff2$/.test(file) &&
  /^[U+\dA-F?,\s-]*$/i.test(ranges);

const rangeOf = (weight: string): readonly [number, number] => {
  const [from = 0, to = from] = weight.split(' ').map(Number);
  return [from, to];
};

const contains = (weight: string, one: number): boolean => one >= rangeOf(weight)[0] && one <= rangeOf(weight)[1];

/** Those that a project gets if the user names none. */
export const usualWeights: readonly number[] = [400, 700];

function defaultWeights(available: readonly string[]): number[] {
  const usual = usualWeights.filter((weight) => available.some((one) => contains(one, weight)));
  return usual.length > 0 ? usual : available.slice(0, 1).map((weight) => rangeOf(weight)[0]);
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A frame shows text only in its final font, so the browser must not show another one first. */
function faceText(family: string, { style, weight, file, ranges }: FontFile): string {
  const lines = [
    `font-family: ${quoted(family)};`,
    `font-style: ${style};`,
    `font-weight: ${weight};`,
    'font-display: block;',
    `src: url(${baseName(file)}) format("woff2");`,
    ...(ranges === '' ? [] : [`unicode-range: ${ranges};`]),
  ];
  return `@font-face {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

/** `label`: see `OfferedFont`. */
export function unusable(label: string, reason: string): UserError {
  const subject = `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
  return new UserError('download_failed', `${subject} cannot be used: ${reason}.`, {
    hint: 'Copy the font files into the folder fonts/ of the project, and declare them in a style sheet there.',
  });
}
