// Shows the account in the Accounts menu and in the language status, and registers its commands.
import {
  type AuthenticationProviderAuthenticationSessionsChangeEvent,
  type AuthenticationSession,
  authentication,
  commands,
  type Disposable,
  EventEmitter,
  env,
  LanguageStatusSeverity,
  l10n,
  languages,
  type QuickPickItem,
  Uri,
  window,
} from 'vscode';
import type { ExtensionServices } from '../extensionServices.ts';
import { type Account, canSignIn } from './account.ts';
import { type AccountState, accountText } from './accountState.ts';
import { scopes } from './accountsMenu.ts';

export function createAccountCommands(services: ExtensionServices, account: Account): Disposable[] {
  return [
    registerProvider(services, account),
    createAccountStatus(account),
    commands.registerCommand('framework.signIn', (given: unknown) => signIn(given, services, account)),
    commands.registerCommand('framework.signOut', () => signOutWithMessages(services, account)),
    commands.registerCommand('framework.account', () => showAccount(services, account)),
  ];
}

async function signIn(method: unknown, services: ExtensionServices, account: Account): Promise<boolean> {
  const { signIn } = await import('./signIn.ts');
  return signIn(method, services, account);
}

async function signOut(services: ExtensionServices, account: Account): Promise<void> {
  const { signOut } = await import('./signIn.ts');
  return signOut(services, account);
}

/** The session that VS Code shows. It has no token: only the command line uses the credentials. */
function sessionOf(state: AccountState): AuthenticationSession | undefined {
  if (state.kind !== 'signedIn') return undefined;
  const { id, label } = state;
  return { id, account: { id, label }, scopes, accessToken: '' };
}

function registerProvider(services: ExtensionServices, account: Account): Disposable {
  const changed = new EventEmitter<AuthenticationProviderAuthenticationSessionsChangeEvent>();
  let shown: AuthenticationSession | undefined;
  const listening = account.onDidChange((state) => {
    const session = sessionOf(state);
    if (session?.id === shown?.id && session?.account.label === shown?.account.label) return;
    changed.fire({ added: session ? [session] : [], removed: shown ? [shown] : [], changed: [] });
    shown = session;
  });
  const registered = authentication.registerAuthenticationProvider(
    'framework',
    'Framework',
    {
      onDidChangeSessions: changed.event,
      async getSessions() {
        const session = sessionOf(account.state().kind === 'unknown' ? await account.readStored() : account.state());
        return session ? [session] : [];
      },
      async createSession() {
        await signIn(undefined, services, account);
        const session = sessionOf(account.state());
        if (!session) throw new Error(l10n.t('The sign-in was not completed.'));
        return session;
      },
      removeSession: () => signOut(services, account),
    },
    { supportsMultipleAccounts: false },
  );
  return {
    dispose() {
      for (const owned of [registered, listening, changed]) owned.dispose();
    },
  };
}

function createAccountStatus(account: Account): Disposable {
  const item = languages.createLanguageStatusItem('framework.account', { language: 'html' });
  item.name = l10n.t('Framework Account');
  const show = (state: AccountState): void => {
    Object.assign(item, accountText(state));
    const hasProblem = state.kind === 'signedIn' && state.problem !== undefined;
    item.severity = hasProblem ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    item.command =
      state.kind === 'signedIn'
        ? { title: l10n.t('Account'), command: 'framework.account' }
        : { title: l10n.t('Sign In'), command: 'framework.signIn' };
  };
  show(account.state());
  const listening = account.onDidChange(show);
  return {
    dispose() {
      listening.dispose();
      item.dispose();
    },
  };
}

async function signOutWithMessages(services: ExtensionServices, account: Account): Promise<void> {
  if (!canSignIn(services)) return;
  await account.readStored();
  try {
    await signOut(services, account);
  } catch (error) {
    void window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}

type Choice = QuickPickItem & { run?: () => unknown };

async function showAccount(services: ExtensionServices, account: Account): Promise<void> {
  const state = await account.refresh();
  if (state.kind !== 'signedIn') {
    await signIn(undefined, services, account);
    return;
  }
  const { text, detail } = accountText(state);
  const choices: Choice[] = [
    { label: `$(account) ${text}`, detail, run: () => env.openExternal(Uri.parse(state.apiUrl, true)) },
    ...(state.environment === undefined
      ? [
          {
            label: `$(arrow-swap) ${l10n.t('Sign In to Another Account')}`,
            run: () => signIn(undefined, services, account),
          },
          { label: `$(sign-out) ${l10n.t('Sign Out')}`, run: () => signOutWithMessages(services, account) },
        ]
      : []),
  ];
  const title = l10n.t('Framework Account');
  const placeHolder = l10n.t('{0}: press Enter to open the account page', state.apiUrl);
  const chosen = await window.showQuickPick(choices, { title, placeHolder });
  await chosen?.run?.();
}
