// The icons that an editor shows beside variables, clips and compositions.
import { SymbolKind } from 'vscode-languageserver-types';
import type { MediaKind } from '../../renderer-core/model/clips.ts';
import type { VariableType } from '../../renderer-core/model/variables.ts';

const kinds: Record<VariableType | MediaKind | 'host' | 'clip', SymbolKind> = {
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

export function symbolKind(what: VariableType | MediaKind | 'host' | 'clip'): SymbolKind {
  return kinds[what];
}
