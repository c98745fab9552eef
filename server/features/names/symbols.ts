// Resolves a name to the symbol that it refers to, and finds all references to that symbol in the project.
import { attr } from '../../../renderer-core/model/attributes.ts';
import { touches } from '../../../renderer-core/model/text/spans.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { CompositionReference } from './fileNames.ts';
import { hostKeysIn, namesIn } from './names.ts';
import type { NameReference } from './spelling.ts';

/**
 * A variable, clip or composition. `path`: the file that declares the variable, contains the clip, or has the composition's
 * ID on its root or on an inline composition.
 */
export type NameSymbol = { kind: 'variable' | 'clip' | 'composition'; path: string; id: string };

export type FileReference = { file: SourceFile; reference: NameReference };

/** The symbol whose ID is at an offset. The position after its last character counts. */
export function symbolAt(file: SourceFile, offset: number): { symbol: NameSymbol; reference: NameReference } | null {
  const names = namesIn(file.composition);
  const at = <Reference extends NameReference>(references: readonly Reference[]) =>
    references.find(({ span }) => touches(span, offset));
  const found = (kind: NameSymbol['kind'], reference: NameReference, path = file.path) => ({
    symbol: { kind, path, id: reference.id },
    reference,
  });
  const variable = at(names.variables);
  if (variable) return found('variable', variable);
  for (const { host, keys } of names.hostKeys) {
    const key = at(keys);
    const target = key && file.project.target(file.path, host.src.text);
    if (key && target) return found('variable', key, target);
  }
  const composition = at(names.compositions);
  if (composition) return { symbol: compositionSymbol(file, composition), reference: composition };
  const clips = clipIds(file);
  const start = at(names.starts);
  const element = at([...names.ids, ...names.idUses]) ?? (start && clips.has(start.id) ? start : undefined);
  if (element) return clips.has(element.id) ? found('clip', element) : null;
  const use = at(names.compositionUses) ?? start;
  const holders = use ? compositionsWithId(file, use.id) : [];
  const holder = holders.find(({ host }) => !host) ?? holders[0];
  return use && holder ? { symbol: compositionSymbol(file, holder), reference: use } : null;
}

/** All references to a symbol, file by file, in source order. */
export function findReferences(file: SourceFile, symbol: NameSymbol): FileReference[] {
  const own = symbol.path === file.path ? file : file.fileAt(symbol.path);
  if (!own) return [];
  if (symbol.kind === 'clip') return inOrder(own, clipReferences(own, symbol.id));
  const around = file.project.embeddersOf(symbol.path).filter((path) => path !== symbol.path);
  const files = [own, ...around.flatMap((path) => (path === file.path ? file : file.fileAt(path)) ?? [])];
  return symbol.kind === 'variable'
    ? files.flatMap((each) => inOrder(each, variableReferences(each, symbol)))
    : files.flatMap((each) => inOrder(each, compositionReferences(each, symbol)));
}

function inOrder(file: SourceFile, references: readonly NameReference[]): FileReference[] {
  return [...references].sort((a, b) => a.span.start - b.span.start).map((reference) => ({ file, reference }));
}

function variableReferences(file: SourceFile, { path, id }: NameSymbol): NameReference[] {
  const own = file.path === path ? namesIn(file.composition).variables : [];
  const given = hostKeysIn(file.composition).flatMap(({ host, keys }) => {
    const named = keys.filter((key) => key.id === id);
    return named.length > 0 && file.project.target(file.path, host.src.text) === path ? named : [];
  });
  return [...own.filter((reference) => reference.id === id), ...given];
}

/** The `id` attributes of clips. */
export function clipIds({ composition }: SourceFile): ReadonlySet<string> {
  return new Set(composition.clips.flatMap(({ element }) => element.attributes.get('id')?.value.trim() || []));
}

function clipReferences({ composition }: SourceFile, id: string): NameReference[] {
  const { ids, idUses, starts } = namesIn(composition);
  return [...ids, ...idUses, ...starts].filter((reference) => reference.id === id);
}

/** The elements of a file with this composition ID. */
function compositionsWithId({ composition }: SourceFile, id: string): CompositionReference[] {
  return namesIn(composition).compositions.filter((reference) => reference.id === id);
}

/** A host with the same ID as the embedded composition refers to that composition; other IDs belong to their own file. */
function compositionSymbol(file: SourceFile, { id, host }: CompositionReference): NameSymbol {
  const target = host && file.project.target(file.path, host.src.text);
  const isTargets = target && target !== file.path && file.project.composition(target)?.id?.text === id;
  return { kind: 'composition', path: isTargets ? target : file.path, id };
}

function compositionReferences(file: SourceFile, { path, id }: NameSymbol): NameReference[] {
  // Most embedding files contain no such ID. Checking the text first avoids parsing their scripts.
  if (!file.composition.text.includes(attr.compositionId)) return [];
  const holders = compositionsWithId(file, id);
  const own = holders.filter((reference) => compositionSymbol(file, reference).path === path);
  // If other elements share the ID, references to it may mean those.
  if (own.length === 0 || (own.length < holders.length && file.path !== path)) return own;
  const { compositionUses, starts } = namesIn(file.composition);
  const clips = clipIds(file);
  const uses = [...compositionUses, ...(clips.has(id) ? [] : starts)].filter((reference) => reference.id === id);
  return [...own, ...uses];
}
