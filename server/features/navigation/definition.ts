// Go to definition: from a reference to its declaration, from a path to the file.
import type { LocationLink } from 'vscode-languageserver-types';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { type Span, touches } from '../../../renderer-core/model/text/spans.ts';
import type { CompositionReference } from '../names/fileNames.ts';
import { filePaths } from '../names/filePaths.ts';
import { namesIn } from '../names/names.ts';
import type { NameReference } from '../names/spelling.ts';
import { type NameSymbol, symbolAt } from '../names/symbols.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** Empty if there is no name or path at the offset. */
export function definition(file: SourceFile, offset: number): LocationLink[] {
  const found = symbolAt(file, offset);
  const own = found && (found.symbol.path === file.path ? file : file.fileAt(found.symbol.path));
  if (found && own) return declared(file, own, found.symbol, found.reference);
  return pathAt(file, offset);
}

function declared(file: SourceFile, own: SourceFile, symbol: NameSymbol, from: NameReference): LocationLink[] {
  const { composition } = own;
  const { variables, ids, compositions } = namesIn(composition);
  const references: readonly (NameReference & { element?: HtmlElement })[] =
    symbol.kind === 'variable' ? variables : symbol.kind === 'clip' ? ids : compositions;
  const named = references.filter(({ id, isDeclaration }) => isDeclaration && id === symbol.id);
  const reference =
    symbol.kind === 'clip' ? sameComposition(file, named, from) : (rootFirst(composition, named) ?? named[0]);
  if (!reference) return [];
  const around = reference.element?.startTag ?? declarationAround(composition, reference.span) ?? reference.span;
  return [link(file, from.span, own, around, reference.span)];
}

function rootFirst<Reference extends { element?: HtmlElement }>(
  { root }: Composition,
  references: readonly Reference[],
) {
  return (
    references.find(({ element }) => element === root) ??
    references.find((reference) => !(reference as Partial<CompositionReference>).host)
  );
}

/** Among clips with the same ID, the one in the composition of the reference, as in the resolution of the timeline. */
function sameComposition<Reference extends { element?: HtmlElement }>(
  { composition: { clips } }: SourceFile,
  named: readonly Reference[],
  from: NameReference,
): Reference | undefined {
  const clip = clips.find(({ start }) => start?.kind === 'after' && start.idSpan.start === from.span.start);
  const ownerOf = new Map(clips.map(({ element, owner }) => [element, owner?.element]));
  const timed = named.filter(({ element }) => element && ownerOf.has(element));
  const isSame = ({ element }: Reference) => element && clip && ownerOf.get(element) === clip.owner?.element;
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
