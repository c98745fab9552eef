// `framework auth login`: in the browser, with a code on another device, or with an API key.
import open from 'open';
import type { User } from '../cloud/apiTypes.ts';
import { apiUrl, printable } from '../cloud/apiUrl.ts';
import { signInWithBrowser } from '../cloud/browserSignIn.ts';
import {
  type Credential,
  type CredentialsFile,
  checkKey,
  credentialsPath,
  environmentCredential,
  type OauthTokens,
  sourceText,
  withTokens,
} from '../cloud/credentials.ts';
import { readCredentials, updateCredentials } from '../cloud/credentialsFile.ts';
import { fetchUser } from '../cloud/currentUser.ts';
import { type DeviceCode, signInWithDevice } from '../cloud/deviceSignIn.ts';
import { discoverServer } from '../cloud/oauth.ts';
import { UserError } from '../errors.ts';
import { secondsText } from './amounts.ts';
import { userText } from './authStatus.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { apiKeySecret, readSecret } from './secretInput.ts';
import { serviceClient } from './serviceClient.ts';

/** Stores a credential that the service has accepted, and nothing else. Throws UserError. */
export async function runAuthLogin({ switches, values }: CommandInput, io: CliIo): Promise<number> {
  if (switches.has('api-key') && (switches.has('device') || switches.has('no-browser'))) {
    throw new UserError(
      'usage',
      `--api-key and --${switches.has('device') ? 'device' : 'no-browser'} cannot be used together`,
      {
        hint: 'An API key needs no page to sign in on.',
      },
    );
  }
  const path = credentialsPath(io.env);
  const base = apiUrl(io.env);
  // A file that cannot be read is told before anybody has signed in.
  await readCredentials(path);
  const isKey = switches.has('api-key');
  const say = values.get('progress') === 'ndjson' ? eventWriter(io) : textWriter(io, !switches.has('no-browser'));
  const user = await (isKey ? signInWithKey(path, io) : signInWithTokens(path, base, switches, say, io));
  const inForce = environmentCredential(io.env);
  if (switches.has('json')) {
    const { user_id, email, name } = user ?? {};
    const shown = user ? { user_id, email, name } : null;
    const kind = isKey ? 'api_key' : 'oauth';
    io.stdout.write(
      `${JSON.stringify({ signedIn: true, kind, apiUrl: base, source: { kind: 'file', path }, user: shown })}\n`,
    );
  } else io.stdout.write(`Signed in${user ? ` as ${userText(user)}` : ''}; stored in ${path}.\n`);
  if (inForce) {
    const message = `${sourceText(inForce.source)} is set and comes first: commands use it, not this sign-in.`;
    say({ type: 'warning', message });
  }
  return 0;
}

async function signInWithKey(path: string, io: CliIo): Promise<User> {
  const key = checkKey((await readSecret(apiKeySecret, io)).trim(), 'the input');
  const credential: Credential = { kind: 'api_key', key, source: { kind: 'file', path: 'the input' } };
  const user = await uncancelled(askWho(io, credential), io);
  await updateCredentials(path, ({ oauth: _, ...others }) => withUser({ ...others, api_key: key }, user), io.signal);
  return user;
}

/** The tokens are kept even when the service cannot say just now whose they are. */
async function signInWithTokens(
  path: string,
  base: string,
  switches: ReadonlySet<string>,
  say: (event: SignInEvent) => void,
  io: CliIo,
): Promise<User | undefined> {
  const tokens = await uncancelled(tokensFor(base, switches, say, io), io);
  let user: User | undefined;
  try {
    user = await uncancelled(askWho(io, { kind: 'oauth', tokens, source: { kind: 'file', path } }), io);
  } catch (error) {
    if (!(error instanceof UserError) || ['authentication_failed', 'cancelled'].includes(error.code)) throw error;
    say({ type: 'warning', message: `the service does not say who you are: ${error.message}` });
  }
  await updateCredentials(path, ({ api_key: _, ...others }) => withUser(withTokens(others, tokens), user));
  return user;
}

/** Says of a cancelled sign-in what it leaves behind. */
async function uncancelled<T>(work: Promise<T>, { signal }: CliIo): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new UserError('cancelled', 'Signing in was cancelled; nothing was stored.', { cause: error });
  }
}

function askWho(io: CliIo, credential: Credential): Promise<User> {
  return fetchUser(serviceClient(io, { credential, isWaitedFor: true }), io.signal);
}

function withUser(file: CredentialsFile, user: User | undefined): CredentialsFile {
  if (!user) return file;
  const { user_id, email, name } = user;
  return { ...file, user: { ...file.user, user_id, email, name } };
}

/** What somebody who signs in must know meanwhile; `--progress=ndjson` writes it as it is. `expiresIn` in seconds. */
type SignInEvent =
  | { type: 'url'; url: string }
  | ({ type: 'code' } & DeviceCode)
  | { type: 'warning'; message: string };

async function tokensFor(
  base: string,
  switches: ReadonlySet<string>,
  say: (event: SignInEvent) => void,
  { signal }: CliIo,
): Promise<OauthTokens> {
  const server = await discoverServer(base, signal);
  if (switches.has('device'))
    return signInWithDevice({ server, signal, onCode: (code) => say({ type: 'code', ...code }) });
  return signInWithBrowser({
    server,
    signal,
    onUrl(url) {
      say({ type: 'url', url });
      if (switches.has('no-browser')) return;
      open(url).catch((error) =>
        say({ type: 'warning', message: `no browser could be opened: ${printable(error.message)}` }),
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
        stderr.write(`Go to ${colors.cyan(event.url)}\nand type the code ${colors.bold(event.userCode)}\n`);
        if (event.completeUrl) stderr.write(`(or go to ${event.completeUrl})\n`);
        stderr.write(`Waiting for that; the code holds for ${secondsText(event.expiresIn)}. Ctrl-C ends it.\n`);
        return;
      case 'url':
        stderr.write(
          opens ? 'Opening the sign-in page in your browser. If none opens, go to\n' : 'To sign in, go to\n',
        );
        stderr.write(`  ${event.url}\nWaiting for you to sign in. Ctrl-C ends it.\n`);
    }
  };
}
