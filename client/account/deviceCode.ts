// The code of a sign-in on another device: shown until it is used, given up, or has run out.
import { env, l10n, type QuickPickItem, Uri, window } from 'vscode';
import type { DeviceCode } from '../cli/cliEvents.ts';

/** Gone when `stop` is aborted; leaving it aborts that. Resolves when it is gone. */
export function showCode({ userCode, url, completeUrl, expiresIn }: DeviceCode, stop: AbortController): Promise<void> {
  const pick = window.createQuickPick<QuickPickItem & { action: () => void }>();
  const until = Date.now() + expiresIn * 1000;
  const copy = () => env.clipboard.writeText(userCode);
  pick.title = l10n.t('Your Code: {0}', userCode);
  pick.ignoreFocusOut = true;
  pick.busy = true;
  pick.items = [
    {
      label: `$(link-external) ${l10n.t('Copy the Code and Open the Page')}`,
      detail: url,
      action: () => {
        void copy();
        void env.openExternal(Uri.parse(completeUrl ?? url, true));
      },
    },
    { label: `$(copy) ${l10n.t('Copy the Code')}`, detail: userCode, action: copy },
    { label: `$(close) ${l10n.t('Cancel')}`, detail: l10n.t('Nothing is stored.'), action: () => pick.hide() },
  ];
  const tell = () => {
    pick.placeholder = l10n.t('Go to {0} and type {1}. {2}', url, userCode, leftText((until - Date.now()) / 1000));
  };
  tell();
  const clock = setInterval(tell, 10_000);
  return new Promise((done) => {
    stop.signal.addEventListener('abort', () => pick.hide(), { once: true });
    pick.onDidAccept(() => pick.selectedItems[0]?.action());
    pick.onDidHide(() => {
      clearInterval(clock);
      pick.dispose();
      stop.abort();
      done();
    });
    pick.show();
  });
}

/** How long a code still holds. */
export function leftText(seconds: number): string {
  if (seconds <= 0) return l10n.t('It has run out.');
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? l10n.t('It holds for another minute.') : l10n.t('It holds for {0} minutes.', minutes);
}
