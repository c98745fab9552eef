// Rename: a variable, clip or composition gets another id in every place of the project that writes it, or in none.
import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { parseNumber } from '../../renderer-core/model/fields.ts';
import { lineAndColumn, type Span } from '../../renderer-core/model/spans.ts';
import { reservedId } from '../../renderer-core/model/values.ts';
import { sheetNames } from './cssNames.ts';
import { rangeOf, type SourceFile } from './file.ts';
import { givenIn, namesIn } from './names.ts';
import { respell } from './spelling.ts';
import { type NameSymbol, type Occurrence, occurrences, symbolAt } from './symbols.ts';

/** What would be renamed at an offset; null where there is no id, or one that nothing declares. */
export function prepareRename(file: SourceFile, offset: number): { range: Range; placeholder: string } | null {
  const found = symbolAt(file, offset);
  if (!found || !occurrences(file, found.symbol).some(({ place }) => place.isDeclaration)) return null;
  return { range: rangeOf(file, found.place.span), placeholder: found.symbol.id };
}

/** The edits of a rename; a `problem` says why it cannot be done, because half of one would break the video. */
export function rename(file: SourceFile, offset: number, newName: string): WorkspaceEdit | { problem: string } {
  const found = symbolAt(file, offset);
  const places = found ? occurrences(file, found.symbol) : [];
  if (!found || !places.some(({ place }) => place.isDeclaration)) return { problem: 'There is no id to rename here.' };
  const id = newName.trim();
  if (id === found.symbol.id) return { changes: {} };
  const problem = whatIsWrong(found.symbol, id, places);
  if (problem) return { problem };
  const changes: Record<string, TextEdit[]> = {};
  for (const { file: of, place } of places) {
    const edit = respell(of.composition.text, place, id);
    if (!edit) return { problem: `"${id}" cannot be written at ${where(of, place.span)}.` };
    changes[of.uri] ??= [];
    changes[of.uri]?.push({ range: rangeOf(of, edit.span), newText: edit.text });
  }
  return { changes };
}

/** A place for people: `cards/intro.html, line 3`. */
function where({ path, composition }: SourceFile, span: Span): string {
  return `${path}, line ${lineAndColumn(composition.text, span.start).line}`;
}

function whatIsWrong(symbol: NameSymbol, id: string, places: readonly Occurrence[]): string | undefined {
  if (id === '') return 'An id cannot be empty.';
  if (/\p{Cc}|\p{Surrogate}/u.test(id)) return 'An id cannot contain control characters.';
  if (symbol.kind === 'variable') return wrongVariable(symbol, id, places);
  if (/\s/.test(id)) return `"${id}" cannot be an id here, because it contains white space.`;
  if (id.includes('+') || parseNumber(id) !== null) {
    return `"${id}" cannot be an id here: as a start it would be read as a calculation or a number of seconds.`;
  }
  return symbol.kind === 'clip' ? wrongClip(symbol, id, places) : wrongComposition(id, places);
}

function wrongVariable(symbol: NameSymbol, id: string, places: readonly Occurrence[]): string | undefined {
  if (id === reservedId) return `"${id}" cannot be the id of a variable.`;
  const own = places.find(({ file }) => file.path === symbol.path)?.file;
  const others = own ? namesIn(own.composition).variables.filter((place) => place.id === id) : [];
  const declared = others.find((place) => place.isDeclaration);
  if (own && declared) return `"${id}" is already declared in ${where(own, declared.span)}.`;
  const inline = others.find(({ spelling }) => spelling.kind === 'text' && spelling.layers[0]?.as === 'json');
  if (own && inline) return `${where(own, inline.span)} already gives "${id}" a value.`;
  for (const { file } of new Map(places.map((place) => [place.file.path, place])).values()) {
    for (const { host, keys } of givenIn(file.composition)) {
      const taken = keys.find((key) => key.id === id);
      if (!taken || !keys.some((key) => key.id === symbol.id)) continue;
      if (file.project.target(file.path, host.src.text) === symbol.path) {
        return `${where(file, taken.span)} already gives "${id}" a value.`;
      }
    }
  }
  const inReference = places.find(({ place }) => place.spelling.kind === 'reference');
  if (inReference && /[{}]/.test(id)) {
    return `"${id}" cannot stand in the $reference in ${where(inReference.file, inReference.place.span)}; leave the braces out.`;
  }
  return own && (hiddenRead(own, symbol, places) ?? wrongProperty(own, id, places));
}

