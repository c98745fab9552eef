// Rules for `data-variable-values`: the values of an instance compared with the declarations of its composition.
import type { Composition } from '../../model/composition.ts';
import type { InstanceValue } from '../../model/instances.ts';
import { nearestName } from '../../model/text/suggest.ts';
import { describeMismatch, passedMismatch } from '../../model/variables/passedTypes.ts';
import { passedName } from '../../model/variables/passedValues.ts';
import { areKnown, invalidIds } from '../../model/variables/readDeclarations.ts';
import type { ValueIssue } from '../../model/variables/valueIssue.ts';
import { checkValues, formatValue, inFile } from '../../model/variables/values.ts';
import type { VariableDeclaration } from '../../model/variables/variables.ts';
import { fixInFile, type Instance, likelyFix, type RuleContext, type RuleFinding } from '../context.ts';
import { convertFor, copyDeclaration, declarationFor } from '../conversions.ts';
import { declareFix } from '../declare.ts';
import type { Fix } from '../finding.ts';
import { type JsonLocation, removeAt, replaceJson } from '../jsonEdits.ts';
import { jsonFixes } from '../jsonFixes.ts';
import { misplacedIds } from '../misplacedDeclarations.ts';
import { optionFixes } from '../optionFixes.ts';

/** Values that are not a JSON object. */
export function invalidValues(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  return [...composition.hosts, ...composition.inlineCompositions].flatMap(({ values }) =>
    values?.problem ? [{ ...values.problem, fixes: jsonFixes(context, values.span, values.problem) }] : [],
  );
}

/** Findings for one kind of issue. */
export function valueIssues(kind: ValueIssue['kind']): (context: RuleContext) => RuleFinding[] {
  return (context) =>
    context.instances().flatMap((instance) => {
      // Invalid declarations are a separate error, and values cannot be checked against them.
      if (!areKnown(instance.target.composition.variables)) return [];
      const broken = brokenIds(instance.target.composition);
      if (broken === 'unknown') return [];
      return instance.values.entries.flatMap((entry, index) =>
        broken.has(entry.id) ? [] : check(context, instance, entry, index, kind),
      );
    });
}

/** Variables whose declaration is invalid or on the wrong element, which is a finding of its own. */
function brokenIds(composition: Composition): ReadonlySet<string> | 'unknown' {
  const misplaced = misplacedIds(composition);
  const valid = new Set(composition.declarations.map(({ id }) => id));
  const invalid = invalidIds(composition.variables).filter((id) => !valid.has(id));
  return misplaced === 'unknown' ? misplaced : new Set([...misplaced, ...invalid]);
}

function check(
  context: RuleContext,
  instance: Instance,
  entry: InstanceValue,
  index: number,
  kind: ValueIssue['kind'],
): RuleFinding[] {
  const { target } = instance;
  const { declarations } = target.composition;
  const declared = declarations.find(({ id }) => id === entry.id);
  const relevant = declared ? [declared] : declarations;
  if (declared && passedName(entry.value) !== undefined) return checkPassed(context, instance, entry, index, kind);
  const [issue] = checkValues(relevant, Object.fromEntries([[entry.id, entry.value]]));
  if (issue?.kind !== kind) return [];
  if (kind === 'undeclared') return [undeclared(context, instance, entry, index, issue.message)];
  const related = declaredHere(target, entry.id, 'The variable is declared here');
  const place = { text: context.text, span: instance.values.span };
  const fixes = declared ? betterValues(context, place, declared, entry) : [];
  fixes.push(fixInFile(context, `Remove "${entry.id}"`, [removeAt(instance.values.entries, index)]));
  return [{ message: issue.message, span: entry.valueSpan, related, fixes }];
}

/** A value that is a reference: the declarations of both variables are compared. */
function checkPassed(
  context: RuleContext,
  { target, values }: Instance,
  entry: InstanceValue,
  index: number,
  kind: ValueIssue['kind'],
): RuleFinding[] {
  const source = context.composition.declarations.find(({ id }) => id === passedName(entry.value));
  const declared = target.composition.declarations.find(({ id }) => id === entry.id);
  if (!source || !declared || passedMismatch(source, declared) !== kind) return [];
  const related = [
    ...declaredHere(context, source.id, `"${source.id}" is declared here`),
    ...declaredHere(target, entry.id, `"${entry.id}" is declared here`),
  ];
  const message = describeMismatch(source, declared, String(entry.value).trim());
  const fixes = [fixInFile(context, `Remove "${entry.id}"`, [removeAt(values.entries, index)])];
  // `${name}` is a reference here, and not a placeholder.
  return [{ message, span: entry.valueSpan, related, fixes, isCertain: true }];
}

function declaredHere({ path, composition }: Instance['target'], id: string, message: string) {
  const variable = composition.variables.declared.find(({ declaration }) => declaration.id === id);
  return variable ? [{ file: path, span: variable.idSpan, message }] : [];
}

function betterValues(
  context: RuleContext,
  place: JsonLocation,
  declared: VariableDeclaration,
  { value, valueSpan }: InstanceValue,
): Fix[] {
  if (declared.type === 'enum') return optionFixes(context, place, valueSpan, declared, value);
  const better = convertFor(declared, value);
  if (better === undefined) return [];
  return [fixInFile(context, `Change to ${formatValue(better)}`, [replaceJson(place, valueSpan, better)], true)];
}

function undeclared(
  context: RuleContext,
  { target, values }: Instance,
  entry: InstanceValue,
  index: number,
  message: string,
): RuleFinding {
  const place = { text: context.text, span: values.span };
  const given = new Set(values.entries.map(({ id }) => id));
  const free = target.composition.declarations.map(({ id }) => id).filter((id) => !given.has(id));
  const near = nearestName(entry.id, free);
  const fixes: Fix[] = near
    ? [likelyFix(context, `Change to "${near}"`, [replaceJson(place, entry.keySpan, near)])]
    : [];
  const declare = declareFix(target.path, target.composition, declarationOf(context, entry));
  if (declare) {
    fixes.push(target.path === context.path ? declare : { ...declare, title: `${declare.title} in ${target.path}` });
  }
  fixes.push(fixInFile(context, `Remove "${entry.id}"`, [removeAt(values.entries, index)]));
  const related = near === undefined ? [] : declaredHere(target, near, `"${near}" is declared here`);
  return {
    message: target.path === context.path ? message : inFile(message, target.path),
    span: entry.keySpan,
    related,
    fixes,
  };
}

/** A declaration for the value, or one like that of the variable that is passed on. */
function declarationOf({ composition }: RuleContext, { id, value }: InstanceValue): VariableDeclaration {
  const name = passedName(value);
  const source = composition.declarations.find((declaration) => declaration.id === name);
  return source ? copyDeclaration(source, id) : declarationFor(id, name === undefined ? value : '');
}

/** Repeated keys, of which only the last one is used. */
export function duplicateValues(context: RuleContext): RuleFinding[] {
  return [...context.composition.hosts, ...context.composition.inlineCompositions].flatMap(({ values }) => {
    const entries = values?.entries ?? [];
    const last = new Map(entries.map((entry, index) => [entry.id, index]));
    return entries.flatMap((entry, index) => {
      const counts = entries[last.get(entry.id) ?? index];
      if (!counts || counts === entry) return [];
      const related = [{ file: context.path, span: counts.keySpan, message: 'This value is used' }];
      const fixes = [fixInFile(context, 'Remove this value', [removeAt(entries, index)], true)];
      return [
        {
          message: `"${entry.id}" is given again below; this value has no effect`,
          span: entry.keySpan,
          related,
          fixes,
        },
      ];
    });
  });
}
