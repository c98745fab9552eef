// Rules for declarations that are rejected because of their id, type or default.

import { jsonMember, jsonValue } from '../../model/text/jsonText.ts';
import type { Span } from '../../model/text/spans.ts';
import { nearestName } from '../../model/text/suggest.ts';
import { misspelledField } from '../../model/variables/fieldSpelling.ts';
import { fitsType, formatValue } from '../../model/variables/values.ts';
import {
  type RejectedDeclaration,
  type RejectionReason,
  type VariableType,
  variableTypes,
} from '../../model/variables/variables.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import { convertTo, defaultFor, typeForAlias } from '../conversions.ts';
import { declarationNodes, declarationsLocation } from '../declarationLocations.ts';
import type { Fix } from '../finding.ts';
import { addMember, type JsonLocation, removeAt, replaceJson } from '../jsonEdits.ts';
import { misspelledFinding } from '../misspelledFields.ts';

/** Findings for declarations that are rejected for one of the reasons. */
export function rejectedFor(...reasons: readonly RejectionReason[]): (context: RuleContext) => RuleFinding[] {
  return (context) =>
    context.composition.variables.rejected
      .filter(({ reason }) => reasons.includes(reason))
      .map((rejected) => ({
        message: rejected.message,
        span: rejected.span,
        ...mediaType(context, rejected),
        related: firstDeclaration(context, rejected),
        fixes: rejectedFixes(context, rejected),
      }));
}

/** Types of other tools for the path of a file. A warning, because scripts and bindings work with their own fallbacks. */
const mediaTypes = ['image', 'video', 'audio', 'media', 'file', 'url'];

function mediaType(context: RuleContext, { reason, declarationSpan }: RejectedDeclaration): Partial<RuleFinding> {
  const node = declarationNodes(context).find((item) => item.span === declarationSpan);
  const written = reason === 'unknown-type' ? node && jsonMember(node, 'type')?.value : undefined;
  if (!node || written?.kind !== 'string' || !mediaTypes.includes(written.value.trim().toLowerCase())) return {};
  const given = jsonMember(node, 'default')?.value;
  if (given && given.kind !== 'string') return {};
  const message = `Unknown variable type ${formatValue(written.value)}; use "string", with the path of the file as its value`;
  return { message, severity: 'warning' };
}

/** Ids that are declared twice. If the first declaration is rejected, the second one is used, but still an error. */
export function duplicateVariables(context: RuleContext): RuleFinding[] {
  const { declared, rejected } = context.composition.variables;
  const items = declarationNodes(context);
  const afterRejected = declared.flatMap(({ declaration: { id }, idSpan, span }) => {
    const first = rejected.find((each) => each.id === id && each.declarationSpan.start < span.start);
    const node = items.find((item) => item.span === first?.declarationSpan);
    const firstId = node && jsonMember(node, 'id')?.value;
    if (!firstId) return [];
    const message = `"${id}" is already declared; the first declaration is invalid, so this one is used`;
    const related = [{ file: context.path, span: firstId.span, message: `"${id}" is declared here first` }];
    const remove = fixInFile(context, 'Remove the first declaration', [removeAt(items, items.indexOf(node))]);
    return [{ message, span: idSpan, related, fixes: [remove] }];
  });
  return [...rejectedFor('duplicate-id')(context), ...afterRejected];
}

function firstDeclaration({ composition, path }: RuleContext, { reason, id }: RejectedDeclaration) {
  const first = composition.variables.declared.find(({ declaration }) => declaration.id === id);
  return reason === 'duplicate-id' && first
    ? [{ file: path, span: first.idSpan, message: `"${first.declaration.id}" is declared here first` }]
    : [];
}

function rejectedFixes(context: RuleContext, rejected: RejectedDeclaration): Fix[] {
  const { reason, span, declarationSpan } = rejected;
  const place = declarationsLocation(context);
  const items = declarationNodes(context);
  const index = items.findIndex((item) => item.span === declarationSpan);
  const node = items[index];
  if (!place || node === undefined) return [];
  const remove = fixInFile(context, 'Remove the declaration', [removeAt(items, index)]);
  if (node.kind !== 'object') return [remove];
  const own = (title: string, edit: ReturnType<typeof replaceJson>, isSafe: boolean) =>
    fixInFile(context, title, [edit], isSafe);
  const value = (field: string): unknown => {
    const found = jsonMember(node, field)?.value;
    return found && jsonValue(found);
  };
  const meant = reason === 'missing-type' ? 'type' : reason === 'missing-id' ? 'id' : undefined;
  const misspelled = meant && misspelledField(node, meant);
  if (misspelled) return [...(misspelledFinding(context, place, misspelled, meant).fixes ?? [])];
  switch (reason) {
    case 'missing-type': {
      const type = typeFrom(value('default'), value('options'));
      return [own(`Add "type": "${type}"`, addMember(place, node, 'type', type), value('default') !== undefined)];
    }
    case 'unknown-type': {
      const written = value('type');
      const renamed = typeof written === 'string' ? typeForAlias(written) : undefined;
      const near = typeof written === 'string' ? nearestName(written, variableTypes) : undefined;
      const type = variableTypes.find((each) => each === (renamed ?? near)) ?? typeFrom(value('default'), undefined);
      const given = value('default');
      // Safe only if the default has this type too.
      const isSafe = (renamed ?? near) !== undefined && given !== undefined && fitsType(type, given);
      const change = own(`Change the type to "${type}"`, replaceJson(place, span, type), isSafe);
      return [isSafe ? change : { ...change, isPreferred: true }, remove];
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

function defaultFixes(context: RuleContext, place: JsonLocation, span: Span, type: unknown, value: unknown): Fix[] {
  const known = variableTypes.find((each) => each === type);
  const converted = known && convertTo(known, value);
  const fixes: Fix[] = [];
  if (converted !== undefined) {
    fixes.push(fixInFile(context, `Change to ${formatValue(converted)}`, [replaceJson(place, span, converted)], true));
  } else if (known) {
    const plain = defaultFor({ id: '', type: known });
    fixes.push(fixInFile(context, `Change to ${formatValue(plain)}`, [replaceJson(place, span, plain)]));
  }
  return fixes;
}

/** Infers the type from a default or options. */
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