/** Where a script passes the values on, any string in it may be the id of a variable. */
function hiddenRead(own: SourceFile, symbol: NameSymbol, places: readonly Occurrence[]): string | undefined {
  const { scripts, readsAnything } = namesIn(own.composition);
  if (!readsAnything) return undefined;
  const seen = new Set(places.flatMap(({ file, place }) => (file.path === own.path ? place.span.start : [])));
  const maybe = scripts.texts.find(({ value, span }) => value === symbol.id && !seen.has(span.start));
  return maybe
    ? `The script in ${where(own, maybe.span)} may read the variable by the text "${symbol.id}"; rename it by hand there first.`
    : undefined;
}

/** Styles know a variable as a custom property, whose name may not have any sign in it, and may be taken. */
function wrongProperty(own: SourceFile, id: string, places: readonly Occurrence[]): string | undefined {
  const read = places.find(
    ({ place: { spelling } }) =>
      spelling.kind === 'text' && spelling.layers.some((layer) => layer.as === 'css-name' && !layer.isStart),
  );
  if (read && !/^[\w-]+$/.test(id)) {
    return `The style in ${where(read.file, read.place.span)} reads this variable; an id with anything but letters, digits, - and _ does not reach it.`;
  }
  for (const { text, span } of own.composition.styles) {
    if (!text.includes(`--${id}`)) continue;
    const taken = sheetNames(text).find(({ kind, name }) => kind === 'property' && name === id);
    if (taken) {
      const place = { start: span.start + taken.span.start, end: span.start + taken.span.end };
      return `The style in ${where(own, place)} has a custom property --${id} of its own.`;
    }
  }
  return undefined;
}

function wrongClip(symbol: NameSymbol, id: string, places: readonly Occurrence[]): string | undefined {
  const file = places[0]?.file;
  if (!file) return undefined;
  const names = namesIn(file.composition);
  const holders = names.ids.filter((place) => place.id === symbol.id);
  const [first, second] = holders;
  if (second)
    return `Another element has the id "${symbol.id}" too, in ${where(file, second.span)}; make it unique first.`;
  const taken = [...names.ids, ...names.compositions].find(
    (place) => place.id === id && place.element !== first?.element,
  );
  if (taken) return `"${id}" is already the id of another element, in ${where(file, taken.span)}.`;
  // Where elements are looked up by ids that are put together, any string may be one.
  const { texts, looksUpAnything } = names.scripts;
  const maybe = looksUpAnything && texts.find(({ value, use }) => use === 'text' && value === symbol.id);
  return maybe
    ? `The script in ${where(file, maybe.span)} may look the clip up by the text "${symbol.id}"; rename it by hand there first.`
    : undefined;
}

function wrongComposition(id: string, places: readonly Occurrence[]): string | undefined {
  const own = new Set(places.flatMap(({ place }) => ('element' in place ? [place.element] : [])));
  for (const { file } of new Map(places.map((place) => [place.file.path, place])).values()) {
    const names = namesIn(file.composition);
    const timed = new Set(file.composition.clips.map(({ element }) => element));
    const taken =
      names.compositions.find((place) => place.id === id && !own.has(place.element)) ??
      names.ids.find((place) => place.id === id && timed.has(place.element) && !own.has(place.element));
    if (taken) return `"${id}" is already taken in ${where(file, taken.span)}.`;
    const { texts, registersAnything } = names.scripts;
    const old = places[0]?.place.id;
    const maybe = registersAnything && texts.find(({ value, use }) => use === 'text' && value === old);
    if (maybe) {
      return `The script in ${where(file, maybe.span)} may register the timeline by the text "${old}"; rename it by hand there first.`;
    }
  }
  return undefined;
}
