// The account in the editor: in the Accounts menu, in the language status, and by commands.
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
import type { Tools } from '../tools.ts';
import type { Account } from './account.ts';
import { type AccountState, accountText } from './accountState.ts';
import { canSignIn, signIn, signOut } from './signIn.ts';

export function createAccountCommands(tools: Tools, account: Account): Disposable[] {
  return [
    registerProvider(tools, account),
    createAccountStatus(account),
    commands.registerCommand('framework.signIn', (given: unknown) => signIn(given, tools, account)),
    commands.registerCommand('framework.signOut', () => askedSignOut(tools, account)),
    commands.registerCommand('framework.account', () => showAccount(tools, account)),
  ];
}

/** There is one kind of session. It has a name, for the editor takes back no offer to sign in for nothing at all. */
const scopes = ['account'];

/** What the editor is told of an account. The secret stays with the command line, which is the one that sends it. */
function sessionOf(state: AccountState): AuthenticationSession | undefined {
  if (state.kind !== 'signedIn') return undefined;
  const { id, label } = state;
  return { id, account: { id, label }, scopes, accessToken: '' };
}

function registerProvider(tools: Tools, account: Account): Disposable {
  const changed = new EventEmitter<AuthenticationProviderAuthenticationSessionsChangeEvent>();
  let told: AuthenticationSession | undefined;
  const listening = account.onDidChange((state) => {
    const session = sessionOf(state);
    if (session?.id === told?.id && session?.account.label === told?.account.label) return;
    changed.fire({ added: session ? [session] : [], removed: told ? [told] : [], changed: [] });
    told = session;
  });
  const registered = authentication.registerAuthenticationProvider(
    'framework',
    'Framework',
    {
      onDidChangeSessions: changed.event,
      async getSessions() {
        const session = sessionOf(account.state().kind === 'unknown' ? await account.read() : account.state());
        return session ? [session] : [];
      },
      async createSession() {
        await signIn(undefined, tools, account);
        const session = sessionOf(account.state());
        if (!session) throw new Error(l10n.t('Nobody has signed in.'));
        return session;
      },
      removeSession: () => signOut(tools, account),
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
    const isTrouble = state.kind === 'signedIn' && state.problem !== undefined;
    item.severity = isTrouble ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
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

/**
 * Whoever has looked at the renders and is signed out finds signing in where the editor keeps its accounts. Not before: the menu
 * shows such an offer with a number beside it, which is too much for who never renders in the cloud.
 */
export function offerInAccountsMenu(): void {
  // Not silent, it is put into the menu; nothing is asked.
  void authentication.getSession('framework', scopes, { createIfNone: false });
}

async function askedSignOut(tools: Tools, account: Account): Promise<void> {
  if (!canSignIn(tools)) return;
  await account.read();
  try {
    await signOut(tools, account);
  } catch (error) {
    void window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}

type Choice = QuickPickItem & { run?: () => unknown };

async function showAccount(tools: Tools, account: Account): Promise<void> {
  const state = await account.ask();
  if (state.kind !== 'signedIn') {
    await signIn(undefined, tools, account);
    return;
  }
  const { text, detail } = accountText(state);
  const choices: Choice[] = [
    { label: `$(account) ${text}`, detail, run: () => env.openExternal(Uri.parse(state.apiUrl, true)) },
    ...(state.environment === undefined
      ? [
          {
            label: `$(arrow-swap) ${l10n.t('Sign In to Another Account')}`,
            run: () => signIn(undefined, tools, account),
          },
          { label: `$(sign-out) ${l10n.t('Sign Out')}`, run: () => askedSignOut(tools, account) },
        ]
      : []),
  ];
  const title = l10n.t('Framework Account');
  const placeHolder = l10n.t('{0}: Enter opens the page of the account', state.apiUrl);
  const chosen = await window.showQuickPick(choices, { title, placeHolder });
  await chosen?.run?.();
}
