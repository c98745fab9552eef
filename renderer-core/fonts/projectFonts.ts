// The fonts of a project: style sheets with @font-face rules, which the pages of all of its compositions declare.
import { UserError } from '../errors.ts';
import { isFontSheet } from '../model/fonts/fontSheetPaths.ts';
import { familiesDeclared } from '../model/fonts/fontUses.ts';
import { type ConfigProblem, configFile, readProjectConfig } from '../model/projectConfig.ts';
import { lineAndColumn } from '../model/text/spans.ts';
import type { FilesInside } from '../project/readInside.ts';

/** The folder in a project whose style sheets declare fonts. */
export const projectFontsFolder = 'fonts';

/**
 * The style sheets that `framework.json` lists, after those in `fonts/` that declare fonts. Throws UserError `config_invalid`.
 */
export function projectFontSheets(files: Pick<FilesInside, 'list' | 'read' | 'exists'>): string[] {
  const found = files
    .list(projectFontsFolder)
    .map((name) => `${projectFontsFolder}/${name}`)
    .filter((path) => isFontSheet(path) && familiesDeclared(files.read(path) ?? '').length > 0);
  return [...new Set([...found, ...listedSheets(files)])];
}

function listedSheets(files: Pick<FilesInside, 'read' | 'exists'>): string[] {
  const text = files.read(configFile);
  if (text === undefined) return [];
  const { fontSheets, problems } = readProjectConfig(text);
  const [problem] = problems;
  if (problem) throw invalid(problem);
  for (const { path, span } of fontSheets) {
    if (!files.exists(path))
      throw invalid({ message: `The font sheet ${path} does not exist`, ...lineAndColumn(text, span.start) });
  }
  return fontSheets.map(({ path }) => path);
}

const invalid = ({ message, line, column }: Omit<ConfigProblem, 'span'>): UserError =>
  new UserError('config_invalid', message, {
    place: { file: configFile, line, column },
    hint: 'Example: {"fonts": ["brand/fonts.css"], "allowHosts": ["cdn.example.com"]}',
  });
