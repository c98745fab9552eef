// Rules for the declarations of variables: what makes one unusable, what is missing, what does not fit together.
import { attr } from '../model/attributes.ts';
import { type JsonNode, jsonMember, jsonValue } from '../model/jsonText.ts';
import type { Span } from '../model/spans.ts';
import { nearestName } from '../model/suggest.ts';
import { fitsType, shortForm } from '../model/values.ts';
import {
  type DeclaredVariable,
  declarationFields,
  type RejectedDeclaration,
  type RejectionReason,
  type VariableDeclaration,
  type VariableType,
  variableTypes,
} from '../model/variables.ts';
import { addAttribute, removeAttribute } from './attributeEdits.ts';
import { type Found, fixHere, type RuleContext } from './context.ts';
import { convertFor, convertTo, defaultFor, labelFor, typeByOtherName } from './conversions.ts';
import { homeOfDeclarations } from './declare.ts';
import type { Fix, TextEdit } from './finding.ts';
import { addMember, type JsonPlace, removeAt, replaceJson } from './jsonEdits.ts';

/** Broken JSON, or JSON that is no array. */
export function invalidDeclarations(context: RuleContext): Found[] {
  return context.composition.problems
    .filter(({ code }) => code === 'invalid-declarations')
    .map(({ message, span }) => ({ message, span, fixes: arrayFix(context) }));
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

/** Findings for the rejected declarations of some reasons. */
export function rejectedFor(...reasons: readonly RejectionReason[]): (context: RuleContext) => Found[] {
  return (context) =>
    context.composition.variables.rejected
      .filter(({ reason }) => reasons.includes(reason))
      .map((rejected) => ({
        message: rejected.message,
        span: rejected.span,
        related: firstDeclaration(context, rejected),
        fixes: rejectedFixes(context, rejected),
      }));
}

function firstDeclaration({ composition, path }: RuleContext, { reason, id }: RejectedDeclaration) {
  const first = composition.variables.declared.find(({ declaration }) => declaration.id === id);
  return reason === 'duplicate-id' && first
    ? [{ file: path, span: first.idSpan, message: `"${id}" is declared here first` }]
    : [];
}

function rejectedFixes(context: RuleContext, rejected: RejectedDeclaration): Fix[] {
  const { reason, span, declarationSpan } = rejected;
  const place = placeOf(context);
  const items = itemsOf(context);
  const index = items.findIndex((item) => item.span === declarationSpan);
  const node = items[index];
  if (!place || node === undefined) return [];
  const remove = fixHere(context, 'Remove the declaration', [removeAt(items, index)]);
  if (node.kind !== 'object') return [remove];
  const own = (title: string, edit: ReturnType<typeof replaceJson>, isSafe: boolean) =>
    fixHere(context, title, [edit], isSafe);
  const value = (field: string): unknown => {
    const found = jsonMember(node, field)?.value;
    return found && jsonValue(found);
  };
  switch (reason) {
    case 'missing-type': {
      const type = typeFrom(value('default'), value('options'));
      return [own(`Add "type": "${type}"`, addMember(place, node, 'type', type), value('default') !== undefined)];
    }
    case 'unknown-type': {
      const written = value('type');
      const renamed = typeof written === 'string' ? typeByOtherName(written) : undefined;
      const near = typeof written === 'string' ? nearestName(written, variableTypes) : undefined;
      const type = variableTypes.find((each) => each === (renamed ?? near)) ?? typeFrom(value('default'), undefined);
      const given = value('default');
      // Only where the default agrees can no other type be meant.
      const isSafe = (renamed ?? near) !== undefined && given !== undefined && fitsType(type, given);
      return [own(`Change the type to "${type}"`, replaceJson(place, span, type), isSafe), remove];
    }
    case 'default-mismatch':
      return defaultFixes(context, place, span, value('type'), value('default'));
    case 'missing-id': {
      const label = value('label');
      const id = typeof label === 'string' ? idFrom(label) : '';
      return [...(id ? [own(`Add "id": "${id}"`, addMember(place, node, 'id', id), false)] : []), remove];
    }
    default:
      return [remove];
  }
}

function defaultFixes(context: RuleContext, place: JsonPlace, span: Span, type: unknown, value: unknown): Fix[] {
  const known = variableTypes.find((each) => each === type);
  const converted = known && convertTo(known, value);
  const fixes: Fix[] = [];
  if (converted !== undefined) {
    fixes.push(fixHere(context, `Write ${shortForm(converted)}`, [replaceJson(place, span, converted)], true));
  } else if (known) {
    const plain = defaultFor({ id: '', type: known });
    fixes.push(fixHere(context, `Use ${shortForm(plain)}`, [replaceJson(place, span, plain)]));
  }
  return fixes;
}

/** The type that a default has by itself. */
function typeFrom(value: unknown, options: unknown): VariableType {
  if (Array.isArray(options)) return 'enum';
  return (['boolean', 'number', 'color'] as const).find((type) => fitsType(type, value)) ?? 'string';
}

function idFrom(label: string): string {
  const words = label
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  return words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word[0]?.toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
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

/** An enum that offers nothing to choose from. */
export function enumWithoutOptions({ composition }: RuleContext): Found[] {
  return composition.variables.declared
    .filter(({ declaration }) => declaration.type === 'enum' && !declaration.options?.length)
    .map(({ declaration, fields, idSpan }) => ({
      message: `Variable "${declaration.id}" is an enum without options; list them as [{"value": …, "label": …}]`,
      span: fields.options?.valueSpan ?? idSpan,
    }));
}

export function defaultNotAnOption(context: RuleContext): Found[] {
  const place = placeOf(context);
  return context.composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, type, options, default: value } = declaration;
    const span = fields.default?.valueSpan;
    if (type !== 'enum' || !options?.length || value === undefined || !span || !place) return [];
    if (options.some((option) => option.value === value)) return [];
    const names = options.map((option) => option.value);
    const same = convertFor(declaration, value);
    const near = same ?? nearestName(String(value), names) ?? names[0] ?? '';
    const title = `Change to ${shortForm(near)}`;
    const edit = replaceJson(place, span, near);
    const related = fields.options
      ? [{ file: context.path, span: fields.options.valueSpan, message: 'The options are declared here' }]
      : [];
    const listed = names.map((name) => shortForm(name)).join(', ');
    const message = `The default of "${id}" must be one of its options (${listed}), not ${shortForm(value)}`;
    return [{ message, span, related, fixes: [fixHere(context, title, [edit], same !== undefined)] }];
  });
}

