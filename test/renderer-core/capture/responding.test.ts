// A page whose script never ends.
import type { CDPSession } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { whileResponding } from '../../../renderer-core/capture/responding.ts';

const never = new Promise<never>(() => undefined);
const place = { file: 'index.html' };
const times = { every: 1, longest: 20 };
const page = (send: () => Promise<unknown>) => ({ send }) as unknown as CDPSession;

test('ends work of a page that does not respond', () =>
  expect(
    whileResponding(
      page(() => never),
      place,
      never,
      times,
    ),
  ).rejects.toMatchObject({
    code: 'script_error',
    message: 'A script of the composition has been running for 0.02 s without an end.',
    place,
  }));

test('waits for long work of a page that responds', async () => {
  const work = new Promise((resolve) => setTimeout(resolve, 100, 'done'));
  expect(
    await whileResponding(
      page(async () => ({})),
      place,
      work,
      times,
    ),
  ).toBe('done');
});

test('passes on an error of the work', () =>
  expect(
    whileResponding(
      page(() => never),
      place,
      Promise.reject(new Error('left')),
      times,
    ),
  ).rejects.toThrow('left'));
