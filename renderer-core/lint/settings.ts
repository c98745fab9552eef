// Rule levels of a project: `framework.json` and the command line override the defaults of the rule table.
import { type ConfigProblem, objectAt, readProjectConfig } from '../model/projectConfig.ts';
import { didYouMean } from '../model/text/suggest.ts';
import type { FindingSeverity } from './finding.ts';

export type RuleLevel = FindingSeverity | 'off';

/** Levels by rule id. Other rules keep the severity of their findings. */
export type LintSettings = { rules: Readonly<Record<string, RuleLevel>> };

export const ruleLevels: readonly RuleLevel[] = ['off', 'hint', 'info', 'warning', 'error'];

export const defaultSettings: LintSettings = { rules: {} };

export function isRuleLevel(text: unknown): text is RuleLevel {
  return ruleLevels.some((level) => level === text);
}

/**
 * Reads `{"lint": {"rules": {"unused-variable": "off"}}}`. `known` are the ids of all rules; other ids are reported as
 * problems, like those of keys that renders use. Never throws.
 */
export function readLintConfig(
  text: string,
  known?: Iterable<string>,
): { settings: LintSettings; problems: ConfigProblem[] } {
  const { root, problems, complain } = readProjectConfig(text);
  const settings = objectAt(objectAt(root, 'lint', complain), 'rules', complain);
  const rules: Record<string, RuleLevel> = {};
  const ids = known && [...known];
  for (const { key, keySpan, value } of settings?.value.kind === 'object' ? settings.value.members : []) {
    if (!value) continue;
    const level = value.kind === 'string' ? value.value : undefined;
    if (ids && !ids.includes(key)) complain(`Unknown rule "${key}"${didYouMean(key, ids)}`, keySpan);
    else if (!isRuleLevel(level)) {
      complain(`The level of "${key}" must be one of ${ruleLevels.join(', ')}`, value.span);
    } else rules[key] = level;
  }
  return { settings: { rules }, problems };
}
