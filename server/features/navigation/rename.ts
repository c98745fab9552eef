// Rename of a variable, clip or composition: replaces its ID in all references of the project, or in none.
import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { parseNumber } from '../../../renderer-core/model/variables/fields.ts';
import { hostKeysIn, namesIn } from '../names/names.ts';
import { respell } from '../names/spelling.ts';
import { type FileReference, findReferences, type NameSymbol, symbolAt } from '../names/symbols.ts';
import { idProblem, takenCustomProperty, variableIdProblem, where } from '../names/variableIds.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** The ID at an offset; null if there is none or it is not declared. */
export function prepareRename(file: SourceFile, offset: number): { range: Range; placeholder: string } | null {
  const found = symbolAt(file, offset);
  if (!found || !findReferences(file, found.symbol).some(({ reference }) => reference.isDeclaration)) return null;
  return { range: rangeOf(file, found.reference.span), placeholder: found.symbol.id };
}

/** The edits, or the `problem` that prevents the rename. A partial rename would break the video. */
export function rename(file: SourceFile, offset: number, newName: string): WorkspaceEdit | { problem: string } {
  const found = symbolAt(file, offset);
  const references = found ? findReferences(file, found.symbol) : [];
  if (!found || !references.some(({ reference }) => reference.isDeclaration))
    return { problem: 'There is no ID to rename here.' };
  const id = newName.trim();
  if (id === found.symbol.id) return { changes: {} };
  const problem = renameProblem(found.symbol, id, references) ?? encodingProblem(references);
  if (problem) return { problem };
  const changes: Record<string, TextEdit[]> = {};
  for (const { file: of, reference } of references) {
    const edit = respell(of.composition.text, reference, id);
    if (!edit) return { problem: `"${id}" cannot be written in ${where(of, reference.span)}.` };
    changes[of.uri] ??= [];
    changes[of.uri]?.push({ range: rangeOf(of, edit.span), newText: edit.text });
  }
  return { changes };
}

/** Editors open a file as UTF-8 unless they are told otherwise, and would save other letters than it has. */
function encodingProblem(references: readonly FileReference[]): string | undefined {
  for (const { file } of references) {
    const { composition, path, project } = file;
    const encoding = project.encoding(path)?.encoding ?? 'utf-8';
    const isOther = !encoding.startsWith('utf-') && /[^\0-\x7f]/.test(composition.text);
    if (isOther || composition.text.includes('\uFFFD'))
      return `${path} is not UTF-8, and the editor would lose letters of it. Save it as UTF-8, or open it with its encoding.`;
  }
  return undefined;
}

function renameProblem(symbol: NameSymbol, id: string, references: readonly FileReference[]): string | undefined {
  const problem = idProblem(id);
  if (problem !== undefined) return problem;
  if (symbol.kind === 'variable') return variableProblem(symbol, id, references);
  if (/\s/.test(id)) return `The ID must not contain white space (got "${id}").`;
  if (id.includes('+') || parseNumber(id) !== null) {
    return `The ID must not be a number or contain "+": data-start would read "${id}" as a time.`;
  }
  return symbol.kind === 'clip' ? clipProblem(symbol, id, references) : compositionProblem(id, references);
}

function variableProblem(symbol: NameSymbol, id: string, references: readonly FileReference[]): string | undefined {
  const own = references.find(({ file }) => file.path === symbol.path)?.file;
  const problem = variableIdProblem(own, id);
  if (problem !== undefined) return problem;
  const others = own ? namesIn(own.composition).variables.filter((reference) => reference.id === id) : [];
  const inline = others.find(({ spelling }) => spelling.kind === 'text' && spelling.layers[0]?.as === 'json');
  if (own && inline) return `${where(own, inline.span)} already gives "${id}" a value.`;
  for (const { file } of new Map(references.map((reference) => [reference.file.path, reference])).values()) {
    for (const { host, keys } of hostKeysIn(file.composition)) {
      const taken = keys.find((key) => key.id === id);
      if (!taken || !keys.some((key) => key.id === symbol.id)) continue;
      if (file.project.target(file.path, host.src.text) === symbol.path) {
        return `${where(file, taken.span)} already gives "${id}" a value.`;
      }
    }
  }
  return own && (dynamicRead(own, symbol, references) ?? takenCustomProperty(own, id, true));
}

/** If a script passes the values on, any of its strings may be the ID of a variable. */
function dynamicRead(own: SourceFile, symbol: NameSymbol, references: readonly FileReference[]): string | undefined {
  const { scripts, hasDynamicReads } = namesIn(own.composition);
  if (!hasDynamicReads) return undefined;
  const seen = new Set(
    references.flatMap(({ file, reference }) => (file.path === own.path ? reference.span.start : [])),
  );
  const maybe = scripts.texts.find(({ value, span }) => value === symbol.id && !seen.has(span.start));
  return maybe
    ? `The script in ${where(own, maybe.span)} may read the variable through the string "${symbol.id}"; rename it there first.`
    : undefined;
}

function clipProblem(symbol: NameSymbol, id: string, references: readonly FileReference[]): string | undefined {
  const file = references[0]?.file;
  if (!file) return undefined;
  const names = namesIn(file.composition);
  const holders = names.ids.filter((reference) => reference.id === symbol.id);
  const [first, second] = holders;
  if (second)
    return `Another element has the same ID "${symbol.id}", in ${where(file, second.span)}; make the IDs unique first.`;
  const taken = [...names.ids, ...names.compositions].find(
    (reference) => reference.id === id && reference.element !== first?.element,
  );
  if (taken) return `"${id}" is already the ID of another element, in ${where(file, taken.span)}.`;
  // If elements are looked up by computed IDs, any string may be one.
  const { texts, hasDynamicLookups } = names.scripts;
  const maybe = hasDynamicLookups && texts.find(({ value, use }) => use === 'text' && value === symbol.id);
  return maybe
    ? `The script in ${where(file, maybe.span)} may look up the clip through the string "${symbol.id}"; rename it there first.`
    : undefined;
}

function compositionProblem(id: string, references: readonly FileReference[]): string | undefined {
  const own = new Set(references.flatMap(({ reference }) => ('element' in reference ? [reference.element] : [])));
  for (const { file } of new Map(references.map((reference) => [reference.file.path, reference])).values()) {
    const names = namesIn(file.composition);
    const timed = new Set(file.composition.clips.map(({ element }) => element));
    const taken =
      names.compositions.find((reference) => reference.id === id && !own.has(reference.element)) ??
      names.ids.find((reference) => reference.id === id && timed.has(reference.element) && !own.has(reference.element));
    if (taken) return `"${id}" is already in use in ${where(file, taken.span)}.`;
    const { texts, hasDynamicRegistrations } = names.scripts;
    const old = references[0]?.reference.id;
    const maybe = hasDynamicRegistrations && texts.find(({ value, use }) => use === 'text' && value === old);
    if (maybe) {
      return `The script in ${where(file, maybe.span)} may register the timeline through the string "${old ?? ''}"; rename it there first.`;
    }
  }
  return undefined;
}
