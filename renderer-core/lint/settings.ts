// Rule levels of a project: `framework.json` and the command line override the defaults of the rule table.
import type { AttributeText } from '../model/attributeText.ts';
import { type JsonNode, jsonMember, readJson } from '../model/jsonText.ts';
import { lineAndColumn, type Span } from '../model/spans.ts';
import { didYouMean } from '../model/suggest.ts';
import type { FindingSeverity } from './finding.ts';

export type RuleLevel = FindingSeverity | 'off';

/** Levels by rule id. Other rules keep the severity of their findings. */
export type LintSettings = { rules: Readonly<Record<string, RuleLevel>> };

/** A problem in a configuration file. Its valid parts are still used. */
export type ConfigProblem = { message: string; span: Span; line: number; column: number };

/** The configuration file in the project folder. */
export const configFile = 'framework.json';

export const ruleLevels: readonly RuleLevel[] = ['off', 'hint', 'info', 'warning', 'error'];

export const defaultSettings: LintSettings = { rules: {} };

export function isRuleLevel(text: unknown): text is RuleLevel {
  return ruleLevels.some((level) => level === text);
}

/**
 * Reads `{"lint": {"rules": {"unused-variable": "off"}}}` and ignores other keys. `known` are the ids of all rules; other
 * ids are reported as problems. Never throws.
 */
export function readLintConfig(
  text: string,
  known?: Iterable<string>,
): { settings: LintSettings; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const complain = (message: string, span: Span) =>
    problems.push({ message, span, ...lineAndColumn(text, span.start) });
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const source: AttributeText = {
    text: text.slice(start),
    span: { start, end: text.length },
    quote: "'",
    steps: [0, start],
  };
  const { root, problem } = readJson(source, { isFile: true, name: configFile });
  if (problem) {
    complain(problem.message, problem.span);
    return { settings: defaultSettings, problems };
  }
  const settings = root && object(object({ value: root, name: configFile }, 'lint', complain), 'rules', complain);
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

type Named = { value: JsonNode; name: string };

/** The object of a key; undefined if there is none. */
function object(
  parent: Named | undefined,
  key: string,
  complain: (message: string, span: Span) => void,
): Named | undefined {
  if (!parent) return undefined;
  if (parent.value.kind !== 'object') {
    complain(`${parent.name} must contain a JSON object`, parent.value.span);
    return undefined;
  }
  const value = jsonMember(parent.value, key)?.value;
  if (value && value.kind !== 'object') complain(`"${key}" must be a JSON object`, value.span);
  return value?.kind === 'object' ? { value, name: `"${key}"` } : undefined;
}
