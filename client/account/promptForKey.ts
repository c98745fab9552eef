// Asks for an API key. The input box stays open until the service has accepted the key, so that nothing typed into it can go to
// the open document.
import { type InputBox, l10n, window } from 'vscode';

/** `check` resolves to the reason why a key is not accepted. Resolves to the accepted key, or undefined when the user cancels. */
export function promptForKey(
  check: (key: string, signal: AbortSignal) => Promise<string | undefined>,
): Promise<string | undefined> {
  const box = window.createInputBox();
  box.title = l10n.t('Sign In with an API Key');
  box.prompt = l10n.t('Paste the API key. It is checked, and stored in the secret storage of VS Code.');
  box.password = true;
  box.ignoreFocusOut = true;
  const stop = new AbortController();
  return new Promise((done) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = keyProblem(text);
    });
    box.onDidAccept(async () => {
      const key = box.value.trim();
      box.validationMessage = key === '' ? l10n.t('Enter the API key.') : keyProblem(key);
      if (box.validationMessage !== undefined || box.busy) return;
      const problem = await whileBusy(box, () => check(key, stop.signal));
      if (stop.signal.aborted) return;
      box.validationMessage = problem;
      if (problem !== undefined) return;
      done(key);
      box.hide();
    });
    box.onDidHide(() => {
      stop.abort();
      box.dispose();
      done(undefined);
    });
    box.show();
  });
}

/** The text stays editable while the key is checked: a disabled box would lose the focus. */
async function whileBusy<Result>(box: InputBox, work: () => Promise<Result>): Promise<Result> {
  const { prompt } = box;
  box.busy = true;
  box.prompt = l10n.t('Checking the key…');
  try {
    return await work();
  } finally {
    box.busy = false;
    box.prompt = prompt;
  }
}

/** Characters that cannot be in a key. */
export function keyProblem(text: string): string | undefined {
  const key = text.trim();
  if (/\s/.test(key)) return l10n.t('The key must not contain spaces.');
  return /^[\x21-\x7e]*$/.test(key) ? undefined : l10n.t('The key contains characters that keys do not have.');
}
