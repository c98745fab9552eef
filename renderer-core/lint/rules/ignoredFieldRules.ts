// Rule for fields of a declaration that are ignored: misspelled, of the wrong type, or of another variable type.
import { type JsonNode, jsonMember, jsonValue } from '../../model/text/jsonText.ts';
import { formatValue } from '../../model/variables/values.ts';
import { type DeclaredVariable, declarationFields, type IgnoredField } from '../../model/variables/variables.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import { convertTo, labelFor, optionOf } from '../conversions.ts';
import { declarationNode, declarationsLocation } from '../declarationLocations.ts';
import type { Fix } from '../finding.ts';
import { addMember, type JsonLocation, removeAt, replaceJson } from '../jsonEdits.ts';
import { misspelledFinding } from '../misspelledFields.ts';

/** Unknown fields are not reported, because they can be for other tools. */
export function ignoredFields(context: RuleContext): RuleFinding[] {
  const place = declarationsLocation(context);
  return context.composition.variables.declared.flatMap((variable) => {
    const node = declarationNode(context, variable);
    if (!place || !node) return [];
    return variable.ignored
      .filter((field) => !isReportedAsMissing(variable, field))
      .map((field) => ignoredField(context, place, node, field));
  });
}

/** A misspelled required field, or options of which none can be used, are findings of the rules for missing fields. */
function isReportedAsMissing({ declaration }: DeclaredVariable, { field, reason, meant }: IgnoredField): boolean {
  const isUnusable = declaration.type === 'enum' && !declaration.options?.length;
  if (field === 'options') return isUnusable && reason !== 'misspelled';
  return meant === 'label' || meant === 'default' || (meant === 'options' && isUnusable);
}

function ignoredField(context: RuleContext, place: JsonLocation, node: JsonNode, ignored: IgnoredField): RuleFinding {
  const { field, message, span, meant } = ignored;
  const { member, siblings } = findMember(node, ignored);
  if (!member) return { message, span, fixes: optionFixes(context, place, node, ignored) };
  if (meant !== undefined) return misspelledFinding(context, place, member, meant);
  const fixes: Fix[] = [];
  const converted = ignored.reason === 'wrong-type' ? convertField(field, member.value) : undefined;
  if (converted !== undefined && member.value) {
    const edit = replaceJson(place, member.value.span, converted);
    fixes.push(fixInFile(context, `Change to ${formatValue(converted)}`, [edit], true));
  }
  fixes.push(fixInFile(context, `Remove "${field}"`, [removeAt(siblings, siblings.indexOf(member))]));
  return { message, span: member.keySpan, fixes };
}

/** The member of the declaration, or of one of its options, at the span of an ignored field. */
function findMember(node: JsonNode, { span }: IgnoredField) {
  const options = jsonMember(node, 'options')?.value;
  for (const each of [node, ...(options?.kind === 'array' ? options.items : [])]) {
    const siblings = each.kind === 'object' ? each.members : [];
    const member = siblings.find((one) => one.span === span);
    if (member) return { member, siblings };
  }
  return { member: undefined, siblings: [] };
}

function convertField(field: string, node: JsonNode | undefined): unknown {
  const json = Object.entries(declarationFields).find(([name]) => name === field)?.[1].json;
  return node && (json === 'number' || json === 'string') ? convertTo(json, jsonValue(node)) : undefined;
}

/** Converts a plain value to an object, or adds a missing label. */
function optionFixes(context: RuleContext, place: JsonLocation, node: JsonNode, { span }: IgnoredField): Fix[] {
  const options = jsonMember(node, 'options')?.value;
  const option = options?.kind === 'array' ? options.items.find((item) => item.span === span) : undefined;
  if (!option) return [];
  if (option.kind === 'string' || option.kind === 'number') {
    const edit = replaceJson(place, span, optionOf(option.value));
    return [fixInFile(context, 'Convert to an object', [edit], true)];
  }
  const value = jsonMember(option, 'value')?.value;
  if (option.kind !== 'object' || value?.kind !== 'string' || jsonMember(option, 'label')) return [];
  const edit = addMember(place, option, 'label', labelFor(value.value));
  return [fixInFile(context, 'Add a label', [edit], true)];
}
