// `framework auth login`: signs in with the browser, with a code on another device, or with an API key.
import open from 'open';
import type { User } from '../../../cloud/client/apiTypes.ts';
import { apiUrl, printable } from '../../../cloud/client/apiUrl.ts';
import { signInWithBrowser } from '../../../cloud/client/auth/browserSignIn.ts';
import {
  type Credential,
  type CredentialsFile,
  checkKey,
  credentialsPath,
  environmentCredential,
  type OauthTokens,
  sourceText,
  withTokens,
} from '../../../cloud/client/auth/credentials.ts';
import { readCredentials, updateCredentials } from '../../../cloud/client/auth/credentialsFile.ts';
import { fetchUser } from '../../../cloud/client/auth/currentUser.ts';
import type { DeviceCode } from '../../../cloud/client/auth/deviceCode.ts';
import { signInWithDevice } from '../../../cloud/client/auth/deviceSignIn.ts';
import { discoverServer } from '../../../cloud/client/auth/oauthClient.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { secondsText } from '../../output/format.ts';
import { apiKeySecret, readSecret } from '../../secretInput.ts';
import { serviceClient } from '../../serviceClient.ts';
import { userText } from './authStatus.ts';

/** Stores the credential only after the service has accepted it. Throws UserError. */
export async function runAuthLogin({ flags, values }: CommandInput, io: CliIo): Promise<number> {
  if (flags.has('api-key') && (flags.has('device') || flags.has('no-browser'))) {
    throw new UserError(
      'usage',
      `--api-key and --${flags.has('device') ? 'device' : 'no-browser'} cannot be used together`,
      {
        hint: 'An API key needs no sign-in page.',
      },
    );
  }
  const path = credentialsPath(io.env);
  const base = apiUrl(io.env);
  // Report an unreadable credentials file before the user signs in.
  await readCredentials(path);
  const isKey = flags.has('api-key');
  const report = values.get('progress') === 'ndjson' ? eventWriter(io) : textWriter(io, !flags.has('no-browser'));
  const user = await (isKey ? signInWithKey(path, io) : signInWithTokens(path, base, flags, report, io));
  const fromEnvironment = environmentCredential(io.env);
  if (flags.has('json')) {
    const { user_id, email, name } = user ?? {};
    const shown = user ? { user_id, email, name } : null;
    const kind = isKey ? 'api_key' : 'oauth';
    io.stdout.write(
      `${JSON.stringify({ signedIn: true, kind, apiUrl: base, source: { kind: 'file', path }, user: shown })}\n`,
    );
  } else io.stdout.write(`Signed in${user ? ` as ${userText(user)}` : ''}; stored in ${path}.\n`);
  if (fromEnvironment) {
    const message = `${sourceText(fromEnvironment.source)} is set and takes precedence: commands use it instead of this sign-in.`;
    report({ type: 'warning', message });
  }
  return 0;
}

async function signInWithKey(path: string, io: CliIo): Promise<User> {
  const key = checkKey((await readSecret(apiKeySecret, io)).trim(), 'the input');
  const credential: Credential = { kind: 'api_key', key, source: { kind: 'file', path: 'the input' } };
  const user = await orCancelled(fetchOwner(io, credential), io);
  await updateCredentials(path, ({ oauth: _, ...others }) => withUser({ ...others, api_key: key }, user), {
    now: Date.now,
    signal: io.signal,
  });
  return user;
}

/** Keeps the tokens even if the service cannot return the user now. */
async function signInWithTokens(
  path: string,
  base: string,
  flags: ReadonlySet<string>,
  report: (event: SignInEvent) => void,
  io: CliIo,
): Promise<User | undefined> {
  const tokens = await orCancelled(tokensFor(base, flags, report, io), io);
  let user: User | undefined;
  try {
    user = await orCancelled(fetchOwner(io, { kind: 'oauth', tokens, source: { kind: 'file', path } }), io);
  } catch (error) {
    if (!(error instanceof UserError) || ['authentication_failed', 'cancelled'].includes(error.code)) throw error;
    report({ type: 'warning', message: `the service did not return your user: ${error.message}` });
  }
  await updateCredentials(path, ({ api_key: _, ...others }) => withUser(withTokens(others, tokens), user), {
    now: Date.now,
  });
  return user;
}

/** Turns errors after a cancellation into `cancelled`. */
async function orCancelled<T>(work: Promise<T>, { signal }: CliIo): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new UserError('cancelled', 'The sign-in was cancelled; no credential was stored.', { cause: error });
  }
}

function fetchOwner(io: CliIo, credential: Credential): Promise<User> {
  return fetchUser(serviceClient(io, { credential, isInteractive: true }), io.signal);
}

function withUser(file: CredentialsFile, user: User | undefined): CredentialsFile {
  if (!user) return file;
  const { user_id, email, name } = user;
  return { ...file, user: { ...file.user, user_id, email, name } };
}

/** Events during the sign-in; `--progress=ndjson` prints them unchanged. `expiresIn` is in seconds. */
type SignInEvent =
  | { type: 'url'; url: string }
  | ({ type: 'code' } & DeviceCode)
  | { type: 'warning'; message: string };

async function tokensFor(
  base: string,
  flags: ReadonlySet<string>,
  report: (event: SignInEvent) => void,
  { signal }: CliIo,
): Promise<OauthTokens> {
  const server = await discoverServer(base, signal);
  if (flags.has('device'))
    return signInWithDevice({ server, signal, now: Date.now, onCode: (code) => report({ type: 'code', ...code }) });
  return signInWithBrowser({
    server,
    signal,
    now: Date.now,
    onUrl(url) {
      report({ type: 'url', url });
      if (flags.has('no-browser')) return;
      open(url).catch((error) =>
        report({ type: 'warning', message: `the browser could not be opened: ${printable(error.message)}` }),
      );
    },
  });
}

function eventWriter({ stderr }: CliIo): (event: SignInEvent) => void {
  return (event) => void stderr.write(`${JSON.stringify(event)}\n`);
}

function textWriter({ stderr, env }: CliIo, opens: boolean): (event: SignInEvent) => void {
  const colors = colorsFor(stderr, env);
  return (event) => {
    switch (event.type) {
      case 'warning':
        stderr.write(`${colors.yellow('warning:')} ${event.message}\n`);
        return;
      case 'code':
        stderr.write(`Go to ${colors.cyan(event.url)}\nand enter the code ${colors.bold(event.userCode)}\n`);
        if (event.completeUrl) stderr.write(`(or go to ${event.completeUrl})\n`);
        stderr.write(
          `Waiting for you to sign in. The code is valid for ${secondsText(event.expiresIn)}. Press Ctrl+C to cancel.\n`,
        );
        return;
      case 'url':
        stderr.write(
          opens ? 'Opening the sign-in page in your browser. If it does not open, go to\n' : 'To sign in, go to\n',
        );
        stderr.write(`  ${event.url}\nWaiting for you to sign in. Press Ctrl+C to cancel.\n`);
    }
  };
}
