// Fonts of the system, for browsers on Linux. Without any, Chromium 156 cannot decode the fonts of pages either.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missingGlyphFont } from '../plan/fonts/missingGlyphFont.ts';
import { cacheEntry, cacheRoot } from '../project/cacheFolder.ts';
import { statIfExists } from '../project/statIfExists.ts';
import { fontsConf, systemFontFolders } from './fontsConf.ts';

/** Whether fontconfig is configured and finds a font. Configurations that include others are not read. */
export async function hasSystemFonts(env: NodeJS.ProcessEnv, home: string): Promise<boolean> {
  if (env.FONTCONFIG_PATH) return true;
  // A file that cannot be read configures nothing.
  const text = await readFile(env.FONTCONFIG_FILE || '/etc/fonts/fonts.conf', 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  if (!env.FONTCONFIG_FILE) return hasFont(systemFontFolders(home));
  if (text.includes('<include')) return true;
  return hasFont([...text.matchAll(/<dir[^>]*>([^<]*)</g)].map(([, folder = '']) => folder.trim()));
}

async function hasFont(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    if (names.some((name) => /\.(ttf|otf|ttc|otc|pfb|woff2?)$/i.test(name))) return true;
  }
  return false;
}

/** For a browser without fonts of its own, on a machine without fonts: one that shows every character as a box. */
export async function fallbackFontEnv(env: NodeJS.ProcessEnv, home: string): Promise<Record<string, string>> {
  if (await hasSystemFonts(env, home)) return {};
  const folder = await cacheEntry(cacheRoot(env, home), 'fallback-font', async (empty) => {
    await mkdir(join(empty, 'fonts'));
    await writeFile(join(empty, 'fonts', 'missing.ttf'), Buffer.from(missingGlyphFont, 'base64'));
  });
  return fontEnv(join(folder, 'fonts'), env, home);
}

/**
 * Writes a configuration with the fonts in `folder` next to it. The text is always the same, so writing twice is safe. A cache that
 * cannot be written, such as that of an image or in a sandbox, keeps the configuration it was filled with.
 */
export async function fontEnv(folder: string, env: NodeJS.ProcessEnv, home: string): Promise<Record<string, string>> {
  const cacheDir = join(cacheRoot(env, home), 'fontconfig');
  const path = join(dirname(folder), 'embedded-fonts.conf');
  try {
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    await writeFile(path, fontsConf([...systemFontFolders(home), folder], cacheDir));
  } catch (error) {
    const isReadOnly = ['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    const isFilled = (await statIfExists(path)) !== undefined;
    if (!isReadOnly || !isFilled) throw error;
  }
  return { FONTCONFIG_FILE: path };
}
