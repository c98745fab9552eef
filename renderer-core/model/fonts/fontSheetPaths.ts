// Which style sheets of a project declare fonts for all of its compositions.
import { readProjectConfig } from '../projectConfig.ts';

/** A style sheet directly in the folder `fonts` of the project. */
export const isFontSheet = (path: string): boolean => /^fonts\/[^./][^/]*\.css$/i.test(path);

/** Those of `paths` in the folder `fonts`, and the ones that framework.json lists. `config` is its text. */
export function fontSheetPaths(paths: readonly string[], config: string | null): string[] {
  const listed = config === null ? [] : readProjectConfig(config).fontSheets.map(({ path }) => path);
  return [...new Set([...paths.filter(isFontSheet), ...listed])];
}
