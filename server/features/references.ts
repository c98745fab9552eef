// Find all references: every place of the project that writes the id at the cursor.
import type { Location } from 'vscode-languageserver-types';
import { locationOf, type SourceFile } from './file.ts';
import { occurrences, symbolAt } from './symbols.ts';

/** Places of the variable, clip or composition at an offset, file by file; none where there is no such name. */
export function references(file: SourceFile, offset: number, withDeclaration: boolean): Location[] {
  const found = symbolAt(file, offset);
  if (!found) return [];
  return occurrences(file, found.symbol)
    .filter(({ place }) => withDeclaration || !place.isDeclaration)
    .map(({ file: of, place }) => locationOf(of, place.span));
}
