// Who is signed in at the hosted service, as the command line says it, and the words for that.
import { l10n } from 'vscode';
import type { CliAnswer } from '../cli/askCli.ts';

/** What `framework auth status --json` prints, as far as it is read here. Times are unix seconds. */
export type AuthStatus = {
  signedIn: boolean;
  apiUrl: string;
  /** Absolute path of the credentials file, whether it is there or not. */
  file: string;
  kind: 'api_key' | 'oauth' | null;
  source: { kind: 'environment'; name: string } | { kind: 'file'; path: string } | null;
  user: { user_id?: string; email?: string; name?: string | null } | null;
  billing: { plan: string; credits_remaining: number; resets_at: number | null } | null;
};

/** `unknown`: nobody has asked yet, or nobody may. `problem`: the service does not confirm it just now. */
export type AccountState = { kind: 'unknown' } | { kind: 'signedOut' } | SignedIn;

/** `environment`: the variable that the key is in. `credits`: what is left to spend, once the service has said it. */
export type SignedIn = {
  kind: 'signedIn';
  id: string;
  label: string;
  credential: 'api_key' | 'oauth';
  apiUrl: string;
  environment?: string;
  email?: string;
  credits?: number;
  problem?: string;
};

/** `before`: what was known; the credits of the same account stay until they are told anew. */
export function accountState(answer: CliAnswer<AuthStatus>, before: AccountState): AccountState {
  const status = 'answer' in answer ? answer.answer : answer.printed;
  // The program itself did not work: nothing is known that was not known before.
  if (!status?.apiUrl) return before;
  const { kind, source, user, billing, apiUrl } = status;
  if (!kind || !source) return { kind: 'signedOut' };
  const environment = source.kind === 'environment' ? source.name : undefined;
  const isSame = before.kind === 'signedIn' && before.credential === kind && before.environment === environment;
  const known = isSame && (!user?.user_id || before.id === user.user_id) ? before : undefined;
  const label = user?.email ?? user?.name ?? known?.label;
  const credits = billing?.credits_remaining ?? known?.credits;
  return {
    kind: 'signedIn',
    id: user?.user_id ?? known?.id ?? environment ?? kind,
    label: label ?? (environment === undefined ? l10n.t('API key') : l10n.t('API key in {0}', environment)),
    credential: kind,
    apiUrl,
    ...(environment === undefined ? {} : { environment }),
    ...(label === undefined ? {} : { email: label }),
    ...(credits === undefined ? {} : { credits }),
    ...('error' in answer ? { problem: answer.error.message } : {}),
  };
}

/** For the status and the menu: what is first read, and what stands below or beside it. */
export function accountText(state: AccountState): { text: string; detail: string } {
  if (state.kind === 'unknown') return { text: l10n.t('Framework Account'), detail: l10n.t('Not known yet.') };
  if (state.kind === 'signedOut')
    return { text: l10n.t('Signed out'), detail: l10n.t('Sign in to render in the cloud.') };
  const { label, environment, credits, problem } = state;
  const details = [
    ...(problem === undefined ? [] : [problem]),
    ...(credits === undefined ? [] : [creditsText(credits)]),
    ...(environment === undefined || !state.email ? [] : [l10n.t('By the key in {0}.', environment)]),
  ];
  return { text: l10n.t('Signed in as {0}', label), detail: details.join(' ') || state.apiUrl };
}

function creditsText(credits: number): string {
  return credits === 1 ? l10n.t('1 credit left.') : l10n.t('{0} credits left.', credits);
}
