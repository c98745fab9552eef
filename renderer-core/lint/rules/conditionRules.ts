// Rules for elements that exist only if a variable has a value.
import { attr } from '../../model/attributes.ts';
import type { Condition } from '../../model/conditions.ts';
import { encodeAttributeText } from '../../model/text/attributeText.ts';
import { nearestName } from '../../model/text/suggest.ts';
import type { VariableDeclaration } from '../../model/variables/variables.ts';
import { quoteAround } from '../attributeEdits.ts';
import { likelyFix, type RuleContext, type RuleFinding } from '../context.ts';

/** Conditions that cannot be read, that are on the composition itself, or that no value can fulfill. */
export function invalidConditions(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  const unreadable = composition.problems.filter(({ code }) => code === 'invalid-condition');
  return [
    ...unreadable.map(({ message, span }) => ({ message, span })),
    ...composition.conditions.flatMap((condition) => [
      ...onComposition(context, condition),
      ...impossible(context, condition),
    ]),
  ];
}

function onComposition({ composition: { root } }: RuleContext, { element }: Condition): RuleFinding[] {
  const attribute = element.attributes.get(attr.varIf);
  const isAround = root !== null && element.span.start <= root.span.start && root.span.end <= element.span.end;
  if (!isAround || !attribute) return [];
  const message = `A composition cannot depend on its own values; ${attr.varIf} is ignored here`;
  return [{ message, span: attribute.nameSpan, severity: 'warning' }];
}

function impossible(context: RuleContext, { id, value }: Condition): RuleFinding[] {
  const { composition, text } = context;
  const declared = composition.declarations.find((one) => one.id === id.text);
  if (!declared || value === null) return [];
  const allowed = valuesOf(declared);
  if (allowed === null || allowed.includes(value.text)) return [];
  const near = nearestName(value.text, allowed);
  const hint =
    near === undefined
      ? `; its values are ${allowed.map((one) => `"${one}"`).join(', ')}`
      : `; did you mean "${near}"?`;
  const written = encodeAttributeText(near ?? '', quoteAround(text, value.span));
  return [
    {
      message: `Variable "${id.text}" is never "${value.text}"${hint}`,
      span: value.span,
      severity: 'warning',
      fixes:
        near === undefined ? [] : [likelyFix(context, `Change to "${near}"`, [{ span: value.span, text: written }])],
    },
  ];
}

/** Null if there are too many to list. */
function valuesOf({ type, options }: VariableDeclaration): string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return type === 'enum' ? (options ?? []).map((option) => option.value) : null;
}
