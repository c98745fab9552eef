// Rules for what a video shows or sounds differently from a browser: content with its own clock, and sound of scripts.
import { ownClocks } from '../../model/ownClock.ts';
import { lostSounds } from '../../model/script/lostSound.ts';
import { isCode } from '../../model/script/scriptSyntax.ts';
import type { RuleContext, RuleFinding } from '../context.ts';

export function ownClock({ composition }: RuleContext): RuleFinding[] {
  return ownClocks(composition).map(({ message, span }) => ({ message, span }));
}

export function soundOfScripts({ composition }: RuleContext): RuleFinding[] {
  return composition.scripts.filter(isCode).flatMap((script) =>
    lostSounds(script.text).map(({ message, span }) => ({
      message,
      span: { start: script.span.start + span.start, end: script.span.start + span.end },
    })),
  );
}
