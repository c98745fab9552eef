// Rules for what a declaration says about its own values: options, ranges, and a default that fits neither.
import type { Span } from '../model/spans.ts';
import { nearestName } from '../model/suggest.ts';
import { shortForm } from '../model/values.ts';
import { type Found, fixHere, type RuleContext } from './context.ts';
import { convertFor } from './conversions.ts';
import { placeOf } from './declarationPlaces.ts';
import { replaceJson } from './jsonEdits.ts';

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
    if (typeof value !== 'number' || (min !== undefined && max !== undefined && min > max)) return [];
    const nearest = Math.max(min ?? -Infinity, Math.min(max ?? Infinity, value));
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

function relatedField({ path }: RuleContext, span: Span | undefined) {
  return span ? [{ file: path, span, message: 'The bound is set here' }] : [];
}
