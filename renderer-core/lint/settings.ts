// How severe each rule is for a project: what `framework.json` and the command line say over the table's defaults.
import { type JsonNode, jsonMember, readJson } from '../model/jsonText.ts';
import { lineAndColumn, type Span } from '../model/spans.ts';
import { didYouMean } from '../model/suggest.ts';
import type { FindingSeverity } from './finding.ts';

export type RuleLevel = FindingSeverity | 'off';

/** Levels by rule id. A rule that is not named keeps the severity of its findings. */
export type LintSettings = { rules: Readonly<Record<string, RuleLevel>> };

/** Something wrong in a configuration file; its other parts still count. */
export type ConfigProblem = { message: string; span: Span; line: number; column: number };

/** The file in the project folder that holds them. */
export const configFile = 'framework.json';

export const ruleLevels: readonly RuleLevel[] = ['off', 'hint', 'info', 'warning', 'error'];

export const defaultSettings: LintSettings = { rules: {} };

export function isRuleLevel(text: unknown): text is RuleLevel {
  return ruleLevels.some((level) => level === text);
}

/**
 * Reads `{"lint": {"rules": {"unused-variable": "off"}}}`; other keys of the file are not the linter's. `known` are the
 * ids of all rules: others are a problem. Never throws.
 */
export function readLintConfig(
  text: string,
  known?: Iterable<string>,
): { settings: LintSettings; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const complain = (message: string, span: Span) =>
    problems.push({ message, span, ...lineAndColumn(text, span.start) });
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  // Read as an attribute in single quotes would be, whose only advice of its own is about apostrophes.
  const { root, problem } = readJson({
    text: text.slice(start),
    span: { start, end: text.length },
    quote: "'",
    steps: [0, start],
  });
  if (problem) {
    complain(problem.message.replace(/; write an apostrophe .*$/, ''), problem.span);
    return { settings: defaultSettings, problems };
  }
  const settings = root && object(object({ value: root, name: configFile }, 'lint', complain), 'rules', complain);
  const rules: Record<string, RuleLevel> = {};
  const ids = known && [...known];
  for (const { key, keySpan, value } of settings?.value.kind === 'object' ? settings.value.members : []) {
    if (!value) continue;
    const level = value.kind === 'string' ? value.value : undefined;
    if (ids && !ids.includes(key)) complain(`There is no rule "${key}"${didYouMean(key, ids)}`, keySpan);
    else if (!isRuleLevel(level)) {
      complain(`The level of "${key}" must be one of ${ruleLevels.join(', ')}`, value.span);
    } else rules[key] = level;
  }
  return { settings: { rules }, problems };
}

type Named = { value: JsonNode; name: string };

/** The object under a key; undefined when there is none. */
function object(
  parent: Named | undefined,
  key: string,
  complain: (message: string, span: Span) => void,
): Named | undefined {
  if (!parent) return undefined;
  if (parent.value.kind !== 'object') {
    complain(`${parent.name} must hold a JSON object, {…}`, parent.value.span);
    return undefined;
  }
  const value = jsonMember(parent.value, key)?.value;
  if (value && value.kind !== 'object') complain(`"${key}" must be a JSON object, {…}`, value.span);
  return value?.kind === 'object' ? { value, name: `"${key}"` } : undefined;
}
