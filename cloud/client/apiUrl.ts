// The address of the hosted API. Secrets are only sent over https, or to this machine.
import { UserError } from '../../renderer-core/errors.ts';

/** The default address of `framework serve`. */
export const defaultApiUrl = 'http://127.0.0.1:8787';

/** The base URL, without a trailing slash. Throws UserError `usage`. */
export function apiUrl(env: NodeJS.ProcessEnv): string {
  const given = env.SERVICE_API_URL?.trim();
  if (!given) return defaultApiUrl;
  if (!URL.canParse(given)) throw invalid(`must be a URL (got "${printable(given)}")`);
  const url = new URL(given);
  // The message does not show the value, because it contains a password.
  if (url.username || url.password) throw invalid('must not contain a user name or password');
  if (url.search || url.hash) throw invalid(`must not contain a query or fragment (got "${printable(given)}")`);
  if (!maySendSecrets(url))
    throw invalid(`must use https (got "${printable(given)}"): the credential would be sent unencrypted`);
  return url.href.replace(/\/+$/, '');
}

/** https to any host; http only to this machine. */
export function maySendSecrets(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** `localhost`, 127.0.0.0/8 or ::1. Subdomains of localhost are excluded: some resolvers look them up in the network. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function invalid(problem: string): UserError {
  return new UserError('usage', `SERVICE_API_URL ${problem}.`, {
    hint: `Use https://<host>; http:// is only allowed for this machine, as in ${defaultApiUrl}.`,
  });
}

/** Replaces control characters, which could change the state of a terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
