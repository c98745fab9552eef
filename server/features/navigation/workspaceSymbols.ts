// Workspace symbols: compositions, variables and clips by name.
import { SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver-types';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { locationOf, type SourceFile } from '../sourceFile.ts';
import { symbolKind } from './outline.ts';

/** Limits the list; editors request it again while the user types. */
const maxResults = 1000;

/** Names that contain the letters of `query` in order, best first; all names for an empty query. */
export function workspaceSymbols(files: readonly SourceFile[], query: string): WorkspaceSymbol[] {
  const wanted = query.replaceAll(/\s/g, '').toLowerCase();
  const found: { symbol: WorkspaceSymbol; distance: number }[] = [];
  for (const file of files) {
    const { composition, path } = file;
    const add = (name: string, kind: SymbolKind, span: Span, containerName: string) => {
      const distance = matchDistance(wanted, name.toLowerCase());
      if (distance === undefined) return;
      found.push({ symbol: { name, kind, location: locationOf(file, span), containerName }, distance });
    };
    const { id, root, inlineCompositions, variables, clips } = composition;
    const own = id?.text ? `${id.text} (${path})` : path;
    if (root) add(id?.text || path, SymbolKind.Class, id?.span ?? root.startTag, path);
    for (const inline of inlineCompositions)
      if (inline.id.text) add(inline.id.text, SymbolKind.Class, inline.id.span, own);
    for (const { declaration, idSpan } of variables.declared) {
      add(declaration.id, symbolKind(declaration.type), idSpan, own);
    }
    for (const clip of clips) {
      const name = clip.ids[0];
      if (name !== undefined && !(clip.isComposition && !clip.isHost)) {
        add(name, symbolKind(clip.isHost ? 'host' : (clip.media ?? 'clip')), clip.element.startTag, own);
      }
    }
  }
  found.sort(
    (a, b) => a.distance - b.distance || (a.symbol.name < b.symbol.name ? -1 : a.symbol.name > b.symbol.name ? 1 : 0),
  );
  return found.slice(0, maxResults).map(({ symbol }) => symbol);
}

/** The distance of a name from a query, both in lower case; undefined if it does not contain the letters in order. */
function matchDistance(query: string, name: string): number | undefined {
  let at = -1;
  let gaps = 0;
  for (const letter of query) {
    const next = name.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    gaps += next - at - 1;
    at = next;
  }
  // Adjacent letters, then short names, are the most likely matches.
  return gaps * 100 + name.length;
}
