// The clocks of a page besides those of clock.ts: whatever tells the time tells the composition's.

type Page = Window & typeof globalThis;

/** `Temporal.Now`, not in TypeScript's types yet. */
type TemporalNow = Record<string, ((...args: unknown[]) => unknown) | undefined> & { timeZoneId(): string };
type Temporal = {
  Now: TemporalNow;
  Instant: { fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: unknown): Record<string, () => unknown> } };
};

/** `now`: milliseconds since the start of the composition. Call after `Date` was replaced. */
export function replaceOtherClocks(window: Page, now: () => number, epochMs: number): void {
  replaceFormats(window);
  replaceTemporal(window);
  replacePerformance(window, now, epochMs);
  const firstRead = new WeakMap<Event, number>();
  getter(window.Event.prototype, 'timeStamp', (event) => {
    const time = firstRead.get(event) ?? now();
    firstRead.set(event, time);
    return time;
  });
  getter(window.Document.prototype, 'lastModified', () => {
    const date = new window.Date();
    const [month, day, ...time] = [
      date.getMonth() + 1,
      date.getDate(),
      date.getHours(),
      date.getMinutes(),
      date.getSeconds(),
    ].map((part) => String(part).padStart(2, '0'));
    return `${month}/${day}/${date.getFullYear()} ${time.join(':')}`;
  });
  replaceAudioTime(window, now);
}

/** Without a date, they format the current one. */
function replaceFormats(window: Page): void {
  const { prototype } = window.Intl.DateTimeFormat;
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {};
  const functions = new WeakMap<object, (date?: unknown) => string>();
  getter(prototype, 'format', (format) => {
    const real = get?.call(format) as (date: unknown) => string;
    const made = functions.get(real) ?? ((date) => real(date === undefined ? window.Date.now() : date));
    functions.set(real, made);
    return made;
  });
  const { formatToParts } = prototype;
  prototype.formatToParts = function (this: Intl.DateTimeFormat, date) {
    return formatToParts.call(this, date === undefined ? window.Date.now() : date);
  };
}

function replaceTemporal(window: Page): void {
  const { Temporal } = window as unknown as { Temporal?: Temporal };
  if (!Temporal) return;
  const { Now, Instant } = Temporal;
  const instant = () => Instant.fromEpochMilliseconds(window.Date.now());
  const zoned = (zone: unknown = Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
  const as = (name: string) => (zone?: unknown) => zoned(zone)[name]?.();
  Object.assign(Now, {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: as('toPlainDateTime'),
    plainDateISO: as('toPlainDate'),
    plainTimeISO: as('toPlainTime'),
  });
}

function replacePerformance(window: Page, now: () => number, epochMs: number): void {
  const { Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceResourceTiming } = window;
  const { mark, measure } = Performance.prototype;
  Object.assign(Performance.prototype, {
    now,
    mark: (name: string, options?: PerformanceMarkOptions) =>
      mark.call(window.performance, name, { startTime: now(), ...options }),
    measure: (name: string, from?: string | PerformanceMeasureOptions, to?: string) => {
      const options: PerformanceMeasureOptions =
        typeof from === 'object'
          ? { ...from }
          : { ...(from === undefined ? {} : { start: from }), ...(to === undefined ? {} : { end: to }) };
      if (options.end === undefined && options.duration === undefined) options.end = now();
      return measure.call(window.performance, name, options);
    },
  });
  getter(Performance.prototype, 'timeOrigin', () => epochMs);
  // The browser's own work takes no time of the composition.
  for (const name of ['startTime', 'duration'] as const) {
    const { get } = Object.getOwnPropertyDescriptor(PerformanceEntry.prototype, name) ?? {};
    getter(PerformanceEntry.prototype, name, (entry) =>
      entry instanceof PerformanceMark || entry instanceof PerformanceMeasure ? get?.call(entry) : 0,
    );
  }
  zeroNumbers(PerformanceResourceTiming.prototype, /(?:Start|End)$/, 0);
  zeroNumbers(window.PerformanceNavigationTiming.prototype, /(?:Start|End|Interactive|Complete)$/, 0);
  zeroNumbers(window.PerformanceTiming.prototype, /(?:Start|End|Interactive|Complete|Loading)$/, epochMs);
}

function zeroNumbers(prototype: object, names: RegExp, value: number): void {
  for (const name of Object.getOwnPropertyNames(prototype)) if (names.test(name)) getter(prototype, name, () => value);
}

/** An AudioContext plays nothing, and its time is the composition's since it was created. */
function replaceAudioTime(window: Page, now: () => number): void {
  const { AudioContext, BaseAudioContext } = window;
  if (!AudioContext) return;
  const created = new WeakMap<object, number>();
  const since = (context: object) => (now() - (created.get(context) ?? 0)) / 1000;
  const { get } = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'currentTime') ?? {};
  getter(BaseAudioContext.prototype, 'currentTime', (context) =>
    context instanceof AudioContext ? since(context) : get?.call(context),
  );
  AudioContext.prototype.getOutputTimestamp = function (this: AudioContext) {
    return { contextTime: since(this), performanceTime: now() };
  };
  const made = new Proxy(AudioContext, {
    construct(target, args, newTarget) {
      const context: AudioContext = Reflect.construct(target, args, newTarget);
      created.set(context, now());
      return context;
    },
  });
  Object.assign(window, { AudioContext: made });
}

function getter<Owner extends object>(owner: Owner, name: string, get: (owner: Owner) => unknown): void {
  Object.defineProperty(owner, name, {
    get(this: Owner) {
      return get(this);
    },
    configurable: true,
    enumerable: true,
  });
}
