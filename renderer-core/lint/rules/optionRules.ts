// Rules for the options, range and default of a declaration.
import type { Span } from '../../model/spans.ts';
import { nearestName } from '../../model/suggest.ts';
import { exceededLimit } from '../../model/valueLimits.ts';
import { formatValue } from '../../model/values.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import { convertFor } from '../conversions.ts';
import { declarationsLocation } from '../declarationLocations.ts';
import { replaceJson } from '../jsonEdits.ts';

export function enumWithoutOptions({ composition }: RuleContext): RuleFinding[] {
  return composition.variables.declared
    .filter(({ declaration }) => declaration.type === 'enum' && !declaration.options?.length)
    .map(({ declaration, fields, idSpan }) => ({
      message: `Variable "${declaration.id}" is an enum without options; add "options": [{"value": …, "label": …}]`,
      span: fields.options?.valueSpan ?? idSpan,
    }));
}

export function defaultNotAnOption(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return context.composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, type, options, default: value } = declaration;
    const span = fields.default?.valueSpan;
    if (type !== 'enum' || !options?.length || value === undefined || !span || !place) return [];
    if (options.some((option) => option.value === value)) return [];
    const names = options.map((option) => option.value);
    const same = convertFor(declaration, value);
    const near = same ?? nearestName(String(value), names) ?? names[0] ?? '';
    const title = `Change to ${formatValue(near)}`;
    const edit = replaceJson(place, span, near);
    const related = fields.options
      ? [{ file: context.path, span: fields.options.valueSpan, message: 'The options are declared here' }]
      : [];
    const listed = names.map((name) => formatValue(name)).join(', ');
    const message = `The default of "${id}" must be one of its options, ${listed} (got ${formatValue(value)})`;
    return [{ message, span, related, fixes: [fixInFile(context, title, [edit], same !== undefined)] }];
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
    const exceeded = exceededLimit(declaration, value);
    if (!exceeded) return [];
    const { bound, limit, rule } = exceeded;
    const related = relatedField(context, fields[bound]?.span);
    const message = `The default of "${id}" must be ${rule}`;
    if (bound === 'maxLength') return [{ message, span, related }];
    return [
      { message, span, related, fixes: [fixInFile(context, `Change to ${limit}`, [replaceJson(place, span, limit)])] },
    ];
  });
}

/** Ranges that allow no value. */
export function contradictoryRange(context: RuleContext): RuleFinding[] {
  return context.composition.variables.declared.flatMap(
    ({ declaration: { id, min, max, step, maxLength }, fields }) => {
      const found: RuleFinding[] = [];
      if (min !== undefined && max !== undefined && min > max && fields.min) {
        const related = relatedField(context, fields.max?.span);
        found.push({
          message: `"min" of "${id}" must not be greater than "max" (${min} > ${max})`,
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

function relatedField({ path }: RuleContext, span: Span | undefined) {
  return span ? [{ file: path, span, message: 'The limit is set here' }] : [];
}
