// Where the hosted API is, and whether secrets may be sent there.
import { UserError } from '../errors.ts';

/** Where `framework serve` listens unless it is told otherwise. */
export const defaultApiUrl = 'http://127.0.0.1:8787';

/** The base of every address, without a slash at its end. Throws UserError `usage`. */
export function apiUrl(env: NodeJS.ProcessEnv): string {
  const given = env.SERVICE_API_URL?.trim();
  if (!given) return defaultApiUrl;
  if (!URL.canParse(given)) throw refused(`"${printable(given)}", which is not a URL`);
  const url = new URL(given);
  // The text itself is not shown: it has a password in it.
  if (url.username || url.password) throw refused('a URL with a user name or password in it');
  if (url.search || url.hash) throw refused(`"${printable(given)}", which has more than an address and a path`);
  if (!maySendSecrets(url))
    throw refused(`"${printable(given)}", where everybody on the way could read the credential`);
  return url.href.replace(/\/+$/, '');
}

/** Over https anywhere; over http only within this machine. */
export function maySendSecrets(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** `localhost`, 127.0.0.0/8, ::1. Names below localhost are left out: some resolvers ask the network for them. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function refused(what: string): UserError {
  return new UserError('usage', `SERVICE_API_URL is ${what}.`, {
    hint: `Write https://<host>; http:// is for this machine alone, as in ${defaultApiUrl}.`,
  });
}

/** Without characters that would steer a terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
