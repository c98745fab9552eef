// The options for the time zone and the language of the page.

import { given } from '../../renderer-core/model/variables/given.ts';
import type { LocaleOptions } from '../../renderer-core/plan/options.ts';
import type { CommandInput, OptionSpec } from '../command.ts';
import { valueOption } from './optionSpecs.ts';

export const localeOptions: readonly OptionSpec[] = [
  valueOption('timezone', "Time zone of the page (default: the root's data-timezone, or UTC)", 'name', [
    'UTC',
    ...Intl.supportedValuesOf('timeZone'),
  ]),
  valueOption('locale', "Language of the page (default: the root's data-locale, or en-US)", 'tag'),
];

/** Contains only the given options. */
export function readLocaleOptions({ values }: Pick<CommandInput, 'values'>): LocaleOptions {
  return given({ timezone: values.get('timezone'), locale: values.get('locale') });
}
