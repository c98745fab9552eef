// Short ways to write the options of commands.
import { given } from '../../renderer-core/model/variables/given.ts';
import type { OptionSpec, OptionValue } from '../command.ts';

export const flag = (name: string, summary: string): OptionSpec => ({ name, summary });

/** `complete`: values that shell completion offers. `short`: a letter. */
export const valueOption = (
  name: string,
  summary: string,
  label: string,
  complete?: OptionValue['complete'],
  short?: string,
): OptionSpec => ({ name, ...given({ short }), summary, value: { label, ...given({ complete }) } });

/** `from`: the lowest allowed number. */
export const wholeNumber = (name: string, summary: string, from: number, label = 'n'): OptionSpec => ({
  name,
  summary,
  value: { label, wholeNumberFrom: from },
});

/** Other values are errors. */
export const choice = (name: string, summary: string, label: string, choices: readonly string[]): OptionSpec => ({
  name,
  summary,
  value: { label, choices },
});
