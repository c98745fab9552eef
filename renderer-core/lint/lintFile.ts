// Lints one file: runs all rules, then applies the levels of the settings and the ignore comments.

import { textOf } from '../model/text/spans.ts';
import { nearestName } from '../model/text/suggest.ts';
import { isPlaceholder } from '../model/variables/placeholders.ts';
import { checks, isCheck } from './checkTable.ts';
import { createContext, fixInFile, likelyFix, type RuleContext, type RuleFinding } from './context.ts';
import type { Finding } from './finding.ts';
import { findIgnores, type Ignore, silences } from './ignores.ts';
import type { Project } from './project.ts';
import { type Rule, rules, unknownRule, unusedIgnore } from './ruleTable.ts';
import type { LintSettings } from './settings.ts';

/** The findings of a file in source order; none for a file that is not a composition. Pure, never throws. */
export function lintFile(project: Project, path: string, settings: LintSettings): Finding[] {
  const composition = project.composition(path);
  if (!composition) return [];
  const context = createContext(project, path, composition);
  const ignores = findIgnores(composition);
  const used = new Set<Ignore>();
  const findings: Finding[] = [];
  for (const rule of rules) {
    // A rule that is off does not run, so it is unknown what its comments would ignore. Treat them as used.
    if (settings.rules[rule.id] === 'off') for (const ignore of ignores) markUsed(ignore, rule.id, used);
    else {
      for (const found of rule.check(context)) {
        if (isAboutPlaceholder(context, found)) continue;
        const ignore = ignores.find((each) => silences(each, rule.id, found));
        if (ignore) used.add(ignore);
        else findings.push(finding(context, rule, found, settings));
      }
    }
  }
  findings.push(...ignoreFindings(context, ignores, used, settings));
  return findings.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** An element, an object or an array, in which the author's own mistakes can be next to placeholders. */
const hasParts = /^(?:<\/?[a-z]|\{\s*(?:["}]|$)|\[\s*(?:["{\]]|\[["[{\d]|$))/i;

/** Whether a placeholder of a template engine is in the place of the value that a finding is about. */
function isAboutPlaceholder({ text }: RuleContext, { span, isCertain }: RuleFinding): boolean {
  const written = textOf(text, span);
  return !isCertain && !hasParts.test(written) && isPlaceholder(written);
}

function markUsed(ignore: Ignore, id: string, used: Set<Ignore>): void {
  if (ignore.names.some(({ name }) => name === id)) used.add(ignore);
}

function finding({ path }: RuleContext, rule: Rule, found: RuleFinding, settings: LintSettings): Finding {
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
    ...(found.fonts ? { fonts: found.fonts } : {}),
  };
}

/** Findings about the ignore comments themselves. */
function ignoreFindings(
  context: RuleContext,
  ignores: readonly Ignore[],
  used: ReadonlySet<Ignore>,
  settings: LintSettings,
): Finding[] {
  const ids = [...rules, ...checks].map(({ id }) => id);
  const add = (id: string, found: RuleFinding): Finding[] => {
    const rule = rules.find((each) => each.id === id);
    return rule && settings.rules[id] !== 'off' ? [finding(context, rule, found, settings)] : [];
  };
  return ignores.flatMap((ignore) => {
    const unknown = ignore.names.filter(({ name }) => !ids.includes(name));
    const findings = unknown.flatMap(({ name, span }) => {
      const near = nearestName(name, ids);
      const fixes = near ? [likelyFix(context, `Change to "${near}"`, [{ span, text: near }])] : [];
      return add(unknownRule, {
        message: `Unknown rule "${name}"${near ? `; did you mean "${near}"?` : ''}`,
        span,
        fixes,
      });
    });
    const { span, names } = ignore;
    if (names.length === 0) {
      return add(unusedIgnore, {
        message: 'The ignore comment names no rule; add a rule id or remove the comment',
        span,
      });
    }
    // Only a check knows what the comment ignores.
    if (used.has(ignore) || unknown.length > 0 || names.some(({ name }) => isCheck(name))) return findings;
    const where = ignore.kind === 'file' ? 'in this file' : 'on the next line';
    const message = `The ignore comment has no effect: there is nothing to ignore ${where}`;
    return [
      ...findings,
      ...add(unusedIgnore, {
        message,
        span,
        fixes: [fixInFile(context, 'Remove the comment', [{ span, text: '' }])],
      }),
    ];
  });
}
