// Document links: sources of hosts, and values of variables that are paths. The HTML language server links `src` and `href`.
import type { DocumentLink } from 'vscode-languageserver-types';
import { filePaths } from '../names/filePaths.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** Links only to existing files. */
export function documentLinks(file: SourceFile): DocumentLink[] {
  return filePaths(file)
    .filter(({ by, target }) => (by === 'host' || by === 'value') && file.project.exists(target) === true)
    .map(({ span, target }) => ({
      range: rangeOf(file, span),
      target: file.uriOf(target),
      tooltip: `Open ${target}`,
    }));
}
