// Maps URL paths of the assembled page to project files.
import { percentDecode } from '../model/percentText.ts';

export const mountPrefix = '/__framework/mounts/';

/** The project file of a URL path of the page, for example in the stack of an error. */
export function sourceFileOf(path: string): string {
  const decoded = percentDecode(path);
  if (!decoded.startsWith(mountPrefix)) return decoded.replace(/^\//, '');
  return decoded
    .slice(mountPrefix.length)
    .replace(/^[^/]*\//, '')
    .replace(/\.js$/, '');
}
