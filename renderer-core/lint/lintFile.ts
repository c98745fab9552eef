// Everything that is wrong with one file: every rule over its model, the levels of the settings, the comments that ignore.
import { nearestName } from '../model/suggest.ts';
import { createContext, type Found, fixHere, type RuleContext } from './context.ts';
import type { Finding } from './finding.ts';
import { findIgnores, type Ignore } from './ignores.ts';
import type { Project } from './project.ts';
import { type Rule, rules, unknownRule, unusedIgnore } from './rules.ts';
import type { LintSettings } from './settings.ts';

/** Findings of the file at `path`, in the order they stand. Pure; never throws. A file that is no composition has none. */
export function lintFile(project: Project, path: string, settings: LintSettings): Finding[] {
  const composition = project.composition(path);
  if (!composition) return [];
  const context = createContext(project, path, composition);
  const ignores = findIgnores(composition);
  const used = new Set<Ignore>();
  const findings: Finding[] = [];
  for (const rule of rules) {
    // A rule that is off is not run, so what its comments would silence is not known: they count as used.
    if (settings.rules[rule.id] === 'off') for (const ignore of ignores) noteNames(ignore, rule.id, used);
    else {
      for (const found of rule.check(context)) {
        const ignore = ignores.find((each) => silences(each, rule.id, found));
        if (ignore) used.add(ignore);
        else findings.push(finding(context, rule, found, settings));
      }
    }
  }
  findings.push(...ignoreFindings(context, ignores, used, settings));
  return findings.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

function silences({ names, covers }: Ignore, id: string, { span }: Found): boolean {
  return (
    covers.start <= span.start &&
    span.start < Math.max(covers.end, covers.start + 1) &&
    names.some(({ name }) => name === id)
  );
}

function noteNames(ignore: Ignore, id: string, used: Set<Ignore>): void {
  if (ignore.names.some(({ name }) => name === id)) used.add(ignore);
}

function finding({ path }: RuleContext, rule: Rule, found: Found, settings: LintSettings): Finding {
  const level = Object.hasOwn(settings.rules, rule.id) ? settings.rules[rule.id] : undefined;
  return {
    rule: rule.id,
    severity: level === undefined || level === 'off' ? (found.severity ?? rule.severity) : level,
    message: found.message,
    file: path,
    span: { start: found.span.start, end: found.span.end },
    related: found.related ?? [],
    fixes: found.fixes ?? [],
    ...(found.isUnnecessary ? { isUnnecessary: true } : {}),
  };
}

/** What is wrong with the comments themselves. */
function ignoreFindings(
  context: RuleContext,
  ignores: readonly Ignore[],
  used: ReadonlySet<Ignore>,
  settings: LintSettings,
): Finding[] {
  const ids = rules.map(({ id }) => id);
  const add = (id: string, found: Found): Finding[] => {
    const rule = rules.find((each) => each.id === id);
    return rule && settings.rules[id] !== 'off' ? [finding(context, rule, found, settings)] : [];
  };
  return ignores.flatMap((ignore) => {
    const unknown = ignore.names.filter(({ name }) => !ids.includes(name));
    const findings = unknown.flatMap(({ name, span }) => {
      const near = nearestName(name, ids);
      const fixes = near ? [fixHere(context, `Change to "${near}"`, [{ span, text: near }])] : [];
      return add(unknownRule, {
        message: `There is no rule "${name}"${near ? `; did you mean "${near}"?` : ''}`,
        span,
        fixes,
      });
    });
    const { span, names } = ignore;
    if (names.length === 0) {
      return add(unusedIgnore, { message: 'This comment names no rule, so it ignores nothing', span });
    }
    if (used.has(ignore) || unknown.length > 0) return findings;
    const where = ignore.kind === 'file' ? 'in this file' : 'on the next line';
    const message = `There is nothing to ignore ${where}; the comment can go`;
    return [
      ...findings,
      ...add(unusedIgnore, { message, span, fixes: [fixHere(context, 'Remove the comment', [{ span, text: '' }])] }),
    ];
  });
}
