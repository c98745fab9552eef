// Shows the code for signing in on another device until the sign-in ends, the user cancels, or the code expires.
import { env, l10n, type QuickPickItem, Uri, window } from 'vscode';
import type { DeviceCode } from '../../cloud/client/auth/deviceCode.ts';

/** Closes when `stop` is aborted; closing it aborts `stop`. Resolves when it is closed. */
export function showCode(
  { userCode, url, completeUrl, expiresIn }: DeviceCode,
  stop: AbortController,
  now: () => number,
): Promise<void> {
  const pick = window.createQuickPick<QuickPickItem & { action: () => void }>();
  const expiresAt = now() + expiresIn * 1000;
  const copy = () => env.clipboard.writeText(userCode);
  pick.title = l10n.t('Your Code: {0}', userCode);
  pick.ignoreFocusOut = true;
  pick.busy = true;
  pick.items = [
    {
      label: `$(link-external) ${l10n.t('Copy Code and Open Page')}`,
      detail: url,
      action: () => {
        void copy();
        void env.openExternal(Uri.parse(completeUrl ?? url, true));
      },
    },
    { label: `$(copy) ${l10n.t('Copy Code')}`, detail: userCode, action: copy },
    { label: `$(close) ${l10n.t('Cancel')}`, detail: l10n.t('No credentials are stored.'), action: () => pick.hide() },
  ];
  const update = () => {
    pick.placeholder = l10n.t('Go to {0} and enter {1}. {2}', url, userCode, expiryText((expiresAt - now()) / 1000));
  };
  update();
  const timer = setInterval(update, 10_000);
  return new Promise((done) => {
    stop.signal.addEventListener('abort', () => pick.hide(), { once: true });
    pick.onDidAccept(() => pick.selectedItems[0]?.action());
    pick.onDidHide(() => {
      clearInterval(timer);
      pick.dispose();
      stop.abort();
      done();
    });
    pick.show();
  });
}

/** The time until the code expires. */
export function expiryText(seconds: number): string {
  if (seconds <= 0) return l10n.t('The code has expired.');
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? l10n.t('The code expires in 1 minute.') : l10n.t('The code expires in {0} minutes.', minutes);
}
