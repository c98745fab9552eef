// Maps URL paths and lines of the assembled page to project files.
import { percentDecode } from '../../model/text/percentText.ts';
import { type LineShift, originalLine, originalPosition, type TextShift } from './textEdits.ts';

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

/** The line in the file for a line at the URL path `path`. `shifts` are those of the page of the composition `entry`. */
export function sourceLine(path: string, line: number, entry: string, shifts: readonly LineShift[]): number {
  // The first line of a mount's script is generated.
  if (percentDecode(path).startsWith(mountPrefix)) return Math.max(1, line - 1);
  return sourceFileOf(path) === entry ? originalLine(line, shifts) : line;
}

/** The same for a line and a column. */
export function sourcePosition(
  path: string,
  { line, column }: { line: number; column: number },
  entry: string,
  shifts: readonly TextShift[],
): { line: number; column: number } {
  return sourceFileOf(path) === entry && !percentDecode(path).startsWith(mountPrefix)
    ? originalPosition({ line, column }, shifts)
    : { line: sourceLine(path, line, entry, []), column };
}
