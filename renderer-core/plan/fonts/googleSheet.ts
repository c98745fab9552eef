// Reads the style sheets of Google Fonts, and names their files like those of npm packages.
import { familiesDeclared } from '../../model/fonts/fontUses.ts';
import { isPlain, type OfferedFace, unusable } from './addedFont.ts';
import { readFaces } from './fontFaces.ts';

export const googleLabel = 'Google Fonts';

/** `urls`: where the files of the faces are. */
export type GoogleFaces = { faces: OfferedFace[]; urls: ReadonlyMap<string, string> };

/** A comment before each rule names its characters: `latin`, or `[4]` for a part of a large writing system. */
const rules = /(?:\/\*\s*\[?([\w-]+)\]?\s*\*\/\s*)?@font-face\s*\{[^}]*\}/g;

/** `origin`: the only one that files may have. Throws UserError `download_failed` if a sheet names another one. */
export function googleFaces(sheets: readonly string[], slug: string, origin: string): GoogleFaces {
  const files = new Map<string, string>();
  const faces = sheets.flatMap((css) =>
    [...css.matchAll(rules)].flatMap(([rule, characters], index) =>
      readFaces(rule).map((face) => {
        if (!face.file.startsWith(`${origin}/`))
          throw unusable(googleLabel, `its style sheet names a file that is not of ${origin}`);
        const name = `${slug}-${characters ?? index}-${face.weight.replace(' ', '-')}-${face.style}.woff2`;
        // All weights of a variable font have the same file.
        const file = files.get(face.file) ?? `files/${name}`;
        files.set(face.file, file);
        return { ...face, family: familiesDeclared(rule)[0] ?? '', file };
      }),
    ),
  );
  const urls = new Map([...files].map(([url, file]) => [file, url]));
  if (urls.size < files.size) throw unusable(googleLabel, 'its style sheet declares the same characters twice');
  return { faces: faces.filter(isPlain), urls };
}
