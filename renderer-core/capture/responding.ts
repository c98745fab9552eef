// Notices pages whose scripts never end: they never answer, so that a render would wait without end.
import type { CDPSession } from 'puppeteer-core';
import { UserError } from '../errors.ts';

const askEveryMs = 5_000;
const longestSilenceMs = 60_000;

/** Rejects with UserError `script_error` if the page does not respond for a minute while `work` runs. */
export async function whileResponding<T>(
  session: CDPSession,
  place: { file: string },
  work: Promise<T>,
  { every, longest } = { every: askEveryMs, longest: longestSilenceMs },
): Promise<T> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  let fail: (error: Error) => void = () => undefined;
  const silent = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const timer = setInterval(() => {
    if (limit !== undefined) return;
    limit = setTimeout(() => fail(neverEnds(place, longest)), longest);
    const answered = () => {
      clearTimeout(limit);
      limit = undefined;
    };
    session.send('Runtime.evaluate', { expression: '0' }).then(answered, answered);
  }, every);
  try {
    return await Promise.race([work, silent]);
  } finally {
    clearInterval(timer);
    clearTimeout(limit);
  }
}

const neverEnds = (place: { file: string }, ms: number): UserError =>
  new UserError('script_error', `A script of the composition has been running for ${ms / 1000} s without an end.`, {
    hint: 'Look for a loop that never ends.',
    place,
  });
