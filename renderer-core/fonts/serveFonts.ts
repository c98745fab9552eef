// Serves the pinned fonts of a page: what declares them, and their files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { familyRanges } from '../model/fonts/familyRanges.ts';
import {
  isOnDemand,
  type PinnedFamily,
  pinnedFamilies,
  pinnedFamily,
  replacementFor,
} from '../model/fonts/pinnedFamilies.ts';
import { hasCharacter } from '../model/fonts/unicodeRanges.ts';
import { type FontFile, readFaces } from '../plan/fonts/fontFaces.ts';
import {
  familyFolder,
  fontSheet,
  fontSheetPath,
  fontsFolder,
  loadedFonts,
  loadedFontsPath,
  pageFaces,
} from '../plan/fonts/fontSheet.ts';
import { type PageFonts, withoutFamilies } from '../plan/fonts/pageFonts.ts';
import type { ProjectServer, VirtualFile } from '../project/serve/projectServer.ts';
import { systemFontsHint } from './fontCache.ts';
import { fontFolder, isOnMachine } from './fontFolder.ts';

type LoadedFamily = { folder: string; files: FontFile[] };

/** Families that were used before: they never change while the program runs. */
const loaded = new Map<string, Promise<LoadedFamily>>();

/** Adds the fonts of a page, and what declares them, to the server. Throws UserError if fonts are missing. */
export async function serveFonts(server: FontServer, fonts: PageFonts, env: NodeJS.ProcessEnv): Promise<void> {
  const { sheet, script } = await declareFonts(server, fonts, env);
  server.setVirtual(fontSheetPath, sheet);
  server.setVirtual(loadedFontsPath, script);
}

/** The packages of a page's fonts that are not on this machine yet. */
export async function missingFonts(fonts: PageFonts, env: NodeJS.ProcessEnv): Promise<string[]> {
  const families = familiesOf(fonts).filter((family) => !loaded.has(family));
  const packages = new Set(families.flatMap((family) => pinnedFamily(family)?.package ?? []));
  const found = await Promise.all([...packages].map(async (name) => ((await isOnMachine(name, env)) ? [] : [name])));
  return found.flat();
}

/** Finds or downloads the fonts that all pages may need. Throws UserError. */
export async function loadUsualFonts(env: NodeJS.ProcessEnv): Promise<void> {
  const isUsual = (family: PinnedFamily) => !isOnDemand(family.package);
  await Promise.all(pinnedFamilies.filter(isUsual).map(({ name }) => loadOnce(name, env)));
}

export const isDownloadError = (error: unknown): error is UserError =>
  error instanceof UserError && error.code === 'download_failed';

/** The warning for a page that is shown without the pinned fonts. */
export const withoutFontsMessage = ({ message, hint = '' }: UserError): string =>
  `Text uses the fonts of this machine and may differ on others: ${message} ${hint.replace(systemFontsHint, '')}`.trim();

const familiesOf = ({ names }: PageFonts): string[] => [
  ...new Set(names.flatMap((name) => replacementFor(name)?.family ?? [])),
];

/** For servers with several pages: `fontsOf` returns the fonts for the query of a request. */
export function serveFontsOf(
  server: FontServer,
  fontsOf: (query: URLSearchParams) => PageFonts | undefined,
  env: NodeJS.ProcessEnv,
): void {
  const declared = async (query: URLSearchParams): Promise<FontDeclarations> => {
    const fonts = fontsOf(query);
    return fonts
      ? declareFonts(server, fonts, env)
      : { sheet: { body: '', type: css }, script: { body: '', type: javascript } };
  };
  server.setVirtual(fontSheetPath, async (query) => (await declared(query)).sheet);
  server.setVirtual(loadedFontsPath, async (query) => (await declared(query)).script);
}

type FontServer = Pick<ProjectServer, 'setVirtual'>;
type FontDeclarations = { sheet: VirtualFile; script: VirtualFile };
const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

async function declareFonts(server: FontServer, all: PageFonts, env: NodeJS.ProcessEnv): Promise<FontDeclarations> {
  const found = new Map<string, LoadedFamily>();
  const absent = new Set<string>();
  const load = async (family: string) => {
    try {
      found.set(family, await loadOnce(family, env));
    } catch (error) {
      if (!(isDownloadError(error) && all.possible.includes(family))) throw error;
      absent.add(family);
    }
  };
  await Promise.all(familiesOf(all).map(load));
  const fonts = absent.size > 0 ? withoutFamilies(all, absent) : all;
  for (const [family, { folder, files }] of found) {
    for (const { file } of files)
      server.setVirtual(`${fontsFolder}${familyFolder(family)}/${file}`, {
        file: join(folder, file),
        type: 'font/woff2',
        immutable: true,
      });
  }
  const faces = pageFaces(fonts, (family) => found.get(family)?.files ?? []);
  const isNeeded = ({ name, file }: (typeof faces)[number]) => hasCharacter(file.ranges, neededOf(name, fonts));
  const needed = await Promise.all(
    faces.filter(isNeeded).map(async (face) => {
      const { folder = '' } = found.get(face.family) ?? {};
      return { ...face, base64: await readFile(join(folder, face.file.file), 'base64') };
    }),
  );
  const others = faces.filter((face) => !isNeeded(face));
  return {
    sheet: { body: fontSheet(fonts, others), type: css },
    script: { body: loadedFonts(needed), type: javascript },
  };
}

/** The characters of a family that must be there at once. The first family of the fallback has those of ASCII. */
function neededOf(name: string, { named, fallback: [first, ...others], neededAtOnce }: PageFonts): readonly number[] {
  const isIn = (names: readonly (string | undefined)[]) =>
    names.some((other) => other?.toLowerCase() === name.toLowerCase());
  const isOnlyFallback = isIn(others) && !isIn([first, ...named]);
  return isOnlyFallback ? neededAtOnce.filter((character) => character > 127) : neededAtOnce;
}

function loadOnce(family: string, env: NodeJS.ProcessEnv): Promise<LoadedFamily> {
  const before = loaded.get(family) ?? loadFamily(family, env);
  loaded.set(family, before);
  before.catch(() => loaded.delete(family));
  return before;
}

async function loadFamily(name: string, env: NodeJS.ProcessEnv): Promise<LoadedFamily> {
  const family = pinnedFamily(name);
  if (!family) throw new Error(`${name} is not a pinned family`);
  const folder = await fontFolder(family.package, { env });
  const sheets = await Promise.all(family.sheets.map((sheet) => readFile(join(folder, `${sheet}.css`), 'utf8')));
  const files = sheets
    .flatMap(readFaces)
    .map((file) => ({ ...file, ranges: familyRanges(family.name) ?? file.ranges }));
  return { folder, files };
}
