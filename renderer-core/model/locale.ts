// The time zone and the language of a page. They come from the composition, never from the machine.

export const timezoneText = 'the name of a time zone, such as Europe/Berlin';
export const localeText = 'a language tag, such as de-CH';

export const defaultTimezone = 'UTC';
export const defaultLocale = 'en-US';

/** Whether it is the name of a time zone in the IANA database, such as `Europe/Berlin`. */
export function isTimezone(name: string): boolean {
  // Reading the database takes a hundredth of a second.
  if (name === defaultTimezone) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether it is a language tag, such as `de-CH`. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
