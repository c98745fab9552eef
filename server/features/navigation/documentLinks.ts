// Links to follow: sources of hosts, and values of variables that name files. The HTML server links `src` and `href`.
import type { DocumentLink } from 'vscode-languageserver-types';
import { rangeOf, type SourceFile } from './file.ts';
import { filePaths } from './filePaths.ts';

/** Only to files that are there. */
export function documentLinks(file: SourceFile): DocumentLink[] {
  return filePaths(file)
    .filter(({ by, target }) => (by === 'host' || by === 'value') && file.project.exists(target) === true)
    .map(({ span, target }) => ({ range: rangeOf(file, span), target: file.uriOf(target), tooltip: `Open ${target}` }));
}
