// Rules for the declarations of variables: what makes one unusable, what is missing, what does not fit together.
import { attr } from '../model/attributes.ts';
import { type JsonNode, jsonMember, jsonValue } from '../model/jsonText.ts';
import type { Span } from '../model/spans.ts';
import { nearestName } from '../model/suggest.ts';
import { fitsType, shortForm } from '../model/values.ts';
import { declarationFields, type VariableDeclaration } from '../model/variables.ts';
import { addAttribute, removeAttribute } from './attributeEdits.ts';
import { type Found, fixHere, type RuleContext } from './context.ts';
import { convertTo, defaultFor, labelFor } from './conversions.ts';
import { itemsOf, nodeOf, placeOf } from './declarationPlaces.ts';
import { homeOfDeclarations } from './declare.ts';
import type { Fix, TextEdit } from './finding.ts';
import { addMember, type JsonPlace, removeAt, replaceJson } from './jsonEdits.ts';
import { jsonFixes } from './jsonFixes.ts';

/** Broken JSON, or JSON that is no array. */
export function invalidDeclarations(context: RuleContext): Found[] {
  return context.composition.problems
    .filter(({ code }) => code === 'invalid-declarations')
    .map(({ message, span }) => ({ message, span, fixes: declarationFixes(context) }));
}

function declarationFixes(context: RuleContext): Fix[] {
  const { span, json } = context.composition.variables;
  return span && json?.problem ? jsonFixes(context, span, json.problem) : arrayFix(context);
}

/** `{"title": {"type": …}}`, as other programs declare variables, becomes `[{"id": "title", "type": …}]`. */
function arrayFix(context: RuleContext): Fix[] {
  const { json } = context.composition.variables;
  const place = placeOf(context);
  const root = json?.problem ? undefined : json?.root;
  if (!place || root?.kind !== 'object') return [];
  const declarations = root.members.map(({ key, value }) => {
    const fields = value && jsonValue(value);
    return value?.kind === 'object' ? { id: key, ...(fields as object) } : undefined;
  });
  // A single declaration that lacks its brackets has fields of its own.
  const isSingle = jsonMember(root, 'id') !== undefined && jsonMember(root, 'type') !== undefined;
  const value = isSingle ? [jsonValue(root)] : declarations;
  if (value.includes(undefined)) return [];
  return [fixHere(context, 'Write them as an array', [replaceJson(place, root.span, value)])];
}

export function missingLabel(context: RuleContext): Found[] {
  return missing(context, 'label', ({ id }) => ({ value: labelFor(id), isSafe: true }));
}

export function missingDefault(context: RuleContext): Found[] {
  return missing(context, 'default', ({ id, declaration }) => {
    if (!declaration) return undefined;
    // What a script falls back to is what the composition shows now: to declare it changes nothing.
    const read = context.reads().reads.find((each) => each.id === id && each.default?.value !== undefined);
    const fallback = read?.default?.value ?? undefined;
    if (fallback !== undefined && fitsType(declaration.type, fallback)) return { value: fallback, isSafe: true };
    return { value: defaultFor(declaration), isSafe: false };
  });
}

/** A declaration that has an id. `declaration` is missing for a rejected one. */
type NamedDeclaration = { id: string; span: Span; node: JsonNode; declaration?: VariableDeclaration };

function missing(
  context: RuleContext,
  field: 'label' | 'default',
  content: (declared: NamedDeclaration) => { value: unknown; isSafe: boolean } | undefined,
): Found[] {
  const place = placeOf(context);
  return namedDeclarations(context).flatMap((declared) => {
    const { id, span, node } = declared;
    if (!place || node.kind !== 'object' || jsonMember(node, field)) return [];
    const added = content(declared);
    const fixes = added
      ? [
          fixHere(
            context,
            `Add "${field}": ${shortForm(added.value)}`,
            [addMember(place, node, field, added.value)],
            added.isSafe,
          ),
        ]
      : [];
    return [{ message: `Variable "${id}" has no "${field}"`, span, fixes }];
  });
}

function namedDeclarations(context: RuleContext): NamedDeclaration[] {
  const { declared, rejected } = context.composition.variables;
  const usable = new Map(declared.map((variable) => [variable.span, variable.declaration]));
  // A second declaration of an id is one finding; what else it lacks does not matter.
  const repeated = new Set(
    rejected.filter(({ reason }) => reason === 'duplicate-id').map((each) => each.declarationSpan),
  );
  return itemsOf(context).flatMap((node) => {
    const id = jsonMember(node, 'id')?.value;
    const declaration = usable.get(node.span);
    if (id?.kind !== 'string' || id.value === '' || repeated.has(node.span)) return [];
    return [{ id: id.value, span: id.span, node, ...(declaration ? { declaration } : {}) }];
  });
}

