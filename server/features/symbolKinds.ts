// The icons that an editor shows beside variables, clips and compositions.
import { SymbolKind } from 'vscode-languageserver-types';
import type { OutlineItem } from './outline.ts';

const kinds: Record<OutlineItem['what'], SymbolKind> = {
  composition: SymbolKind.Class,
  variables: SymbolKind.Namespace,
  string: SymbolKind.String,
  number: SymbolKind.Number,
  color: SymbolKind.Constant,
  boolean: SymbolKind.Boolean,
  enum: SymbolKind.Enum,
  video: SymbolKind.File,
  audio: SymbolKind.File,
  image: SymbolKind.File,
  host: SymbolKind.Module,
  clip: SymbolKind.Object,
};

export function symbolKind(what: OutlineItem['what']): SymbolKind {
  return kinds[what];
}
