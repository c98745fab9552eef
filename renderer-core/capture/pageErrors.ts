// Errors of a composition's page: exceptions of its scripts, and what the messages of in-page scripts mean for users.
import type { Protocol } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import { mountPrefix } from '../page/assemble/sourceFiles.ts';
import { mediaErrorPrefix, timingErrorPrefix } from '../page/runtime/page.ts';
import { leftItsPage } from './protocol.ts';
import { readyTimeoutMs } from './warmPages.ts';

/** A location in a script of the page. Line and column count from 1. */
export type ScriptLocation = { url: string | undefined; line: number | undefined; column: number | undefined };

/** An uncaught exception of the page's own code. */
export type PageFailure = ScriptLocation & {
  message: string;
};

export function pageFailure(details: Protocol.Runtime.ExceptionDetails): PageFailure {
  const { exception, text, url, stackTrace } = details;
  // The location of the error, or the innermost function of the author that was running.
  const at = isAuthors(url) ? details : (stackTrace?.callFrames.find((frame) => isAuthors(frame.url)) ?? details);
  const message = exception ? (thrownText(exception).split('\n')[0] ?? text) : text;
  return { message, ...locationOf(at) };
}

/** Scripts can throw any value. */
function thrownText({ description, value, unserializableValue, preview, type }: Protocol.Runtime.RemoteObject): string {
  const fields = preview?.properties.map((one) => `${one.name}: ${one.value}`) ?? [];
  if (description === 'Object' && fields.length > 0) return `{ ${fields.join(', ')} }`;
  return description ?? unserializableValue ?? (value === undefined ? type : String(value));
}

export const locationOf = ({
  url,
  lineNumber,
  columnNumber,
}: Pick<Protocol.Runtime.CallFrame, 'lineNumber' | 'columnNumber'> & { url?: string }): ScriptLocation => ({
  url,
  line: lineNumber + 1,
  column: columnNumber + 1,
});

/** Whether a script is the author's: not one of the runtime, but possibly served for a mount. */
export const isAuthors = (url = ''): boolean =>
  url !== '' && (!url.includes('/__framework/') || url.includes(mountPrefix));

export function browserEnded(cause: unknown): UserError {
  return new UserError(
    'browser_failed',
    'The browser, or one of its processes, ended while the composition was being rendered.',
    {
      hint: 'If you did not close it, the machine may have run out of memory: render with --workers 1.',
      cause,
    },
  );
}

/** What the runtime reports as JSON in the message of an error. */
export function jsonAfter<T>(prefix: string, message: string): T | undefined {
  const json = new RegExp(`${prefix}(\\{.*\\})`).exec(message)?.[1];
  return json === undefined ? undefined : JSON.parse(json);
}

/** The error for users that the message of an in-page script stands for. */
export function inPageError(message: string, place: { file: string }): UserError | undefined {
  if (message.includes(leftItsPage)) {
    return new UserError('script_error', 'The composition has navigated away from its own page.', {
      hint: 'Remove the code that sets location or submits a form: a composition must stay on its page.',
    });
  }
  const timing = new RegExp(`${timingErrorPrefix}(.*)`).exec(message);
  if (timing) {
    return new UserError('timing_invalid', timing[1] ?? message, {
      place,
      hint: 'data-start must be a number of seconds, or the id of a clip in the same file whose length is known.',
    });
  }
  const media = new RegExp(`${mediaErrorPrefix}(.*)`).exec(message);
  if (media) {
    return new UserError('media_unreadable', media[1] ?? message, {
      place,
      hint: 'Check that the file plays, or convert it: ffmpeg -i <file> <new file>.mp4',
    });
  }
  // The page writes its files to the browser's profile, which is in the temporary folder.
  if (/QuotaExceededError|InvalidStateError|NoSpace/.test(message)) {
    return new UserError('disk_full', `The browser could not write its files: ${message}`, {
      hint: 'Free some space in the temporary folder, or set TMPDIR to another one.',
    });
  }
  return undefined;
}

export function notLoaded(place: { file: string }): UserError {
  return new UserError('script_error', `The page did not load within ${readyTimeoutMs / 1000} s.`, {
    hint: 'Look for a script that never ends, such as a loop that waits, or for a file on another host that does not respond.',
    place,
  });
}
