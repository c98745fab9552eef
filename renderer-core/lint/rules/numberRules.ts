// Rules for number attributes: values that are not a number, and numbers out of range.
import { attr } from '../../model/attributes.ts';
import type { HtmlAttribute } from '../../model/text/html.ts';
import { percentValue } from '../../model/variables/fields.ts';
import { setAttribute } from '../attributeEdits.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import type { Fix } from '../finding.ts';

export function numberProblems(code: 'not-a-number' | 'out-of-range'): (context: RuleContext) => RuleFinding[] {
  return (context) => {
    const problems = context.composition.problems.filter((problem) => problem.code === code);
    if (problems.length === 0) return [];
    const attributes = new Map(
      context.composition.html.elements
        .flatMap((element) => [...element.attributes.values()])
        .map((attribute) => [(attribute.valueSpan ?? attribute.nameSpan).start, attribute]),
    );
    return problems.map(({ message, span, severity }) => {
      const attribute = attributes.get(span.start);
      return { message, span, severity, fixes: attribute ? numberFixes(context, attribute) : [] };
    });
  };
}

const isShare: readonly string[] = [attr.volume, attr.playbackRate];
const inSeconds: readonly string[] = [attr.start, attr.duration, attr.mediaStart, attr.posterTime];

function numberFixes(context: RuleContext, attribute: HtmlAttribute): Fix[] {
  const change = (value: string, isSafe: boolean) =>
    fixInFile(context, `Change to "${value}"`, [setAttribute(attribute, value)], isSafe);
  const unit = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*(s|sec|seconds?|ms|px|fps)\s*$/i.exec(attribute.value);
  const [, amount = '', name = ''] = unit ?? [];
  if (/^ms$/i.test(name))
    return inSeconds.includes(attribute.name) ? [change(String(Number(amount) / 1000), true)] : [];
  if (unit) return [change(amount, true)];
  const percent = isShare.includes(attribute.name) ? percentValue(attribute.value) : null;
  if (percent !== null) return [change(String(percent), true)];
  const comma = /^\s*(\d+),(\d+)\s*$/.exec(attribute.value);
  return comma ? [change(`${comma[1]}.${comma[2]}`, false)] : [];
}
