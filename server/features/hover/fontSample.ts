// A sample of a font family for its hover: an image that contains the font.
import type { FoundFace } from '../../../renderer-core/lint/fontSources.ts';
import type { ListedFamily } from '../../../renderer-core/model/fonts/familyList.ts';
import { familyRanges } from '../../../renderer-core/model/fonts/familyRanges.ts';
import { type DeclaredFace, facesDeclared } from '../../../renderer-core/model/fonts/fontUses.ts';
import { pinnedFamily } from '../../../renderer-core/model/fonts/pinnedFamilies.ts';
import { hasCharacter } from '../../../renderer-core/model/fonts/unicodeRanges.ts';
import { referenceCandidates } from '../../../renderer-core/model/graph.ts';
import { usedFaces } from '../fonts.ts';
import type { SourceFile } from '../sourceFile.ts';

/** Both return undefined if the file cannot be read or is larger than `maxBytes`. */
export type FontFiles = {
  ofProject(uri: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** A file of a package of pinned fonts, by its path in the package. */
  ofPackage(name: string, path: string, maxBytes: number): Promise<Uint8Array | undefined>;
};

/** VS Code shows no more characters of a hover. */
export const longestHover = 100_000;
/** In Base64, 96,000 characters. */
const maxFontBytes = 72_000;
const maxSheetBytes = 1_000_000;
/** The files that are tried, one after another. */
const maxTries = 3;

/** The letters of families whose name ends with a writing system. They are in the same file where a family has many. */
const samples: readonly (readonly [name: RegExp, sample: string])[] = [
  [/ Arabic$/, 'أبجد هوز'],
  [/ Hebrew$/, 'אבגד הוז'],
  [/ Devanagari$/, 'अआइ कखग'],
  [/ Thai$/, 'กขค สวัสดี'],
  [/ (?:SC|TC|HK)$/, '你好'],
  [/ JP$/, '新年会'],
  [/ KR$/, '사이다'],
  [/ Symbols(?: 2)?$/, '☀★♞'],
  [/ Math$/, '∑√∞'],
  [/ Emoji$/, '😀'],
];
const latin = 'Aa Bb Cc 123';

/** Markdown with an image of the letters that text in a family has; undefined if no file of the font is readable and small. */
export async function fontSample(
  file: SourceFile,
  family: ListedFamily,
  files: FontFiles,
): Promise<string | undefined> {
  const used = usedFaces(file, family);
  if (used === undefined) return undefined;
  const isPinned = typeof used === 'string';
  const name = isPinned ? used : family.name;
  const faces = isPinned ? await pinnedFaces(used, files) : used.flatMap((face) => projectFace(file, face, files));
  const sample = samples.find(([end]) => end.test(name))?.[1] ?? latin;
  const fitting = faces.filter(({ ranges }) => hasAll(ranges, sample)).sort((a, b) => difference(a) - difference(b));
  for (const { ranges, type, read } of fitting.slice(0, maxTries)) {
    const bytes = await read();
    // Long names would not fit.
    const title = name.slice(0, 22);
    if (bytes) return image(hasAll(ranges, title) ? [title, sample] : [sample], type, bytes);
  }
  return undefined;
}

type ReadableFace = Pick<DeclaredFace, 'weight' | 'isUpright' | 'ranges'> & {
  type: string;
  read(): Promise<Uint8Array | undefined>;
};

async function pinnedFaces(name: string, files: FontFiles): Promise<ReadableFace[]> {
  const family = pinnedFamily(name);
  const [sheet] = family?.sheets ?? [];
  const css = family && (await files.ofPackage(family.package, `${sheet}.css`, maxSheetBytes));
  if (!css) return [];
  return facesDeclared(new TextDecoder().decode(css)).flatMap((face) => {
    const found = fontUrl(face);
    const read = (path: string) => files.ofPackage(family.package, path.replace(/^\.\//, ''), maxFontBytes);
    return found
      ? [{ ...face, ranges: familyRanges(family.name) ?? face.ranges, type: found.type, read: () => read(found.url) }]
      : [];
  });
}

function projectFace(file: SourceFile, face: FoundFace, files: FontFiles): ReadableFace[] {
  const found = fontUrl(face);
  if (!found) return [];
  const path = referenceCandidates(face.from, found.url).find((each) => file.project.exists(each) !== false);
  if (path === undefined) return [];
  return [{ ...face, type: found.type, read: () => files.ofProject(file.uriOf(path), maxFontBytes) }];
}

/** The first file of a face, without a query as in `a.woff2?v=4`, and its type. */
function fontUrl({ urls }: DeclaredFace): { url: string; type: string } | undefined {
  for (const url of urls) {
    const [, path, type] = /^([^?#]+\.(woff2?|ttf|otf))(?:[?#]|$)/i.exec(url) ?? [];
    if (path !== undefined && type !== undefined) return { url: path, type: `font/${type.toLowerCase()}` };
  }
  return undefined;
}

/** Whether a face is used for all characters of a text, except for spaces. */
function hasAll(ranges: string, text: string): boolean {
  return [...text].every((character) => character === ' ' || hasCharacter(ranges, [character.codePointAt(0) ?? 0]));
}

/** How much a face differs from upright text of weight 400. */
function difference({ weight, isUpright }: Pick<DeclaredFace, 'weight' | 'isUpright'>): number {
  const [least = 400, most = least] = weight.split(/\s+/).map((each) => Number.parseInt(each, 10) || 400);
  return Math.max(least - 400, 400 - most, 0) + (isUpright ? 0 : 1000);
}

/** Black on white, which is readable in dark and light themes. */
function image(lines: readonly string[], type: string, font: Uint8Array): string | undefined {
  const height = 20 + 36 * lines.length;
  const before = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="${height}"><style>text{font:26px sample}@font-face{font-family:sample;src:url(data:${type};base64,`;
  const texts = lines.map((line, index) => `<text x="14" y="${40 + 36 * index}">${escapeXml(line)}</text>`);
  const after = `)}</style><rect width="360" height="${height}" rx="6" fill="#fff"/>${texts.join('')}</svg>`;
  // Base64 is not encoded again, because the text would be longer.
  return `![The letters of the font](data:image/svg+xml,${encode(before)}${toBase64(font)}${encode(after)})`;
}

const notInXml = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(notInXml, ' ');

/** Also encodes what would end the URL in Markdown. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
