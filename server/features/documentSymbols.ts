// The outline of a file as the editor shows it.
import type { DocumentSymbol } from 'vscode-languageserver-types';
import type { SourceFile } from './file.ts';
import { type OutlineItem, outline } from './outline.ts';
import { symbolKind } from './symbolKinds.ts';

/** One composition at the top; nothing for a file without one. */
export function documentSymbols(file: SourceFile): DocumentSymbol[] {
  return outline(file).map(symbolOf);
}

function symbolOf({ what, name, detail, range, selectionRange, children }: OutlineItem): DocumentSymbol {
  return { name, detail, kind: symbolKind(what), range, selectionRange, children: children.map(symbolOf) };
}
