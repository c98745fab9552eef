// Rules for the options, range and default of a declaration.

import { type JsonNode, jsonMember } from '../../model/text/jsonText.ts';
import type { Span } from '../../model/text/spans.ts';
import { misspelledField } from '../../model/variables/fieldSpelling.ts';
import { exceededLimit } from '../../model/variables/valueLimits.ts';
import { formatValue } from '../../model/variables/values.ts';
import { declarationFields } from '../../model/variables/variables.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import { optionOf } from '../conversions.ts';
import { declarationNode, declarationNodes, declarationsLocation } from '../declarationLocations.ts';
import { type JsonLocation, replaceJson } from '../jsonEdits.ts';
import { misspelledFinding } from '../misspelledFields.ts';
import { optionFixes } from '../optionFixes.ts';

export function enumWithoutOptions(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return context.composition.variables.declared.flatMap((variable) => {
    const { declaration, fields, idSpan, ignored } = variable;
    if (declaration.type !== 'enum' || declaration.options?.length) return [];
    // A misspelled key in an option has its own finding.
    if (ignored.some(({ field, reason }) => field === 'options' && reason === 'misspelled')) return [];
    const node = declarationNode(context, variable);
    const misspelled = node && misspelledField(node, 'options', 'enum');
    if (place && misspelled) return [misspelledFinding(context, place, misspelled, 'options')];
    const given = node && jsonMember(node, 'options')?.value;
    if (place && given?.kind === 'array' && given.items.length > 0)
      return [unusableOptions(context, place, declaration.id, given)];
    const message = `Variable "${declaration.id}" is an enum without options; add "options": [{"value": …, "label": …}]`;
    return [{ message, span: given?.span ?? fields.options?.valueSpan ?? idSpan }];
  });
}

/** Options of which none is an object with a value. Often they are plain values. */
function unusableOptions(
  context: RuleContext,
  place: JsonLocation,
  id: string,
  options: JsonNode & { kind: 'array' },
): RuleFinding {
  const message = `The options of "${id}" must be objects with a string "value" and a string "label"`;
  const plain = options.items.flatMap((item) => (item.kind === 'string' || item.kind === 'number' ? [item] : []));
  const edits = plain.map((item) => replaceJson(place, item.span, optionOf(item.value)));
  const fixes =
    edits.length === options.items.length ? [fixInFile(context, 'Convert the options to objects', edits, true)] : [];
  return { message, span: options.span, fixes };
}

export function defaultNotAnOption(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return context.composition.variables.declared.flatMap(({ declaration, fields, ignored }) => {
    const { id, type, options, default: value } = declaration;
    const span = fields.default?.valueSpan;
    if (type !== 'enum' || !options?.length || value === undefined || !span || !place) return [];
    // The default may be one of the options that cannot be read.
    if (options.some((option) => option.value === value) || ignored.some(({ field }) => field === 'options')) return [];
    const related = fields.options
      ? [{ file: context.path, span: fields.options.valueSpan, message: 'The options are declared here' }]
      : [];
    const listed = options.map((option) => formatValue(option.value)).join(', ');
    const message = `The default of "${id}" must be one of its options, ${listed} (got ${formatValue(value)})`;
    return [{ message, span, related, fixes: optionFixes(context, place, span, declaration, value) }];
  });
}

export function duplicateOptions(context: RuleContext): RuleFinding[] {
  return context.composition.variables.declared.flatMap(({ declaration, optionSpans }) => {
    const first = new Map<string, number>();
    return (declaration.options ?? []).flatMap(({ value }, index) => {
      const span = optionSpans[index];
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, index);
      const other = earlier === undefined ? undefined : optionSpans[earlier];
      if (!span || !other) return [];
      const related = [{ file: context.path, span: other, message: 'The first option with this value' }];
      return [{ message: `"${declaration.id}" has the option ${formatValue(value)} twice`, span, related }];
    });
  });
}

/** Defaults outside the range of their declaration. */
export function defaultOutOfRange(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return context.composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, default: value } = declaration;
    const span = fields.default?.valueSpan;
    if (!span || !place) return [];
    const exceeded = isContradictory(declaration) ? undefined : exceededLimit(declaration, value);
    if (!exceeded) return [];
    const { bound, limit, rule } = exceeded;
    const related = relatedField(context, fields[bound]?.span);
    const message = `The default of "${id}" must be ${rule}`;
    if (bound === 'maxLength') return [{ message, span, related }];
    return [
      {
        message,
        span,
        related,
        fixes: [fixInFile(context, `Change to ${limit}`, [replaceJson(place, span, limit)])],
      },
    ];
  });
}

/** Every default is outside such a range, which is a finding of its own. */
function isContradictory({ min, max }: { min?: number | undefined; max?: number | undefined }): boolean {
  return min !== undefined && max !== undefined && min > max;
}

type LimitName = 'min' | 'max' | 'step' | 'maxLength';
type Limits = { id: string } & Partial<Record<LimitName, { value: number; span: Span }>>;

/** Ranges that allow no value. */
export function contradictoryRange(context: RuleContext): RuleFinding[] {
  return [...limitsOfDeclared(context), ...limitsOfRejected(context)].flatMap(({ id, min, max, step, maxLength }) => {
    const found: RuleFinding[] = [];
    if (min && isContradictory({ min: min.value, max: max?.value })) {
      const message = `"min" of "${id}" must not be greater than "max" (${min.value} > ${max?.value ?? ''})`;
      found.push({ message, span: min.span, related: relatedField(context, max?.span) });
    }
    if (step && step.value <= 0) found.push({ message: `"step" of "${id}" must be greater than 0`, span: step.span });
    if (maxLength && (maxLength.value < 0 || !Number.isInteger(maxLength.value))) {
      const message = `"maxLength" of "${id}" must be a whole number of at least 0`;
      found.push({ message, span: maxLength.span });
    }
    return found;
  });
}

const limitNames: readonly LimitName[] = ['min', 'max', 'step', 'maxLength'];

const limitsOf = (id: string, read: (name: LimitName) => { value: number; span: Span } | undefined): Limits => ({
  id,
  ...Object.fromEntries(limitNames.map((name) => [name, read(name)])),
});

const limitsOfDeclared = ({ composition }: RuleContext): Limits[] =>
  composition.variables.declared.map(({ declaration, fields }) =>
    limitsOf(declaration.id, (name) => {
      const [value, span] = [declaration[name], fields[name]?.valueSpan];
      return value === undefined || !span ? undefined : { value, span };
    }),
  );

/** A wrong default does not hide a wrong range. */
function limitsOfRejected(context: RuleContext): Limits[] {
  const nodes = declarationNodes(context);
  const rejected = context.composition.variables.rejected.filter(({ reason }) => reason === 'default-mismatch');
  return rejected.flatMap(({ id = '', declarationSpan }) => {
    const node = nodes.find(({ span }) => span === declarationSpan);
    if (!node) return [];
    const type = jsonMember(node, 'type')?.value;
    return limitsOf(id, (name) => {
      const value = jsonMember(node, name)?.value;
      const isOn = type?.kind === 'string' && declarationFields[name].on.some((one) => one === type.value);
      return isOn && value?.kind === 'number' ? { value: value.value, span: value.span } : undefined;
    });
  });
}

function relatedField({ path }: RuleContext, span: Span | undefined) {
  return span ? [{ file: path, span, message: 'The limit is set here' }] : [];
}
