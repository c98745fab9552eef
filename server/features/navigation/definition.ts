// Go to definition: from a name to what declares it, from a path to the file.
import type { LocationLink } from 'vscode-languageserver-types';
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import { type Span, touches } from '../../renderer-core/model/spans.ts';
import { rangeOf, type SourceFile } from './file.ts';
import { filePaths } from './filePaths.ts';
import { type CompositionPlace, namesIn } from './names.ts';
import type { NamePlace } from './spelling.ts';
import { type NameSymbol, symbolAt } from './symbols.ts';

/** Where the name or path at an offset leads; nowhere for anything else. */
export function definition(file: SourceFile, offset: number): LocationLink[] {
  const found = symbolAt(file, offset);
  const own = found && (found.symbol.path === file.path ? file : file.fileAt(found.symbol.path));
  if (found && own) return declared(file, own, found.symbol, found.place);
  return pathAt(file, offset);
}

function declared(file: SourceFile, own: SourceFile, symbol: NameSymbol, from: NamePlace): LocationLink[] {
  const { composition } = own;
  const { variables, ids, compositions } = namesIn(composition);
  const places: readonly (NamePlace & { element?: HtmlElement })[] =
    symbol.kind === 'variable' ? variables : symbol.kind === 'clip' ? ids : compositions;
  const named = places.filter(({ id, isDeclaration }) => isDeclaration && id === symbol.id);
  const place =
    symbol.kind === 'clip' ? sameComposition(file, named, from) : (rootFirst(composition, named) ?? named[0]);
  if (!place) return [];
  const around = place.element?.startTag ?? declarationAround(composition, place.span) ?? place.span;
  return [link(file, from.span, own, around, place.span)];
}

function rootFirst<Place extends { element?: HtmlElement }>({ root }: Composition, places: readonly Place[]) {
  return (
    places.find(({ element }) => element === root) ?? places.find((place) => !(place as Partial<CompositionPlace>).host)
  );
}

/** Of clips with the same id the one in the composition of the reference, as when the timeline is resolved. */
function sameComposition<Place extends { element?: HtmlElement }>(
  { composition: { clips } }: SourceFile,
  named: readonly Place[],
  from: NamePlace,
): Place | undefined {
  const clip = clips.find(({ start }) => start?.kind === 'after' && start.idSpan.start === from.span.start);
  const ownerOf = new Map(clips.map(({ element, owner }) => [element, owner?.element]));
  const timed = named.filter(({ element }) => element && ownerOf.has(element));
  const isSame = ({ element }: Place) => element && clip && ownerOf.get(element) === clip.owner?.element;
  return timed.find(isSame) ?? timed[0] ?? named[0];
}

function declarationAround({ variables }: Composition, { start }: Span): Span | undefined {
  const spans = [
    ...variables.declared.map(({ span }) => span),
    ...variables.rejected.map(({ declarationSpan }) => declarationSpan),
  ];
  return spans.find((span) => touches(span, start));
}

function pathAt(file: SourceFile, offset: number): LocationLink[] {
  const path = filePaths(file).find(({ span }) => touches(span, offset));
  if (!path || file.project.exists(path.target) === false) return [];
  const target = file.fileAt(path.target);
  const root = target?.composition.root;
  if (target && root)
    return [link(file, path.span, target, root.startTag, target.composition.id?.span ?? root.startTag)];
  const start = { line: 0, character: 0 };
  const range = { start, end: start };
  return [
    {
      originSelectionRange: rangeOf(file, path.span),
      targetUri: file.uriOf(path.target),
      targetRange: range,
      targetSelectionRange: range,
    },
  ];
}

function link(file: SourceFile, from: Span, target: SourceFile, around: Span, name: Span): LocationLink {
  return {
    originSelectionRange: rangeOf(file, from),
    targetUri: target.uri,
    targetRange: rangeOf(target, { start: Math.min(around.start, name.start), end: Math.max(around.end, name.end) }),
    targetSelectionRange: rangeOf(target, name),
  };
}
