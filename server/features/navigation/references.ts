// Find all references to the variable, clip or composition at the cursor.
import type { Location } from 'vscode-languageserver-types';
import { findReferences, symbolAt } from '../names/symbols.ts';
import { locationOf, type SourceFile } from '../sourceFile.ts';

/** Empty if there is no such name at the offset. */
export function references(file: SourceFile, offset: number, withDeclaration: boolean): Location[] {
  const found = symbolAt(file, offset);
  if (!found) return [];
  return findReferences(file, found.symbol)
    .filter(({ reference }) => withDeclaration || !reference.isDeclaration)
    .map(({ file: of, reference }) => locationOf(of, reference.span));
}
