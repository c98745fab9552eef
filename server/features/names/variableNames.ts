// References to variables in a file's declarations, values, bindings, gradings and scripts.
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { InstanceValues } from '../../../renderer-core/model/instances.ts';
import { isCode } from '../../../renderer-core/model/script/scriptSyntax.ts';
import type { ScriptRead } from '../../../renderer-core/model/script/scriptVariables.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { jsonMember } from '../../../renderer-core/model/text/jsonText.ts';
import { type Span, textOf } from '../../../renderer-core/model/text/spans.ts';
import { passedName } from '../../../renderer-core/model/variables/passedValues.ts';
import { scriptReads } from '../cursorContext.ts';
import { declarationsElement } from '../schemas/jsonAttributes.ts';
import type { FileNames } from './fileNames.ts';
import { attributeReference, insideQuotes, type Layer, type NameReference, textReference } from './spelling.ts';

/** Adds the references that the model contains. codeNames.ts adds those in styles and in strings of scripts. */
export function readVariableNames(composition: Composition, names: FileNames): void {
  const { text, hosts, inlineCompositions, bindings, conditions, gradings, scripts } = composition;
  const { variables } = names;
  readDeclarations(composition, variables);
  for (const { element, values } of inlineCompositions) {
    for (const key of valueKeys(composition, element, values)) variables.push(key);
  }
  for (const { element, values } of [...hosts, ...inlineCompositions]) {
    const layers = jsonLayers(element, attr.variableValues);
    for (const { value, valueSpan } of values?.entries ?? []) {
      const name = passedName(value);
      if (name !== undefined) variables.push(variableReference(text, name, valueSpan, layers));
    }
  }
  for (const { element, kind } of bindings) {
    const reference = attributeReference(text, element, kind === 'text' ? attr.varText : attr.varSrc);
    if (reference) variables.push(reference);
  }
  for (const { element, id } of conditions) {
    const quote = element.attributes.get(attr.varIf)?.quote ?? '';
    variables.push(textReference(id.text, id.span, [{ as: 'attribute', quote }]));
  }
  for (const { element, references } of gradings) {
    const layers = jsonLayers(element, attr.colorGrading);
    for (const { name, span } of references) variables.push(variableReference(text, name, span, layers));
  }
  for (const script of scripts) {
    if (!isCode(script)) continue;
    const { reads, escapes } = scriptReads(script);
    for (const read of reads) variables.push(scriptReference(text, read));
    if (escapes) names.hasDynamicReads = true;
  }
}

/** Includes unused declarations: a duplicate must not become effective when the first one is renamed. */
function readDeclarations(composition: Composition, variables: NameReference[]): void {
  const element = declarationsElement(composition);
  const list = composition.variables.json?.root;
  if (!element || list?.kind !== 'array') return;
  const layers = jsonLayers(element, attr.compositionVariables);
  for (const item of list.items) {
    const id = jsonMember(item, 'id')?.value;
    if (id?.kind !== 'string') continue;
    variables.push({
      ...textReference(id.value, insideQuotes(composition.text, id.span), layers),
      isDeclaration: true,
    });
  }
}

/** The keys of a `data-variable-values` attribute. */
export function valueKeys({ text }: Composition, element: HtmlElement, values: InstanceValues | null): NameReference[] {
  const layers = jsonLayers(element, attr.variableValues);
  return (values?.entries ?? []).map(({ id, keySpan }) => textReference(id, insideQuotes(text, keySpan), layers));
}

function jsonLayers(element: HtmlElement, name: string): Layer[] {
  return [{ as: 'json' }, { as: 'attribute', quote: element.attributes.get(name)?.quote ?? '' }];
}

/** The name in `$name`. If it is written with escapes, the span covers the whole reference. */
function variableReference(text: string, id: string, span: Span, layers: Layer[]): NameReference {
  const whole = insideQuotes(text, span);
  const written = textOf(text, whole);
  const at = written.indexOf(id);
  const inside = at < 0 ? whole : { start: whole.start + at, end: whole.start + at + id.length };
  const hasBraces = at > 0 && written.slice(0, at).includes('{');
  return { id, span: inside, spelling: { kind: 'reference', layers, whole, hasBraces }, isDeclaration: false };
}

function scriptReference(text: string, { id, span, isShorthand }: ScriptRead): NameReference {
  const quote = text[span.start - 1];
  if (!isShorthand && (quote === '"' || quote === "'")) return textReference(id, span, [{ as: 'script-text', quote }]);
  const isMember = /\.\s*$/.test(text.slice(Math.max(0, span.start - 20), span.start));
  const form = isShorthand ? 'shorthand' : isMember ? 'member' : 'key';
  return { id, span, spelling: { kind: 'property', form }, isDeclaration: false };
}
