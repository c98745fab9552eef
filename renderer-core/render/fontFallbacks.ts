// Leaves out style sheets of Google Fonts that cannot be loaded, if the page has their families from elsewhere.
import { writeFile } from 'node:fs/promises';
import { projectFontSheets } from '../fonts/projectFonts.ts';
import { replacedSheetWarning, sheetFamilies } from '../plan/fonts/remoteSheets.ts';
import type { FilesInside } from '../project/readInside.ts';
import type { RemoteAssets } from '../project/remote/remoteAssets.ts';
import { RemoteFailure } from '../project/remote/remoteRequest.ts';

export type FontFallbacks = {
  /** Answers requests for such a style sheet with an empty one. */
  remote: RemoteAssets;
  /** The warnings for style sheets that were left out, by URL. */
  warnings: ReadonlyMap<string, string>;
};

/** `emptySheet` is the path of a file that is created when it is needed. */
export function withFontFallbacks(
  remote: RemoteAssets,
  files: Pick<FilesInside, 'list' | 'read' | 'exists'>,
  emptySheet: string,
): FontFallbacks {
  const warnings = new Map<string, string>();
  const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
  return {
    warnings,
    remote: {
      ...remote,
      async get(given, headers) {
        try {
          return await remote.get(given, headers);
        } catch (error) {
          const url = withoutFragment(given);
          if (!(error instanceof RemoteFailure)) throw error;
          const families = sheetFamilies(url, { ...files, fontSheets: projectFontSheets(files) });
          if (!families || families.missing.length > 0) throw error;
          warnings.set(url, replacedSheetWarning(families.available, error.message));
          const text = '/* The fonts are declared by the page. */';
          await writeFile(emptySheet, text);
          const headersOfSheet = { 'content-type': 'text/css; charset=utf-8', 'access-control-allow-origin': '*' };
          return { url, path: emptySheet, size: text.length, headers: headersOfSheet };
        }
      },
      failure: (url) => (warnings.has(withoutFragment(url)) ? undefined : remote.failure(url)),
    },
  };
}
