// Compares and joins URIs. Clients escape them differently: some escape `c%3A` and `(`, others do not.
import { encodePath } from '../renderer-core/model/text/percentText.ts';

type Parts = { scheme: string; authority: string; path: string };

/** A key that is the same for all spellings of a URI, for comparison only. Its path is not escaped. */
export function uriKey(uri: string): string {
  const { scheme, authority, path } = split(uri);
  return `${scheme.toLowerCase()}://${authority.toLowerCase()}${path}`;
}

export function joinUri(folder: string, path: string): string {
  const base = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return path === '' ? base : `${base}/${encodePath(path)}`;
}

/** The path of a file below a folder, POSIX and unescaped: `''` for the folder itself, undefined if it is not below it. */
export function pathBelow(folder: string, uri: string): string | undefined {
  const base = uriKey(folder).replace(/\/+$/, '');
  const key = uriKey(uri);
  if (key === base || key === `${base}/`) return '';
  return key.startsWith(`${base}/`) ? key.slice(base.length + 1) : undefined;
}

/** The URI of the folder that contains a file. */
export function parentUri(uri: string): string {
  const end = uri.lastIndexOf('/');
  return end < 0 ? uri : uri.slice(0, end);
}

export function schemeOf(uri: string): string {
  return split(uri).scheme.toLowerCase();
}

function split(uri: string): Parts {
  const found = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)/i.exec(uri);
  const [, scheme = '', authority = '', path = uri] = found ?? [];
  return { scheme, authority, path: lowerDrive(decode(path)) };
}

/** Leaves text unchanged whose percent signs are not valid escapes. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Drive letters on Windows are case-insensitive, and editors use both cases. */
function lowerDrive(path: string): string {
  return path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}
