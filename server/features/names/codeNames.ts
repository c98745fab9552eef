// The ids of variables, elements and compositions in a file's styles and in the strings of its scripts.
import { attr } from '../../renderer-core/model/attributes.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import { type CssName, selectorNames, sheetNames, valueNames } from './cssNames.ts';
import type { FileNames } from './names.ts';
import { partOfText, type ScriptText } from './scriptNames.ts';
import { type Layer, type NamePlace, textPlace } from './spelling.ts';

/** Adds the places in `<style>` elements. */
export function readStyleNames(composition: Composition, names: FileNames): void {
  for (const { text, span } of composition.styles) {
    const place = ({ start, end }: Span) => ({ start: span.start + start, end: span.start + end });
    addStyleNames(composition, sheetNames(text), names, [], place);
  }
}

/** Adds the places in strings of scripts, and the timelines that scripts name. */
export function readScriptNames(composition: Composition, names: FileNames): void {
  for (const { id, span, form } of names.scripts.timelines) {
    names.compositionUses.push({ id, span, spelling: { kind: 'property', form }, isDeclaration: false });
  }
  for (const text of names.scripts.texts) {
    const { value, span, quote, use } = text;
    const layer: Layer = { as: 'script-text', quote };
    if (use === 'id') names.idUses.push(textPlace(value, span, [layer]));
    else if (use === 'timeline') names.compositionUses.push(textPlace(value, span, [layer]));
    else {
      const place = (part: Span) => partOfText(composition.text, text, part);
      addStyleNames(composition, namesInText(text), names, [layer], place);
    }
  }
}

/** Adds names of a style or selector. `around` is what its text is written in, `place` where a part of it stands. */
export function addStyleNames(
  composition: Composition,
  found: readonly CssName[],
  names: FileNames,
  around: readonly Layer[],
  place: (span: Span) => Span,
): void {
  for (const one of found) {
    listFor(composition, one, names)?.push(textPlace(one.name, place(one.span), [layerOf(one), ...around]));
  }
}

function listFor({ declarations }: Composition, name: CssName, names: FileNames): NamePlace[] | undefined {
  // Most custom properties are the author's own.
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

const colour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const selectorLike = /^[\w\u0080-\uFFFF\s#.>+~,:()[\]="'*^$|-]*$/;

/** A string that could be a selector is one, unless it could also be a colour; `--name` alone is a custom property. */
function namesInText({ value, use }: ScriptText): CssName[] {
  if (use === 'selector') return selectorNames(value);
  if (/^--[\w-]+$/.test(value)) {
    return [{ kind: 'property', name: value.slice(2), span: { start: 2, end: value.length } }];
  }
  const plain = value.replaceAll(/\\[\s\S]/g, '');
  const isSelector = use === 'text' && /[#[]/.test(value) && selectorLike.test(plain) && !colour.test(value);
  return isSelector ? selectorNames(value) : valueNames(value).filter(({ kind }) => kind === 'property');
}
