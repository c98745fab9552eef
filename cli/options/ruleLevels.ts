// Reads --rule: severities of rules of the linter, and of checks.
import { UserError } from '../../renderer-core/errors.ts';
import { checks } from '../../renderer-core/lint/checkTable.ts';
import { rules } from '../../renderer-core/lint/ruleTable.ts';
import { isRuleLevel, type RuleLevel, ruleLevels } from '../../renderer-core/lint/settings.ts';
import { didYouMean } from '../../renderer-core/model/text/suggest.ts';

/** Values such as `unused-variable=off`. */
export function readLevels(given: readonly string[]): Record<string, RuleLevel> {
  const result: Record<string, RuleLevel> = {};
  const ids = [...rules, ...checks].map(({ id }) => id);
  for (const text of given) {
    const [id = '', level, ...rest] = text.split('=');
    if (!ids.includes(id)) {
      throw new UserError('usage', `unknown rule "${id}"${didYouMean(id, ids)}`, {
        hint: 'See docs/rules.md for all rules.',
      });
    }
    if (!isRuleLevel(level) || rest.length > 0) {
      throw new UserError('usage', `--rule must be <rule>=<level> (got "${text}")`, {
        hint: `Levels: ${ruleLevels.join(', ')}.`,
      });
    }
    result[id] = level;
  }
  return result;
}
