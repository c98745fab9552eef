// The account state, derived from `framework auth status`, and its texts.

import { l10n } from 'vscode';
import type { User } from '../../cloud/client/apiTypes.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { CliResult } from '../cli/runCliJson.ts';

/** The fields of `framework auth status --json` that are used. Times are Unix seconds. */
export type AuthStatus = {
  signedIn: boolean;
  apiUrl: string;
  /** Absolute path of the credentials file, which may not exist. */
  file: string;
  kind: 'api_key' | 'oauth' | null;
  source: { kind: 'environment'; name: string } | { kind: 'file'; path: string } | null;
  user: { user_id?: string; email?: string; name?: string | null } | null;
  billing: User['billing'] | null;
};

/** `unknown`: not requested yet, or not allowed in an untrusted workspace. */
export type AccountState = { kind: 'unknown' } | { kind: 'signedOut' } | SignedIn;

/**
 * `environment`: the environment variable with the API key. `credits`: the remaining credits, once known. `problem`: the reason
 * why the service did not confirm the credentials.
 */
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

/**
 * `before` is the previous state: the credits of the same account are kept until the service returns new ones. `isOwnKey`: the
 * command got the editor's key in its environment.
 */
export function accountState(result: CliResult<AuthStatus>, before: AccountState, isOwnKey = false): AccountState {
  const status = 'value' in result ? result.value : result.printed;
  // The command failed without a status.
  if (!status?.apiUrl) return before;
  const { kind, source, user, billing, apiUrl } = status;
  if (!kind || !source) return { kind: 'signedOut' };
  const environment = source.kind === 'environment' && !isOwnKey ? source.name : undefined;
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
    ...given({ environment, email: label, credits }),
    ...('error' in result ? { problem: result.error.message } : {}),
  };
}

/** The text and the detail line for the status item and the account menu. */
export function accountText(state: AccountState): { text: string; detail: string } {
  if (state.kind === 'unknown')
    return { text: l10n.t('Framework Account'), detail: l10n.t('The account status is not known yet.') };
  if (state.kind === 'signedOut')
    return { text: l10n.t('Signed out'), detail: l10n.t('Sign in to render in the cloud.') };
  const { label, environment, credits, problem } = state;
  const details = [
    ...(problem === undefined ? [] : [problem]),
    ...(credits === undefined ? [] : [creditsText(credits)]),
    ...(environment === undefined || !state.email ? [] : [l10n.t('Uses the API key in {0}.', environment)]),
  ];
  return { text: l10n.t('Signed in as {0}', label), detail: details.join(' ') || state.apiUrl };
}

function creditsText(credits: number): string {
  return credits === 1 ? l10n.t('1 credit left.') : l10n.t('{0} credits left.', credits);
}
