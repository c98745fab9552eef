// Rules for what a video shows or sounds differently from a browser: content with its own clock, and sound of scripts.
import { ownClocks } from '../../model/ownClock.ts';
import { type RealTime, realTimeUses } from '../../model/script/realTimeScript.ts';
import { isCode } from '../../model/script/scriptSyntax.ts';
import type { RuleContext, RuleFinding } from '../context.ts';

export function ownClock(context: RuleContext): RuleFinding[] {
  const elements = ownClocks(context.composition).map(({ message, span }) => ({ message, span }));
  return [...elements, ...findingsIn(context, 'clock')];
}

export const soundOfScripts = (context: RuleContext): RuleFinding[] => findingsIn(context, 'sound');

function findingsIn({ composition }: RuleContext, kind: RealTime['kind']): RuleFinding[] {
  return composition.scripts.filter(isCode).flatMap((script) =>
    realTimeUses(script.text)
      .filter((use) => use.kind === kind)
      .map(({ message, span }) => ({
        message,
        span: { start: script.span.start + span.start, end: script.span.start + span.end },
      })),
  );
}
