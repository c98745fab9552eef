// Scripts of a page see the time zone and the language of the composition, whatever the browser has.
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { replaceLocale } from '../../../../renderer-core/page/runtime/time/localTime.ts';

/** Returns what scripts of a page with this time zone and language get. */
function pageIn(timezone: string, locale = 'en-US'): (script: string) => unknown {
  const window = createContext({ Navigator: class {}, navigator: { language: 'xx' } });
  for (const name of ['Intl', 'Date', 'Number', 'String', 'BigInt'])
    runInContext(`globalThis.${name} = ${name}`, window);
  replaceLocale(window as Window & typeof globalThis, { timezone, locale });
  return (script) => runInContext(script, window);
}

describe('local times', () => {
  test.each([
    ['Asia/Kolkata', 'new Date(0).getHours() * 60 + new Date(0).getMinutes()', 330],
    ['America/New_York', 'new Date(Date.UTC(2025, 6, 1)).getHours()', 20],
    ['America/New_York', 'new Date(2025, 0, 15, 12).toISOString()', '2025-01-15T17:00:00.000Z'],
    ['America/New_York', 'new Date(2025, 6, 15, 12).toISOString()', '2025-07-15T16:00:00.000Z'],
    ['America/New_York', 'new Date("2025-07-15T12:00:00.25").toISOString()', '2025-07-15T16:00:00.250Z'],
    ['America/New_York', 'new Date("July 15, 2025 12:00").toISOString()', '2025-07-15T16:00:00.000Z'],
    ['America/New_York', 'Date.parse("2025-07-15T12:00:00")', Date.UTC(2025, 6, 15, 16)],
    ['America/New_York', 'new Date("2025-07-15").toISOString()', '2025-07-15T00:00:00.000Z'],
    ['America/New_York', 'new Date("2025-07-15T12:00:00+02:00").toISOString()', '2025-07-15T10:00:00.000Z'],
    ['America/New_York', 'new Date("Tue, 15 Jul 2025 12:00:00 GMT").toISOString()', '2025-07-15T12:00:00.000Z'],
    ['America/New_York', 'new Date(Date.UTC(2025, 0, 1)).getTimezoneOffset()', 300],
    ['UTC', 'new Date(2025, 0, 1).getTime()', Date.UTC(2025, 0, 1)],
    ['UTC', 'new Date(NaN).getHours()', Number.NaN],
    ['UTC', 'String(new Date(NaN))', 'Invalid Date'],
    ['Europe/Berlin', 'const date = new Date(0); date.setHours(0, 30); date.toISOString()', '1969-12-31T23:30:00.000Z'],
    // In the hour that summer time leaves out, the clock is an hour ahead.
    ['Europe/Berlin', 'new Date(2025, 2, 30, 2, 30).toISOString()', '2025-03-30T01:30:00.000Z'],
    ['Europe/Berlin', 'String(new Date(0))', 'Thu Jan 01 1970 01:00:00 GMT+0100 (Central European Standard Time)'],
    ['America/St_Johns', 'new Date(0).toTimeString()', '20:30:00 GMT-0330 (Newfoundland Standard Time)'],
    ['Europe/Berlin', 'new Date(-1e14).getFullYear()', -1199],
    ['Europe/Berlin', 'new Date(0) instanceof Date && new Date(0).constructor === Date', true],
    ['Europe/Berlin', 'new (class extends Date {})(2025, 0, 1).toISOString()', '2024-12-31T23:00:00.000Z'],
  ])('%s: %s', (zone, script, expected) => expect(pageIn(zone)(script)).toEqual(expected));
});

describe('formats', () => {
  test.each([
    ['new Intl.DateTimeFormat().resolvedOptions().timeZone', 'Europe/Berlin'],
    ['Intl.DateTimeFormat().resolvedOptions().locale', 'de-DE'],
    ['new Date(0).toLocaleString()', '1.1.1970, 01:00:00'],
    ['new Date(0).toLocaleTimeString("en-GB", { timeZone: "UTC" })', '00:00:00'],
    ['(1234.5).toLocaleString()', '1.234,5'],
    ['(1234.5).toLocaleString("en-US")', '1,234.5'],
    ['new Intl.NumberFormat().format(1234.5)', '1.234,5'],
    ['new Intl.NumberFormat() instanceof Intl.NumberFormat', true],
    ['["z", "ä"].sort((a, b) => a.localeCompare(b)).join()', 'ä,z'],
    ['new Navigator().language', 'de-DE'],
  ])('%s', (script, expected) => expect(pageIn('Europe/Berlin', 'de-DE')(script)).toEqual(expected));
});
