// Which file of the project a URL path of the assembled page stands for.
import { percentDecode } from '../model/percentText.ts';

export const mountPrefix = '/__framework/mounts/';

/** The project file that a URL path of the page stands for, e.g. in the stack of an error. */
export function sourceFileOf(path: string): string {
  const decoded = percentDecode(path);
  if (!decoded.startsWith(mountPrefix)) return decoded.replace(/^\//, '');
  return decoded
    .slice(mountPrefix.length)
    .replace(/^[^/]*\//, '')
    .replace(/\.js$/, '');
}
