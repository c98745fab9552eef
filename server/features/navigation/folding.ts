// Folding of arrays and objects inside JSON attributes. The HTML language server folds elements.
import type { FoldingRange } from 'vscode-languageserver-types';
import { jsonAttributes, jsonNodes } from '../schemas/jsonAttributes.ts';
import type { SourceFile } from '../sourceFile.ts';

/** The line with the closing bracket stays visible. */
export function foldingRanges({ composition, document }: SourceFile): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  for (const { root } of jsonAttributes(composition)) {
    for (const { kind, span } of root ? jsonNodes(root) : []) {
      if (kind !== 'array' && kind !== 'object') continue;
      const startLine = document.positionAt(span.start).line;
      const endLine = document.positionAt(span.end).line - 1;
      if (endLine > startLine) ranges.push({ startLine, endLine });
    }
  }
  return ranges;
}
