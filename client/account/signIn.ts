// Signs in and out with the command line, and shows what the user must see or enter.
import { env, l10n, ProgressLocation, UIKind, Uri, window } from 'vscode';
import type { CliError, CliEvent } from '../cli/cliEvents.ts';
import { runCliJson } from '../cli/runCliJson.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { type Account, canSignIn } from './account.ts';
import { showCode } from './deviceCode.ts';
import { promptForKey } from './promptForKey.ts';

export type SignInMethod = 'browser' | 'device' | 'key';

/** Resolves to true when the user is signed in. When it fails, a message has shown the reason. */
export async function signIn(given: unknown, services: ExtensionServices, account: Account): Promise<boolean> {
  if (!canSignIn(services)) {
    void window.showWarningMessage(
      services.host.startCli
        ? l10n.t('Trust this workspace to sign in.')
        : l10n.t('VS Code for the Web cannot sign in. Open the folder in VS Code on a computer.'),
    );
    return false;
  }
  const method = isMethod(given) ? given : await chooseMethod();
  if (!method) return false;
  if (method === 'key') return signInWithKey(services, account);
  const outcome = await runSignIn(method, services);
  if (outcome === 'cancelled') return false;
  if (outcome.error) {
    services.log.error(`Sign-in failed: ${outcome.error.message}`);
    // The hints name options of the terminal.
    const again = l10n.t('Try Again');
    if ((await window.showErrorMessage(outcome.error.message, again)) === again)
      return signIn(undefined, services, account);
    return false;
  }
  // A key would take precedence over the new sign-in.
  await account.apiKey.remove();
  for (const warning of outcome.warnings) void window.showWarningMessage(warning);
  return showSignedIn(account);
}

async function showSignedIn(account: Account): Promise<boolean> {
  await account.readStored();
  const state = await account.refresh();
  if (state.kind === 'signedIn') void window.showInformationMessage(l10n.t('Signed in as {0}.', state.label));
  return state.kind === 'signedIn';
}

async function signInWithKey(services: ExtensionServices, account: Account): Promise<boolean> {
  const key = await promptForKey((entered, signal) => keyRejection(entered, signal, services));
  if (key === undefined) return false;
  await account.apiKey.store(key);
  if (!account.apiKey.isUsed())
    void window.showWarningMessage(
      l10n.t('An environment variable with another API key is set and takes precedence. Unset it and restart VS Code.'),
    );
  return showSignedIn(account);
}

/** The reason why the service does not accept a key. The key is passed in the environment, so that it is not in process lists. */
async function keyRejection(
  key: string,
  signal: AbortSignal,
  services: ExtensionServices,
): Promise<string | undefined> {
  const cwd = services.extensionPath;
  const result = await runCliJson(services, { args: ['auth', 'status'], cwd, signal, env: { SERVICE_API_KEY: key } });
  if (!('error' in result)) return undefined;
  services.log.error(`The API key was not accepted: ${result.error.message}`);
  if (result.error.code === 'authentication_failed')
    return l10n.t('The service does not accept this key. Copy the whole key again, or create a new one.');
  return l10n.t('The key could not be checked: {0}', result.error.message.split('\n')[0] ?? '');
}

const isMethod = (given: unknown): given is SignInMethod => ['browser', 'device', 'key'].includes(given as string);

/** A browser on another machine cannot reach a port of this one. */
const browserIsElsewhere = (): boolean => env.remoteName !== undefined || env.uiKind === UIKind.Web;

async function chooseMethod(): Promise<SignInMethod | undefined> {
  const methods = [
    {
      method: 'browser',
      label: `$(globe) ${l10n.t('In the Browser')}`,
      detail: l10n.t('Opens the sign-in page in your browser on this computer.'),
    },
    {
      method: 'device',
      label: `$(device-mobile) ${l10n.t('With a Code')}`,
      detail: l10n.t('Enter a short code on the sign-in page, on any device. For remote windows and containers.'),
    },
    {
      method: 'key',
      label: `$(key) ${l10n.t('With an API Key')}`,
      detail: l10n.t('Paste an API key of your account. It is checked before it is stored.'),
    },
  ] as const;
  const [browser, device, key] = methods;
  const sorted = browserIsElsewhere() ? [device, browser, key] : [browser, device, key];
  const chosen = await window.showQuickPick(sorted, { title: l10n.t('Sign In to Framework'), ignoreFocusOut: true });
  return chosen?.method;
}

type Outcome = 'cancelled' | { error?: CliError; warnings: string[] };

const options = { browser: '--no-browser', device: '--device' };

async function runSignIn(
  method: keyof typeof options,
  { host, extensionPath, log, now }: ExtensionServices,
): Promise<Outcome> {
  const stop = new AbortController();
  const warnings: string[] = [];
  let error: CliError | undefined;
  const work = (onEvent: (event: CliEvent) => void): Promise<number | null> => {
    const run = host.startCli?.(extensionPath, {
      args: ['auth', 'login', options[method], '--json', '--progress=ndjson'],
      cwd: extensionPath,
      stdin: '',
      onText: (line) => log.info(line),
      onEvent(event) {
        if (event.type === 'warning') warnings.push(event.message);
        if (event.type === 'error') error = event.error;
        onEvent(event);
      },
    });
    stop.signal.addEventListener('abort', () => run?.cancel(), { once: true });
    return run?.status ?? Promise.resolve(null);
  };
  const title = {
    browser: l10n.t('Waiting for sign-in in the browser'),
    device: l10n.t('Signing in'),
  }[method];
  const status = await window
    .withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return work((event) => {
        if (event.type === 'url') void env.openExternal(Uri.parse(event.url, true));
        if (event.type !== 'code') return;
        progress.report({ message: l10n.t('enter the code {0} on {1}', event.userCode, event.url) });
        void showCode(event, stop, now);
      });
    })
    .then(
      (ended) => ended,
      (cause) => {
        error ??= {
          code: 'not_started',
          message: l10n.t('The sign-in program could not be started: {0}', String(cause)),
        };
        return null;
      },
    );
  const wasStopped = stop.signal.aborted;
  // Closes the code, which waits for this.
  stop.abort();
  if (status === 0) return { warnings };
  if (wasStopped || error?.code === 'cancelled') return 'cancelled';
  return {
    error: error ?? {
      code: 'ended',
      message: l10n.t('The sign-in program stopped without an error message. See the log.'),
    },
    warnings,
  };
}

/** Throws an error with a translated message when signing out fails. */
export async function signOut(services: ExtensionServices, account: Account): Promise<void> {
  const state = account.state();
  if (state.kind === 'signedIn' && state.environment !== undefined) {
    throw new Error(
      l10n.t(
        'The API key is set in the environment variable {0}. Unset it and restart VS Code to sign out.',
        state.environment,
      ),
    );
  }
  if (account.apiKey.isUsed()) {
    await account.apiKey.remove();
    const next = await account.readStored();
    return void window.showInformationMessage(
      next.kind === 'signedIn'
        ? l10n.t('The API key was removed. VS Code now uses the sign-in of the command line: {0}.', next.label)
        : l10n.t('Signed out.'),
    );
  }
  const result = await runCliJson<{ signedOut: boolean; warnings: string[] }>(services, {
    args: ['auth', 'logout'],
    cwd: services.extensionPath,
  });
  await account.readStored();
  if ('error' in result) throw new Error(result.error.message);
  for (const warning of result.value.warnings) void window.showWarningMessage(warning);
  void window.showInformationMessage(
    result.value.signedOut ? l10n.t('Signed out.') : l10n.t('You were already signed out.'),
  );
}