export function duplicateOptions(context: RuleContext): Found[] {
  return context.composition.variables.declared.flatMap(({ declaration, optionSpans }) => {
    const first = new Map<string, number>();
    return (declaration.options ?? []).flatMap(({ value }, index) => {
      const span = optionSpans[index];
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, index);
      const other = earlier === undefined ? undefined : optionSpans[earlier];
      if (!span || !other) return [];
      const related = [{ file: context.path, span: other, message: 'The first option with this value' }];
      return [{ message: `"${declaration.id}" has the option ${shortForm(value)} twice`, span, related }];
    });
  });
}

/** A default outside the range that the same declaration gives. */
export function defaultOutOfRange(context: RuleContext): Found[] {
  const place = placeOf(context);
  return context.composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, default: value, min, max, maxLength } = declaration;
    const span = fields.default?.valueSpan;
    if (!span || !place) return [];
    if (typeof value === 'string' && maxLength !== undefined && value.length > maxLength) {
      const message = `The default of "${id}" is ${value.length} characters long; "maxLength" is ${maxLength}`;
      return [{ message, span, related: relatedField(context, fields.maxLength?.span) }];
    }
    if (typeof value !== 'number' || (min ?? value) > (max ?? value)) return [];
    const nearest = Math.max(min ?? value, Math.min(max ?? value, value));
    if (nearest === value) return [];
    const bound = nearest === min ? 'min' : 'max';
    const message = `The default of "${id}" is ${value}; "${bound}" is ${nearest}`;
    const fixes = [fixHere(context, `Change to ${nearest}`, [replaceJson(place, span, nearest)])];
    return [{ message, span, related: relatedField(context, fields[bound]?.span), fixes }];
  });
}

/** Bounds that no value fits between. */
export function contradictoryRange(context: RuleContext): Found[] {
  return context.composition.variables.declared.flatMap(
    ({ declaration: { id, min, max, step, maxLength }, fields }) => {
      const found: Found[] = [];
      if (min !== undefined && max !== undefined && min > max && fields.min) {
        const related = relatedField(context, fields.max?.span);
        found.push({
          message: `"min" of "${id}" is above its "max" (${min} > ${max})`,
          span: fields.min.valueSpan,
          related,
        });
      }
      if (step !== undefined && step <= 0 && fields.step)
        found.push({ message: `"step" of "${id}" must be greater than 0`, span: fields.step.valueSpan });
      if (maxLength !== undefined && (maxLength < 0 || !Number.isInteger(maxLength)) && fields.maxLength) {
        const message = `"maxLength" of "${id}" must be a whole number of at least 0`;
        found.push({ message, span: fields.maxLength.valueSpan });
      }
      return found;
    },
  );
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

function relatedField({ path }: RuleContext, span: Span | undefined) {
  return span ? [{ file: path, span, message: 'The bound is set here' }] : [];
}

/** The declarations' JSON as a place for edits. */
export function placeOf({ text, composition }: RuleContext): JsonPlace | undefined {
  const { span } = composition.variables;
  return span && { text, span };
}

function itemsOf({ composition }: RuleContext): readonly JsonNode[] {
  const { json } = composition.variables;
  // What could be read of a broken text is no ground for findings or edits.
  return json?.problem === undefined && json?.root?.kind === 'array' ? json.root.items : [];
}

function nodeOf(context: RuleContext, { span }: DeclaredVariable): (JsonNode & { kind: 'object' }) | undefined {
  const node = itemsOf(context).find((item) => item.span === span);
  return node?.kind === 'object' ? node : undefined;
}
