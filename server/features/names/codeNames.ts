// References to variables, elements and compositions in a file's styles and in the strings of its scripts.
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { type CssName, selectorNames, sheetNames, valueNames } from './cssNames.ts';
import type { FileNames } from './fileNames.ts';
import { partOfText, type ScriptText } from './scriptNames.ts';
import { type Layer, type NameReference, textReference } from './spelling.ts';

/** Adds the references in `<style>` elements. */
export function readStyleNames(composition: Composition, names: FileNames): void {
  for (const { text, span } of composition.styles) {
    const toSpan = ({ start, end }: Span) => ({ start: span.start + start, end: span.start + end });
    addStyleNames(composition, sheetNames(text), names, [], toSpan);
  }
}

/** Adds the references in strings of scripts, and the timelines that scripts register. */
export function readScriptNames(composition: Composition, names: FileNames): void {
  for (const { id, span, form } of names.scripts.timelines) {
    names.compositionUses.push({ id, span, spelling: { kind: 'property', form }, isDeclaration: false });
  }
  for (const text of names.scripts.texts) {
    const { value, span, quote, use } = text;
    const layer: Layer = { as: 'script-text', quote };
    if (use === 'id') names.idUses.push(textReference(value, span, [layer]));
    else if (use === 'timeline') names.compositionUses.push(textReference(value, span, [layer]));
    else {
      const toSpan = (part: Span) => partOfText(composition.text, text, part);
      addStyleNames(composition, namesInText(text), names, [layer], toSpan);
    }
  }
}

/**
 * Adds the names in a style sheet or selector.
 * @param around the layers that its text is written in
 * @param toSpan maps a part of its text to the file
 */
export function addStyleNames(
  composition: Composition,
  found: readonly CssName[],
  names: FileNames,
  around: readonly Layer[],
  toSpan: (span: Span) => Span,
): void {
  for (const one of found) {
    listFor(composition, one, names)?.push(textReference(one.name, toSpan(one.span), [layerOf(one), ...around]));
  }
}

function listFor({ declarations }: Composition, name: CssName, names: FileNames): NameReference[] | undefined {
  // Most custom properties are not variables.
  const variables = declarations.some(({ id }) => id === name.name) ? names.variables : undefined;
  if (name.kind === 'property') return variables;
  if (name.kind === 'id') return names.idUses;
  if (name.attribute === 'id') return names.idUses;
  if (name.attribute === attr.compositionId) return names.compositionUses;
  return name.attribute === attr.varText || name.attribute === attr.varSrc ? variables : undefined;
}

function layerOf(name: CssName): Layer {
  if (name.kind === 'attribute' && name.quote !== '') return { as: 'css-text', quote: name.quote };
  return { as: 'css-name', isStart: name.kind !== 'property' };
}

const color = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const selectorLike = /^[\w\u0080-\uFFFF\s#.>+~,:()[\]="'*^$|-]*$/;

/** A string that could be a selector is treated as one unless it could be a color; `--name` alone is a custom property. */
function namesInText({ value, use }: ScriptText): CssName[] {
  if (use === 'selector') return selectorNames(value);
  if (/^--[\w-]+$/.test(value)) {
    return [{ kind: 'property', name: value.slice(2), span: { start: 2, end: value.length } }];
  }
  const plain = value.replaceAll(/\\[\s\S]/g, '');
  const isSelector = use === 'text' && /[#[]/.test(value) && selectorLike.test(plain) && !color.test(value);
  return isSelector ? selectorNames(value) : valueNames(value).filter(({ kind }) => kind === 'property');
}
