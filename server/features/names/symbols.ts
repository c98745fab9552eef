// What the name at a place stands for, and every other place of the project that means the same.
import { attr } from '../../renderer-core/model/attributes.ts';
import { touches } from '../../renderer-core/model/spans.ts';
import type { SourceFile } from './file.ts';
import { type CompositionPlace, givenIn, namesIn } from './names.ts';
import type { NamePlace } from './spelling.ts';

/**
 * A variable, clip or composition. `path` is the file that it belongs to: the one that declares the variable, that has the
 * clip, or whose root (or inline composition) has the id.
 */
export type NameSymbol = { kind: 'variable' | 'clip' | 'composition'; path: string; id: string };

export type Occurrence = { file: SourceFile; place: NamePlace };

/** The symbol whose id stands at an offset; the place behind its last character counts. */
export function symbolAt(file: SourceFile, offset: number): { symbol: NameSymbol; place: NamePlace } | null {
  const names = namesIn(file.composition);
  const at = <Place extends NamePlace>(places: readonly Place[]) => places.find(({ span }) => touches(span, offset));
  const found = (kind: NameSymbol['kind'], place: NamePlace, path = file.path) => ({
    symbol: { kind, path, id: place.id },
    place,
  });
  const variable = at(names.variables);
  if (variable) return found('variable', variable);
  for (const { host, keys } of names.given) {
    const key = at(keys);
    const target = key && file.project.target(file.path, host.src.text);
    if (key && target) return found('variable', key, target);
  }
  const composition = at(names.compositions);
  if (composition) return { symbol: symbolOfHolder(file, composition), place: composition };
  const clips = clipIds(file);
  const start = at(names.starts);
  const element = at([...names.ids, ...names.idUses]) ?? (start && clips.has(start.id) ? start : undefined);
  if (element) return clips.has(element.id) ? found('clip', element) : null;
  const use = at(names.compositionUses) ?? start;
  const holders = use ? holdersOf(file, use.id) : [];
  const holder = holders.find(({ host }) => !host) ?? holders[0];
  return use && holder ? { symbol: symbolOfHolder(file, holder), place: use } : null;
}

/** Every place that writes the symbol's id, file by file, each file's in the order they stand. */
export function occurrences(file: SourceFile, symbol: NameSymbol): Occurrence[] {
  const own = symbol.path === file.path ? file : file.fileAt(symbol.path);
  if (!own) return [];
  if (symbol.kind === 'clip') return inOrder(own, clipPlaces(own, symbol.id));
  const around = file.project.embeddersOf(symbol.path).filter((path) => path !== symbol.path);
  const files = [own, ...around.flatMap((path) => (path === file.path ? file : file.fileAt(path)) ?? [])];
  return symbol.kind === 'variable'
    ? files.flatMap((each) => inOrder(each, variablePlaces(each, symbol)))
    : files.flatMap((each) => inOrder(each, compositionPlaces(each, symbol)));
}

function inOrder(file: SourceFile, places: readonly NamePlace[]): Occurrence[] {
  return [...places].sort((a, b) => a.span.start - b.span.start).map((place) => ({ file, place }));
}

function variablePlaces(file: SourceFile, { path, id }: NameSymbol): NamePlace[] {
  const own = file.path === path ? namesIn(file.composition).variables : [];
  const given = givenIn(file.composition).flatMap(({ host, keys }) => {
    const named = keys.filter((key) => key.id === id);
    return named.length > 0 && file.project.target(file.path, host.src.text) === path ? named : [];
  });
  return [...own.filter((place) => place.id === id), ...given];
}

/** The `id` attributes of clips. */
export function clipIds({ composition }: SourceFile): ReadonlySet<string> {
  return new Set(composition.clips.flatMap(({ element }) => element.attributes.get('id')?.value.trim() || []));
}

function clipPlaces({ composition }: SourceFile, id: string): NamePlace[] {
  const { ids, idUses, starts } = namesIn(composition);
  return [...ids, ...idUses, ...starts].filter((place) => place.id === id);
}

/** The elements of a file that have a composition id. */
function holdersOf({ composition }: SourceFile, id: string): CompositionPlace[] {
  return namesIn(composition).compositions.filter((place) => place.id === id);
}

/** A host that repeats the id of what it embeds means that composition; every other id belongs to its own file. */
function symbolOfHolder(file: SourceFile, { id, host }: CompositionPlace): NameSymbol {
  const target = host && file.project.target(file.path, host.src.text);
  const isTargets = target && target !== file.path && file.project.composition(target)?.id?.text === id;
  return { kind: 'composition', path: isTargets ? target : file.path, id };
}

function compositionPlaces(file: SourceFile, { path, id }: NameSymbol): NamePlace[] {
  // Most embedders write no such id: a look at the text saves reading their scripts.
  if (!file.composition.text.includes(attr.compositionId)) return [];
  const holders = holdersOf(file, id);
  const own = holders.filter((place) => symbolOfHolder(file, place).path === path);
  // What names an id that other elements share may mean those.
  if (own.length === 0 || (own.length < holders.length && file.path !== path)) return own;
  const { compositionUses, starts } = namesIn(file.composition);
  const clips = clipIds(file);
  const uses = [...compositionUses, ...(clips.has(id) ? [] : starts)].filter((place) => place.id === id);
  return [...own, ...uses];
}
