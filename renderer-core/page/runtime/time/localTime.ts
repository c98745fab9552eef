// The time zone and the language of a page whose browser may have others than the composition: in the preview, and where programs
// do not take them from the environment.

type Page = Window & typeof globalThis;
type Parts = [year: number, month: number, day: number, hours: number, minutes: number, seconds: number];

export function replaceLocale(window: Page, { timezone, locale }: { timezone: string; locale: string }): void {
  const own = new window.Intl.DateTimeFormat().resolvedOptions();
  const isOther = own.timeZone !== timezone || own.locale !== locale || window.navigator.language !== locale;
  if (!isOther) return;
  replaceLanguage(window, locale);
  replaceFormatDefaults(window, timezone, locale);
  replaceZone(window, timezone);
}

function replaceLanguage({ Navigator }: Page, locale: string): void {
  const values = { language: locale, languages: Object.freeze([locale]) };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(Navigator.prototype, name, { get: () => value, configurable: true, enumerable: true });
}

/** Formats without a language or a time zone get those of the page. */
function replaceFormatDefaults(window: Page, timeZone: string, locale: string): void {
  const { Intl: intl } = window as unknown as { Intl: Record<string, unknown> };
  for (const [name, { value: format }] of Object.entries(Object.getOwnPropertyDescriptors(intl))) {
    if (typeof format !== 'function' || !/^[A-Z]/.test(name) || name === 'Locale') continue;
    const complete = ([locales, options, ...others]: unknown[]): unknown[] => [
      locales ?? locale,
      name === 'DateTimeFormat' ? inZone(options, timeZone) : options,
      ...others,
    ];
    const replaced: unknown = new Proxy(format, {
      apply: (target, self, args) => Reflect.apply(target, self, complete(args)),
      construct: (target, args, newTarget) => Reflect.construct(target, complete(args), newTarget),
    });
    Object.defineProperty(format.prototype, 'constructor', { value: replaced, configurable: true, writable: true });
    intl[name] = replaced;
  }
  const withLocale = (owner: object, name: string, at: number): void => {
    const method = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      args[at] ??= locale;
      return method.apply(this, args);
    });
  };
  for (const owner of [window.Number, window.BigInt]) withLocale(owner.prototype, 'toLocaleString', 0);
  withLocale(window.String.prototype, 'localeCompare', 1);
  for (const name of ['toLocaleUpperCase', 'toLocaleLowerCase']) withLocale(window.String.prototype, name, 0);
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const) {
    const format = window.Date.prototype[name];
    window.Date.prototype[name] = function (
      this: Date,
      locales?: Intl.LocalesArgument,
      options?: Intl.DateTimeFormatOptions,
    ) {
      return format.call(this, locales ?? locale, inZone(options, timeZone));
    };
  }
}

const inZone = (options: unknown, timeZone: string): Intl.DateTimeFormatOptions => {
  const given = (options ?? {}) as Intl.DateTimeFormatOptions;
  return given.timeZone === undefined ? { ...given, timeZone } : given;
};

/** Local times are those of `timeZone`. */
function replaceZone(window: Page, timeZone: string): void {
  const { Date: RealDate } = window;
  const { prototype } = RealDate;
  const { getTime, setTime, toISOString } = prototype;
  const offset = offsets(window, timeZone);
  /** A date whose UTC parts are the local ones. */
  const local = (date: Date) => new RealDate(getTime.call(date) + offset(getTime.call(date)));
  const fromLocal = (ms: number) => ms - offset(ms - offset(ms));
  const real = (name: string) => Reflect.get(prototype, name) as (this: Date, ...args: unknown[]) => number;
  const getters = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds'].map((part) => real(`get${part}`));
  /** In the time zone of the machine. */
  const machineParts = (date: Date) => getters.map((get) => get.call(date)) as Parts;
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    const [get, set] = [real(`getUTC${part}`), part === 'Day' ? undefined : real(`setUTC${part}`)];
    Reflect.set(prototype, `get${part}`, function (this: Date) {
      return get.call(local(this));
    });
    if (!set) continue;
    Reflect.set(prototype, `set${part}`, function (this: Date, ...args: unknown[]) {
      return setTime.call(this, fromLocal(set.apply(local(this), args)));
    });
  }
  const zoneName = new window.Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' });
  const days = (date: Date) => {
    const [, weekday, day, month, year] = /^(\w+), (\d+) (\w+) (-?\d+)/.exec(local(date).toUTCString()) ?? [];
    return `${weekday} ${month} ${day} ${year}`;
  };
  const times = (date: Date) => {
    const minutes = offset(getTime.call(date)) / 60_000;
    const two = (number: number) => String(Math.floor(Math.abs(number))).padStart(2, '0');
    const name = zoneName.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value;
    const time = toISOString.call(local(date)).slice(-13, -5);
    return `${time} GMT${minutes < 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)} (${name})`;
  };
  const unlessInvalid = (text: (date: Date) => string) =>
    function (this: Date) {
      return Number.isNaN(getTime.call(this)) ? 'Invalid Date' : text(this);
    };
  Object.assign(prototype, {
    getTimezoneOffset(this: Date) {
      return -offset(getTime.call(this)) / 60_000;
    },
    toDateString: unlessInvalid(days),
    toTimeString: unlessInvalid(times),
    toString: unlessInvalid((date) => `${days(date)} ${times(date)}`),
  });
  window.Date = zonedDate(RealDate, fromLocal, machineParts);
}

/** Returns how far a time zone is ahead of UTC, in milliseconds. */
function offsets({ Intl: { DateTimeFormat }, Date: RealDate }: Page, timeZone: string): (ms: number) => number {
  const format = new DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return (ms) => {
    if (Number.isNaN(ms) || timeZone === 'UTC') return 0;
    const whole = Math.floor(ms / 1000) * 1000;
    const parts = Object.fromEntries(format.formatToParts(whole).map(({ type, value }) => [type, value]));
    const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
    const number = (type: string) => Number(parts[type]);
    const date = new RealDate(0);
    date.setUTCFullYear(year, number('month') - 1, number('day'));
    return date.setUTCHours(number('hour'), number('minute'), number('second')) - whole;
  };
}

/** Texts of dates that name a time zone. A date alone, as ISO 8601 writes it, is in UTC. */
const withZone = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$|\dZ\s*$|:\d\d[^,]*[+-]\d\d:?\d\d\b|\b(?:GMT|UTC|[ECMP][SD]T)\b/i;

/** `Date` whose parts and texts without a zone are local times. */
function zonedDate(
  RealDate: DateConstructor,
  fromLocal: (ms: number) => number,
  machineParts: (date: Date) => Parts,
): DateConstructor {
  const parse = (text: string): number => {
    const ms = RealDate.parse(text);
    if (Number.isNaN(ms) || withZone.test(text)) return ms;
    // The browser has read it as a time of its own zone.
    return fromLocal(RealDate.UTC(...machineParts(new RealDate(ms)), ms % 1000));
  };
  const utc = (parts: unknown[]) => fromLocal(RealDate.UTC(...(parts as Parts)));
  const timeOf = (args: unknown[]): unknown[] => {
    if (args.length > 1) return [utc(args)];
    return typeof args[0] === 'string' ? [parse(args[0])] : args;
  };
  const replaced = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, timeOf(args), newTarget),
    apply: (target) => new target(target.now()).toString(),
    get: (target, name, self) => (name === 'parse' ? parse : Reflect.get(target, name, self)),
  });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: replaced, configurable: true, writable: true });
  return replaced;
}