/** Fields that are passed over: unknown, of the wrong kind, or of another type of variable. */
export function ignoredFields(context: RuleContext): Found[] {
  const place = placeOf(context);
  return context.composition.variables.declared.flatMap((variable) =>
    variable.ignored.map(({ field, reason, message, span }) => {
      const node = nodeOf(context, variable);
      const members = node?.members ?? [];
      const index = members.findIndex((member) => member.span === span);
      const member = members[index];
      const fixes: Fix[] = [];
      if (place && member) {
        const near = reason === 'unknown' ? nearestName(field, Object.keys(declarationFields)) : undefined;
        if (near && !members.some(({ key }) => key === near)) {
          fixes.push(fixHere(context, `Change to "${near}"`, [replaceJson(place, member.keySpan, near)]));
        }
        const converted = reason === 'wrong-type' ? convertField(field, member.value) : undefined;
        if (converted !== undefined && member.value) {
          const edit = replaceJson(place, member.value.span, converted);
          fixes.push(fixHere(context, `Write ${shortForm(converted)}`, [edit], true));
        }
        fixes.push(fixHere(context, `Remove "${field}"`, [removeAt(members, index)]));
      } else if (place && node) fixes.push(...optionFixes(context, place, node, span));
      // Fields for other programs do no harm; what looks like one of ours is a slip.
      const isForeign = reason === 'unknown' && nearestName(field, Object.keys(declarationFields)) === undefined;
      return { message, span: member?.keySpan ?? span, fixes, ...(isForeign ? { severity: 'info' as const } : {}) };
    }),
  );
}

function convertField(field: string, node: JsonNode | undefined): unknown {
  const json = Object.entries(declarationFields).find(([name]) => name === field)?.[1].json;
  return node && (json === 'number' || json === 'string') ? convertTo(json, jsonValue(node)) : undefined;
}

/** An option that is a plain value becomes an object; one without a label gets one. */
function optionFixes(context: RuleContext, place: JsonPlace, node: JsonNode, span: Span): Fix[] {
  const options = jsonMember(node, 'options')?.value;
  const option = options?.kind === 'array' ? options.items.find((item) => item.span === span) : undefined;
  if (!option) return [];
  if (option.kind === 'string' || option.kind === 'number') {
    const value = String(option.value);
    const edit = replaceJson(place, span, { value, label: labelFor(value) });
    return [fixHere(context, 'Write it as an object', [edit], true)];
  }
  const value = jsonMember(option, 'value')?.value;
  if (option.kind !== 'object' || value?.kind !== 'string' || jsonMember(option, 'label')) return [];
  const edit = addMember(place, option, 'label', labelFor(value.value));
  return [fixHere(context, 'Add a label', [edit], true)];
}

/** Declarations on an element where nobody looks for them. */
export function misplacedDeclarations(context: RuleContext): Found[] {
  const { composition, text } = context;
  return composition.html.elements.flatMap((element) => {
    const attribute = element.attributes.get(attr.compositionVariables);
    const value = attribute?.valueSpan;
    if (!attribute || (value && value.start === composition.variables.span?.start)) return [];
    // What stands in a template that is not this file's composition is its author's business.
    if (element.template !== composition.template) return [];
    const read = composition.variables.span
      ? 'the declarations of this file stand elsewhere'
      : `they stand on <html>, in a fragment on the root composition`;
    const related = composition.variables.span
      ? [{ file: context.path, span: composition.variables.span, message: 'These declarations count' }]
      : [];
    const message = `Declarations on <${element.tag}> are not read: ${read}`;
    const remove = removeAttribute(text, attribute);
    const home = composition.variables.span ? undefined : homeOfDeclarations(composition);
    const move = home && value && [remove, addAttribute(home, attr.compositionVariables, attribute.value)];
    const fixes = [
      ...(move ? [fixHere(context, `Move them to <${home.tag}>`, move.sort(byPlace))] : []),
      fixHere(context, 'Remove them', [remove]),
    ];
    return [{ message, span: attribute.nameSpan, related, fixes }];
  });
}

const byPlace = (a: TextEdit, b: TextEdit): number => a.span.start - b.span.start;
