// Rules for declarations that nothing uses, because an id, a type or a default is wrong; and what puts them right.
import { jsonMember, jsonValue } from '../model/jsonText.ts';
import type { Span } from '../model/spans.ts';
import { nearestName } from '../model/suggest.ts';
import { fitsType, shortForm } from '../model/values.ts';
import {
  type RejectedDeclaration,
  type RejectionReason,
  type VariableType,
  variableTypes,
} from '../model/variables.ts';
import { type Found, fixHere, type RuleContext } from './context.ts';
import { convertTo, defaultFor, typeByOtherName } from './conversions.ts';
import { itemsOf, placeOf } from './declarationPlaces.ts';
import type { Fix } from './finding.ts';
import { addMember, type JsonPlace, removeAt, replaceJson } from './jsonEdits.ts';

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
