// Rules for reads of variables in bindings, gradings and scripts, and for unused variables.

import { encodeAttributeText } from '../../model/text/attributeText.ts';
import type { Span } from '../../model/text/spans.ts';
import { nearestName } from '../../model/text/suggest.ts';
import { areKnown, invalidIds } from '../../model/variables/readDeclarations.ts';
import { formatValue } from '../../model/variables/values.ts';
import type { VariableRead } from '../../model/variables/variableReads.ts';
import type { VariableDeclaration, VariableValue } from '../../model/variables/variables.ts';
import { quoteAround } from '../attributeEdits.ts';
import { fixInFile, type Instance, likelyFix, type RuleContext, type RuleFinding } from '../context.ts';
import { copyDeclaration, declarationFor } from '../conversions.ts';
import { declareFix } from '../declare.ts';
import type { Fix } from '../finding.ts';
import { removeAt } from '../jsonEdits.ts';

/** Findings for reads of undeclared variables. */
export function undeclaredReads(...kinds: readonly VariableRead['by'][]): (context: RuleContext) => RuleFinding[] {
  return (context) => {
    const { composition } = context;
    // Invalid declarations are a separate error that would cause a finding for every read.
    if (!areKnown(composition.variables)) return [];
    const ids = new Set(composition.declarations.map(({ id }) => id));
    return undeclaredIn(context)
      .filter(({ by }) => kinds.includes(by))
      .map((read) => undeclared(context, read, ids));
  };
}

/** The reads of variables without a declaration. One that is invalid or on the wrong element is a finding of its own. */
function undeclaredIn(context: RuleContext): VariableRead[] {
  const { declarations, variables } = context.composition;
  const known = new Set([...declarations.map(({ id }) => id), ...invalidIds(variables)]);
  const misplaced = context.misplacedIds();
  return context.reads().reads.filter(({ id }) => !known.has(id) && misplaced !== 'unknown' && !misplaced.has(id));
}

function undeclared(context: RuleContext, read: VariableRead, ids: ReadonlySet<string>): RuleFinding {
  const { composition, path } = context;
  const { id, span } = read;
  const near = nearestName(id, ids);
  const fixes: Fix[] = [];
  if (near !== undefined)
    fixes.push(likelyFix(context, `Change to "${near}"`, [{ span, text: renamed(context, read, near) }]));
  const declare = id === '' ? undefined : declareFix(path, composition, declarationOf(context, read));
  if (declare) fixes.push(declare);
  const meant = composition.variables.declared.find(({ declaration }) => declaration.id === near);
  const related = meant
    ? [{ file: path, span: meant.idSpan, message: `"${meant.declaration.id}" is declared here` }]
    : [];
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return {
    message: id === '' ? 'The id of a variable is missing' : `Variable "${id}" is not declared${hint}`,
    span,
    related,
    fixes,
  };
}

/** A declaration for an undeclared variable: like that of the variable that it is passed to, or for the fallback of a script. */
function declarationOf(context: RuleContext, { id, span, by, default: fallback }: VariableRead): VariableDeclaration {
  const passed = by === 'value' ? context.instances().flatMap((instance) => targetAt(instance, span)) : [];
  const [like] = passed;
  return like ? copyDeclaration(like, id) : declarationFor(id, fallback?.value ?? '');
}

/** The embedded composition's variable whose value is at a span. */
function targetAt({ values, target }: Instance, { start }: Span): VariableDeclaration[] {
  const entry = values.entries.find(({ valueSpan }) => valueSpan.start <= start && start < valueSpan.end);
  return target.composition.declarations.filter(({ id }) => id === entry?.id);
}

const bareName = /^[A-Za-z_$][\w$]*$/;

/** The text of another id in the notation of this read. */
function renamed({ text }: RuleContext, { id, span, by, isShorthand }: VariableRead, near: string): string {
  if (by !== 'script') {
    const written = by === 'grading' || by === 'value' ? JSON.stringify(near).slice(1, -1) : near;
    return encodeAttributeText(written, quoteOf(text, span.start));
  }
  const isText = /["'`]/.test(text[span.start - 1] ?? '');
  if (isText) return near;
  // Only an identifier can follow a dot; a key can also be in quotes.
  const key = bareName.test(near) || text[span.start - 1] === '.' ? near : JSON.stringify(near);
  return isShorthand ? `${key}: ${id}` : key;
}

/** The quotes of the attribute at an offset: the nearest quote before it that follows a `=`. */
function quoteOf(text: string, offset: number): '"' | "'" | '' {
  const at = Math.max(text.lastIndexOf('="', offset), text.lastIndexOf("='", offset));
  return at < 0 ? '' : quoteAround(text, { start: at + 2, end: at + 2 });
}

/** Fallbacks in scripts that differ from the declared default. They are never used, and misleading. */
export function differentDefaults(context: RuleContext): RuleFinding[] {
  const declared = new Map(context.composition.variables.declared.map((each) => [each.declaration.id, each]));
  return context.reads().reads.flatMap((read) => {
    const variable = declared.get(read.id);
    const value = variable?.declaration.default;
    if (!variable || value === undefined || !read.default) return [];
    const { value: given, span } = read.default;
    if (given === undefined || isSame(given, value)) return [];
    const related = variable.fields.default
      ? [{ file: context.path, span: variable.fields.default.valueSpan, message: 'The declared default' }]
      : [];
    const message = `The fallback ${formatValue(given)} is never used: the declared default of "${read.id}" is ${formatValue(value)}`;
    const edit = { span, text: literal(value, context.text[span.start]) };
    return [{ message, span, related, fixes: [fixInFile(context, `Change to ${formatValue(value)}`, [edit], true)] }];
  });
}

function isSame(given: unknown, declared: VariableValue): boolean {
  const plain = (value: unknown) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : value;
  return plain(given) === plain(declared);
}

/** A value as a JavaScript literal in the given quotes. */
function literal(value: VariableValue, quote: string | undefined): string {
  if (typeof value !== 'string') return String(value);
  // `</script` and `<!--` would end or change the script element.
  const double = JSON.stringify(value).replaceAll('<', '\\u003c');
  if (quote !== "'") return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Variables that nothing in the file reads, if all reads are known. */
export function unusedVariables(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  if (composition.variables.declared.length === 0) return [];
  const { reads, isComplete } = context.reads();
  if (!isComplete) return [];
  const ids = composition.declarations.map(({ id }) => id);
  // A variable whose only read is misspelled has that finding already.
  const meant = undeclaredIn(context).map(({ id }) => nearestName(id, ids));
  const used = new Set([...reads.map(({ id }) => id), ...meant]);
  const root = composition.variables.json?.root;
  const items = root?.kind === 'array' ? root.items : [];
  return composition.variables.declared
    .filter(({ declaration }) => !used.has(declaration.id))
    .map(({ declaration, span, idSpan }) => {
      const index = items.findIndex((item) => item.span === span);
      const fixes = [fixInFile(context, `Remove the variable "${declaration.id}"`, [removeAt(items, index)])];
      const message = `Variable "${declaration.id}" is declared but never read in this file`;
      return { message, span: idSpan, fixes, isUnnecessary: true };
    });
}
