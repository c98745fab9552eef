// Rules for declarations of variables: invalid JSON, missing fields, wrong element.
import { attr } from '../../model/attributes.ts';
import { type JsonNode, jsonMember, jsonValue } from '../../model/text/jsonText.ts';
import { type Span, textOf } from '../../model/text/spans.ts';
import { misspelledField } from '../../model/variables/fieldSpelling.ts';
import { isPlaceholder } from '../../model/variables/placeholders.ts';
import { fitsType, formatValue } from '../../model/variables/values.ts';
import type { VariableDeclaration } from '../../model/variables/variables.ts';
import { addAttribute, removeAttribute } from '../attributeEdits.ts';
import { fixInFile, likelyFix, type RuleContext, type RuleFinding } from '../context.ts';
import { defaultFor, labelFor } from '../conversions.ts';
import { declarationNodes, declarationsLocation } from '../declarationLocations.ts';
import { declarationsElement } from '../declare.ts';
import type { Fix, TextEdit } from '../finding.ts';
import { addItem, addMember, replaceJson } from '../jsonEdits.ts';
import { jsonFixes } from '../jsonFixes.ts';
import { type Misplaced, misplacedIn } from '../misplacedDeclarations.ts';
import { misspelledFinding } from '../misspelledFields.ts';

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
  // A placeholder cannot be written in other quotes than the author's.
  if (!place || root?.kind !== 'object' || isPlaceholder(textOf(context.text, root.span))) return [];
  const array = arrayOf(root);
  if (!array) return [];
  return [fixInFile(context, 'Convert to an array', [replaceJson(place, root.span, array)], true)];
}

/** The declarations of an object: a single one, one for each member, or the only member, such as `{"variables": …}`. */
function arrayOf(root: JsonNode & { kind: 'object' }): unknown[] | undefined {
  if (jsonMember(root, 'id') && jsonMember(root, 'type')) return [jsonValue(root)];
  const [only, ...others] = root.members;
  if (only?.value?.kind === 'array' && others.length === 0) return only.value.items.map(jsonValue);
  const properties = jsonMember(root, 'properties')?.value;
  if (properties?.kind === 'object') return arrayOf(properties);
  const isDeclared = root.members.every(({ value }) => value?.kind === 'object');
  return isDeclared
    ? root.members.map(({ key, value }) => ({ id: key, ...(value ? (jsonValue(value) as object) : {}) }))
    : undefined;
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
    const misspelled = misspelledField(node, field, declared.declaration?.type);
    if (misspelled) return [misspelledFinding(context, place, misspelled, field)];
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

/** Declarations on an element on which they are ignored. */
export function misplacedDeclarations(context: RuleContext): RuleFinding[] {
  const { composition, text, path } = context;
  const used = composition.variables.span;
  return misplacedIn(composition).map((misplaced) => {
    const { element, attribute } = misplaced;
    const reason = used
      ? ': this file declares its variables on another element'
      : '; put them on <html>, or on the root composition of a fragment';
    const related = used ? [{ file: path, span: used, message: 'These declarations are used' }] : [];
    const message = `Declarations on <${element.tag}> are ignored${reason}`;
    const remove = fixInFile(context, 'Remove these declarations', [removeAttribute(text, attribute)]);
    return { message, span: attribute.nameSpan, related, fixes: [...moveFix(context, misplaced), remove] };
  });
}

/** Moves the declarations to the element where they are used; to existing ones, it adds those with other ids. */
function moveFix(context: RuleContext, { attribute, declarations }: Misplaced): Fix[] {
  const { composition, text } = context;
  const { variables } = composition;
  const home = declarationsElement(composition);
  if (!home || !attribute.valueSpan) return [];
  const title = `Move the declarations to <${home.tag}>`;
  const remove = removeAttribute(text, attribute);
  if (!variables.span) {
    const value = addAttribute(home, attr.compositionVariables, attribute.value);
    const move = fixInFile(context, title, [remove, value].sort(byPosition), declarations.problem === undefined);
    return [{ ...move, isPreferred: true }];
  }
  const root = variables.problem ? undefined : variables.json?.root;
  const moved = declarations.problem ? undefined : declarations.json?.root;
  if (root?.kind !== 'array' || moved?.kind !== 'array') return [];
  const known = new Set(composition.declarations.map(({ id }) => id));
  const missing = moved.items.map(jsonValue).filter((item) => !known.has((item as { id?: string } | null)?.id ?? ''));
  if (missing.length === 0) return [];
  const items = missing.map((item) => addItem({ text, span: variables.span ?? root.span }, root, item));
  // All items are inserted at the same offset, so one edit suffices.
  const [first] = items;
  const add = first && { span: first.span, text: items.map((item) => item.text).join('') };
  return add ? [likelyFix(context, title, [remove, add].sort(byPosition))] : [];
}

const byPosition = (a: TextEdit, b: TextEdit): number => a.span.start - b.span.start;
