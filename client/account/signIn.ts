// Signing in and out: the command line does it, and what somebody must see or type meanwhile is shown here.
import { env, l10n, ProgressLocation, UIKind, Uri, window, workspace } from 'vscode';
import { askCli } from '../cli/askCli.ts';
import type { CliError, CliEvent } from '../cli/cliEvents.ts';
import type { Tools } from '../tools.ts';
import type { Account } from './account.ts';
import { showCode } from './deviceCode.ts';

export type SignInWay = 'browser' | 'device' | 'key';

/** Whether somebody is signed in now. Messages have told the user why not. */
export async function signIn(given: unknown, tools: Tools, account: Account): Promise<boolean> {
  if (!canSignIn(tools)) {
    void window.showWarningMessage(
      tools.host.startCli
        ? l10n.t('Signing in waits until this workspace is trusted.')
        : l10n.t('An editor in a browser tab cannot sign in: open the folder in VS Code on a computer.'),
    );
    return false;
  }
  const way = isWay(given) ? given : await chooseWay();
  if (!way) return false;
  const key = way === 'key' ? await askKey() : '';
  if (key === undefined) return false;
  const outcome = await runSignIn(way, key, tools);
  if (outcome === 'cancelled') return false;
  if (outcome.error) {
    tools.log.error(`Signing in: ${outcome.error.message}`);
    const { message, hint } = outcome.error;
    // Hints are about options of a terminal; the way out here is the same command once more.
    const again = l10n.t('Try Again');
    const text = hint && way === 'key' ? `${message} ${hint}` : message;
    if ((await window.showErrorMessage(text, again)) === again) return signIn(undefined, tools, account);
    return false;
  }
  for (const warning of outcome.warnings) void window.showWarningMessage(warning);
  await account.read();
  const state = await account.ask();
  if (state.kind === 'signedIn') void window.showInformationMessage(l10n.t('Signed in as {0}.', state.label));
  return state.kind === 'signedIn';
}

export function canSignIn({ host }: Pick<Tools, 'host'>): boolean {
  return host.startCli !== undefined && workspace.isTrusted;
}

const isWay = (given: unknown): given is SignInWay => ['browser', 'device', 'key'].includes(given as string);

/** A port of this machine is no use to a browser on another one. */
const browserIsElsewhere = (): boolean => env.remoteName !== undefined || env.uiKind === UIKind.Web;

async function chooseWay(): Promise<SignInWay | undefined> {
  const ways = [
    {
      way: 'browser',
      label: `$(globe) ${l10n.t('In the Browser')}`,
      detail: l10n.t('The sign-in page opens, and its answer comes back to this computer.'),
    },
    {
      way: 'device',
      label: `$(device-mobile) ${l10n.t('With a Code')}`,
      detail: l10n.t('Type a short code on the sign-in page, on any device. For remote windows and containers.'),
    },
    {
      way: 'key',
      label: `$(key) ${l10n.t('With an API Key')}`,
      detail: l10n.t('Paste a key of the account. It is tried before it is stored.'),
    },
  ] as const;
  const [browser, device, key] = ways;
  const sorted = browserIsElsewhere() ? [device, browser, key] : [browser, device, key];
  const chosen = await window.showQuickPick(sorted, { title: l10n.t('Sign In to Framework'), ignoreFocusOut: true });
  return chosen?.way;
}

function askKey(): Thenable<string | undefined> {
  return window.showInputBox({
    title: l10n.t('Sign In with an API Key'),
    prompt: l10n.t('Paste the key. It is stored in the credentials file of this computer and shown nowhere.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text !== '' && /\s/.test(text.trim()) ? l10n.t('A key has no spaces.') : undefined),
  });
}

type Outcome = 'cancelled' | { error?: CliError; warnings: string[] };

const options: Record<SignInWay, string> = { browser: '--no-browser', device: '--device', key: '--api-key' };

/** The key goes over standard input: it is in no list of processes and in no log. */
async function runSignIn(way: SignInWay, key: string, { host, extensionPath, log }: Tools): Promise<Outcome> {
  const stop = new AbortController();
  const warnings: string[] = [];
  let error: CliError | undefined;
  const work = (onEvent: (event: CliEvent) => void): Promise<number | null> => {
    const run = host.startCli?.(extensionPath, {
      args: ['auth', 'login', options[way], '--json', '--progress=ndjson'],
      cwd: extensionPath,
      stdin: key,
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
    browser: l10n.t('Waiting for you to sign in with the browser'),
    device: l10n.t('Signing in'),
    key: l10n.t('Trying the key'),
  }[way];
  const status = await window
    .withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return work((event) => {
        if (event.type === 'url') void env.openExternal(Uri.parse(event.url, true));
        if (event.type !== 'code') return;
        progress.report({ message: l10n.t('waiting for the code {0} on {1}', event.userCode, event.url) });
        void showCode(event, stop);
      });
    })
    .then(
      (ended) => ended,
      (cause) => {
        error ??= {
          code: 'not_started',
          message: l10n.t('The program that signs in could not be started: {0}', String(cause)),
        };
        return null;
      },
    );
  const wasStopped = stop.signal.aborted;
  // What shows the code waits for the end too.
  stop.abort();
  if (status === 0) return { warnings };
  if (wasStopped || error?.code === 'cancelled') return 'cancelled';
  return { error: error ?? { code: 'ended', message: l10n.t('Signing in ended without a word.') }, warnings };
}

/** Throws an error for people where it cannot be done. */
export async function signOut(tools: Tools, account: Account): Promise<void> {
  const state = account.state();
  if (state.kind === 'signedIn' && state.environment !== undefined) {
    throw new Error(
      l10n.t(
        'The key is in the environment variable {0}, which only whoever starts VS Code can take away.',
        state.environment,
      ),
    );
  }
  const answer = await askCli<{ signedOut: boolean; warnings: string[] }>(tools, {
    args: ['auth', 'logout'],
    cwd: tools.extensionPath,
  });
  await account.read();
  if ('error' in answer) throw new Error(answer.error.message);
  for (const warning of answer.answer.warnings) void window.showWarningMessage(warning);
  void window.showInformationMessage(answer.answer.signedOut ? l10n.t('Signed out.') : l10n.t('Nobody was signed in.'));
}
