// Downloads a font family from Google Fonts, in WOFF2.
import { buffer } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { unusable, usualWeights } from '../plan/fonts/addedFont.ts';
import { googleFaces, googleLabel } from '../plan/fonts/googleSheet.ts';
import type { Network } from '../project/remote/publicFetch.ts';
import { RemoteFailure, requestFile } from '../project/remote/remoteRequest.ts';
import type { Absence, FoundFont } from './foundFont.ts';

/** The origins of style sheets and of their files. */
export type FontService = { sheets: string; files: string; network: Network };

export const googleFonts: FontService = {
  sheets: 'https://fonts.googleapis.com',
  files: 'https://fonts.gstatic.com',
  network: 'public',
};

export type GoogleSearch = {
  family: string;
  slug: string;
  weights: readonly number[] | undefined;
  service: FontService;
  signal: AbortSignal;
};

/** Other programs than browsers get formats that are larger. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/** A style sheet of a family with all Chinese characters has 0.3 MB, and its largest file less than 1 MB. */
const maxBytes = { sheet: 4 * 1024 ** 2, file: 16 * 1024 ** 2 };

const maxConcurrent = 6;

/** Throws UserError `download_failed` for a style sheet or a file that cannot be used. */
export async function googleFont(search: GoogleSearch): Promise<FoundFont | Absence> {
  const { family, slug, service } = search;
  const name = family.trim().replaceAll(/\s+/g, ' ');
  try {
    const sheets = await findSheets(name, search);
    if (sheets.length === 0) return { isUnknown: true, reason: 'Google Fonts does not have it', fix: 'Check the name' };
    const { faces, urls } = googleFaces(sheets, slug, service.files);
    const limit = pLimit(maxConcurrent);
    return {
      label: googleLabel,
      faces,
      origin: { source: 'google', package: null, version: null },
      license: licenseNote(faces[0]?.family ?? name),
      read: (file) => limit(() => download(urls.get(file) ?? '', search)),
    };
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    const reason = `Google Fonts cannot be reached: ${error.message}`;
    return { isUnknown: false, reason, fix: 'Check the name and the connection to the internet' };
  }
}

/** Style sheets of the wanted weights, normal and italic; with those of other weights if the family lacks one. */
async function findSheets(name: string, search: GoogleSearch): Promise<string[]> {
  const limit = pLimit(maxConcurrent);
  const styles = ['wght@', 'ital,wght@1,'];
  const find = async (weights: readonly number[]): Promise<{ weight: number; sheets: string[] }[]> =>
    Promise.all(
      weights.map(async (weight) => {
        const found = await Promise.all(styles.map((style) => limit(() => sheetOf(name, style + weight, search))));
        return { weight, sheets: found.flatMap((sheet) => sheet ?? []) };
      }),
    );
  const { weights } = search;
  const wanted = await find(weights ?? usualWeights);
  const missing = wanted.filter(({ sheets }) => sheets.length === 0);
  const isEnough = missing.length === 0 || (weights === undefined && missing.length < wanted.length);
  const others = isEnough
    ? []
    : await find(allWeights.filter((weight) => !wanted.some((one) => one.weight === weight)));
  return [...wanted, ...others].sort((a, b) => a.weight - b.weight).flatMap(({ sheets }) => sheets);
}

const allWeights = [100, 200, 300, 400, 500, 600, 700, 800, 900];

/** Undefined if Google Fonts has no such family, or the family no such style. */
async function sheetOf(name: string, style: string, { service, signal }: GoogleSearch): Promise<string | undefined> {
  const url = `${service.sheets}/css2?family=${inUrl(name)}:${style}&display=block`;
  try {
    return (await request(url, maxBytes.sheet, service, signal)).toString('utf8');
  } catch (error) {
    if (error instanceof RemoteFailure && (error.status === 400 || error.status === 404)) return undefined;
    throw error;
  }
}

async function download(url: string, { service, signal }: GoogleSearch): Promise<Uint8Array> {
  const bytes = await request(url, maxBytes.file, service, signal).catch((error: Error) => {
    throw error instanceof RemoteFailure ? unusable(googleLabel, `${url}: ${error.message}`) : error;
  });
  if (bytes.subarray(0, 4).toString('latin1') !== 'wOF2') throw unusable(googleLabel, `${url} is not a WOFF2 file`);
  return bytes;
}

async function request(url: string, limit: number, { network }: FontService, signal: AbortSignal): Promise<Buffer> {
  const from = { url, headers: { 'user-agent': userAgent }, known: undefined, signal };
  const rules = { network, maxBytes: limit, secureOnly: network === 'public', sameHost: true };
  return (await requestFile({ ...from, ...rules }, ({ body }) => buffer(body))) as Buffer;
}

const inUrl = (name: string): string => encodeURIComponent(name).replaceAll('%20', '+');

const licenseNote = (family: string): string => {
  const page = `https://fonts.google.com/specimen/${inUrl(family)}`;
  return `${family} was downloaded from Google Fonts: ${page}
Google Fonts serves fonts under open licenses. The license of this font: ${page}/license
Keep this file with the fonts.
`;
};
