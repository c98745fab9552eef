// Rules for declarations of variables: invalid JSON, missing fields, ignored fields, wrong element.
import { attr } from '../../model/attributes.ts';
import { type JsonNode, jsonMember, jsonValue } from '../../model/jsonText.ts';
import type { Span } from '../../model/spans.ts';
import { nearestName } from '../../model/suggest.ts';
import { fitsType, formatValue } from '../../model/values.ts';
import { declarationFields, type VariableDeclaration } from '../../model/variables.ts';
import { addAttribute, removeAttribute } from '../attributeEdits.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import { convertTo, defaultFor, labelFor } from '../conversions.ts';
import { declarationNode, declarationNodes, declarationsLocation } from '../declarationLocations.ts';
import { declarationsElement } from '../declare.ts';
import type { Fix, TextEdit } from '../finding.ts';
import { addMember, type JsonLocation, removeAt, replaceJson } from '../jsonEdits.ts';
import { jsonFixes } from '../jsonFixes.ts';

/** Invalid JSON, or JSON that is not an array. */
export function invalidDeclarations(context: RuleContext): RuleFinding[] {
  return context.composition.problems
    .filter(({ code }) => code === 'invalid-declarations')
    .map(({ message, span }) => ({ message, span, fixes: declarationFixes(context) }));
}

function declarationFixes(context: RuleContext): Fix[] {
  const { span, json } = context.composition.variables;
  return span && json?.problem ? jsonFixes(context, span, json.problem) : arrayFix(context);
}

/** Converts `{"title": {"type": …}}`, the notation of other tools, to `[{"id": "title", "type": …}]`. */
function arrayFix(context: RuleContext): Fix[] {
  const { json } = context.composition.variables;
  const place = declarationsLocation(context);
  const root = json?.problem ? undefined : json?.root;
  if (!place || root?.kind !== 'object') return [];
  const declarations = root.members.map(({ key, value }) => {
    const fields = value && jsonValue(value);
    return value?.kind === 'object' ? { id: key, ...(fields as object) } : undefined;
  });
  // The object can also be a single declaration without the brackets.
  const isSingle = jsonMember(root, 'id') !== undefined && jsonMember(root, 'type') !== undefined;
  const value = isSingle ? [jsonValue(root)] : declarations;
  if (value.includes(undefined)) return [];
  return [fixInFile(context, 'Convert to an array', [replaceJson(place, root.span, value)])];
}

export function missingLabel(context: RuleContext): RuleFinding[] {
  return [...missing(context, 'label', ({ id }) => ({ value: labelFor(id), isSafe: true })), ...emptyLabels(context)];
}

function emptyLabels(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return namedDeclarations(context).flatMap(({ id, node }) => {
    const label = jsonMember(node, 'label')?.value;
    if (!place || label?.kind !== 'string' || label.value.trim() !== '') return [];
    const value = labelFor(id);
    const fix = fixInFile(context, `Change to ${formatValue(value)}`, [replaceJson(place, label.span, value)], true);
    return [{ message: `The "label" of variable "${id}" is empty`, span: label.span, fixes: [fix] }];
  });
}

export function missingDefault(context: RuleContext): RuleFinding[] {
  return missing(context, 'default', ({ id, declaration }) => {
    if (!declaration) return undefined;
    // The composition currently shows the fallback of the script, so declaring it changes nothing.
    const read = context.reads().reads.find((each) => each.id === id && each.default?.value !== undefined);
    const fallback = read?.default?.value ?? undefined;
    if (fallback !== undefined && fitsType(declaration.type, fallback)) return { value: fallback, isSafe: true };
    return { value: defaultFor(declaration), isSafe: false };
  });
}

/** A declaration with an id. `declaration` is missing if it was rejected. */
type NamedDeclaration = { id: string; span: Span; node: JsonNode; declaration?: VariableDeclaration };

