// URIs as clients write them, compared and joined: one client escapes `c%3A` and `(`, another does not.

type Parts = { scheme: string; authority: string; path: string };

/** The same text for all ways to write one URI: to compare and to look up, never to send. Its path is not escaped. */
export function uriKey(uri: string): string {
  const { scheme, authority, path } = split(uri);
  return `${scheme.toLowerCase()}://${authority.toLowerCase()}${path}`;
}

/** The URI of a file by its path below a folder. */
export function joinUri(folder: string, path: string): string {
  const base = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return path === '' ? base : `${base}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The path of a file below a folder, POSIX and not escaped; `''` for the folder itself, undefined for what is not below it. */
export function pathBelow(folder: string, uri: string): string | undefined {
  const base = uriKey(folder).replace(/\/+$/, '');
  const key = uriKey(uri);
  if (key === base || key === `${base}/`) return '';
  return key.startsWith(`${base}/`) ? key.slice(base.length + 1) : undefined;
}

/** The folder that a file is in, as it was written. */
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

/** A percent sign that escapes nothing stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Windows does not care for the case of a drive, and editors write both. */
function lowerDrive(path: string): string {
  return path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}
