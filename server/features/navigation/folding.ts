// Folding inside JSON attributes: arrays and objects of more than one line. The HTML server folds the elements.
import type { FoldingRange } from 'vscode-languageserver-types';
import type { SourceFile } from './file.ts';
import { jsonAttributes, jsonNodes } from './jsonAttributes.ts';

/** The line of the closing bracket stays in sight. */
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