function missing(
  context: RuleContext,
  field: 'label' | 'default',
  content: (declared: NamedDeclaration) => { value: unknown; isSafe: boolean } | undefined,
): RuleFinding[] {
  const place = declarationsLocation(context);
  return namedDeclarations(context).flatMap((declared) => {
    const { id, span, node } = declared;
    if (!place || node.kind !== 'object' || jsonMember(node, field)) return [];
    const added = content(declared);
    const fixes = added
      ? [
          fixInFile(
            context,
            `Add "${field}": ${formatValue(added.value)}`,
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
  // A duplicate declaration is one finding; its missing fields are not reported.
  const repeated = new Set(
    rejected.filter(({ reason }) => reason === 'duplicate-id').map((each) => each.declarationSpan),
  );
  return declarationNodes(context).flatMap((node) => {
    const id = jsonMember(node, 'id')?.value;
    const declaration = usable.get(node.span);
    if (id?.kind !== 'string' || id.value === '' || repeated.has(node.span)) return [];
    return [{ id: id.value, span: id.span, node, ...(declaration ? { declaration } : {}) }];
  });
}

/** Ignored fields: unknown, of the wrong type, or of another variable type. */
export function ignoredFields(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return context.composition.variables.declared.flatMap((variable) =>
    variable.ignored.map(({ field, reason, message, span }) => {
      const node = declarationNode(context, variable);
      const members = node?.members ?? [];
      const index = members.findIndex((member) => member.span === span);
      const member = members[index];
      const fixes: Fix[] = [];
      if (place && member) {
        const near = reason === 'unknown' ? nearestName(field, Object.keys(declarationFields)) : undefined;
        if (near && !members.some(({ key }) => key === near)) {
          fixes.push(fixInFile(context, `Change to "${near}"`, [replaceJson(place, member.keySpan, near)]));
        }
        const converted = reason === 'wrong-type' ? convertField(field, member.value) : undefined;
        if (converted !== undefined && member.value) {
          const edit = replaceJson(place, member.value.span, converted);
          fixes.push(fixInFile(context, `Change to ${formatValue(converted)}`, [edit], true));
        }
        fixes.push(fixInFile(context, `Remove "${field}"`, [removeAt(members, index)]));
      } else if (place && node) fixes.push(...optionFixes(context, place, node, span));
      // A field that resembles a known one is probably a typo; others may be for other tools.
      const isForeign = reason === 'unknown' && nearestName(field, Object.keys(declarationFields)) === undefined;
      return { message, span: member?.keySpan ?? span, fixes, ...(isForeign ? { severity: 'info' as const } : {}) };
    }),
  );
}

function convertField(field: string, node: JsonNode | undefined): unknown {
  const json = Object.entries(declarationFields).find(([name]) => name === field)?.[1].json;
  return node && (json === 'number' || json === 'string') ? convertTo(json, jsonValue(node)) : undefined;
}

/** Converts a plain value to an object, or adds a missing label. */
function optionFixes(context: RuleContext, place: JsonLocation, node: JsonNode, span: Span): Fix[] {
  const options = jsonMember(node, 'options')?.value;
  const option = options?.kind === 'array' ? options.items.find((item) => item.span === span) : undefined;
  if (!option) return [];
  if (option.kind === 'string' || option.kind === 'number') {
    const value = String(option.value);
    const edit = replaceJson(place, span, { value, label: labelFor(value) });
    return [fixInFile(context, 'Convert to an object', [edit], true)];
  }
  const value = jsonMember(option, 'value')?.value;
  if (option.kind !== 'object' || value?.kind !== 'string' || jsonMember(option, 'label')) return [];
  const edit = addMember(place, option, 'label', labelFor(value.value));
  return [fixInFile(context, 'Add a label', [edit], true)];
}

/** Declarations on an element on which they are ignored. */
export function misplacedDeclarations(context: RuleContext): RuleFinding[] {
  const { composition, text } = context;
  return composition.html.elements.flatMap((element) => {
    const attribute = element.attributes.get(attr.compositionVariables);
    const value = attribute?.valueSpan;
    if (!attribute || (value && value.start === composition.variables.span?.start)) return [];
    // The content of other templates is not checked.
    if (element.template !== composition.template) return [];
    const reason = composition.variables.span
      ? ': this file declares its variables on another element'
      : '; put them on <html>, or on the root composition of a fragment';
    const related = composition.variables.span
      ? [{ file: context.path, span: composition.variables.span, message: 'These declarations are used' }]
      : [];
    const message = `Declarations on <${element.tag}> are ignored${reason}`;
    const remove = removeAttribute(text, attribute);
    const home = composition.variables.span ? undefined : declarationsElement(composition);
    const move = home && value && [remove, addAttribute(home, attr.compositionVariables, attribute.value)];
    const fixes = [
      ...(move ? [fixInFile(context, `Move the declarations to <${home.tag}>`, move.sort(byPosition))] : []),
      fixInFile(context, 'Remove these declarations', [remove]),
    ];
    return [{ message, span: attribute.nameSpan, related, fixes }];
  });
}

const byPosition = (a: TextEdit, b: TextEdit): number => a.span.start - b.span.start;
