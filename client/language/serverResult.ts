// Reports failed requests to the language server, so that a server error is not mistaken for "not a composition".
import { commands, type LogOutputChannel, l10n, window } from 'vscode';

type Log = Pick<LogOutputChannel, 'error'>;

/** Waits for a request. When it fails, logs the error, shows it with a button that restarts the server, and returns undefined. */
export async function resultOrMessage<Result>(request: Promise<Result>, log: Log): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(`A request to the language server failed: ${reason}`);
    return showWarning(l10n.t('The language server did not respond: {0}', reason), {
      title: l10n.t('Restart Language Server'),
      command: 'framework.restartServer',
    });
  }
}

/** For work in the background. When the request fails, logs the error and returns undefined. */
export async function resultOrLog<Result>(request: Promise<Result>, log: Log): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    log.error(`A request to the language server failed: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** Shows a warning, optionally with a button that runs a command. */
export async function showWarning(message: string, action?: { title: string; command: string }): Promise<undefined> {
  const chosen = await (action ? window.showWarningMessage(message, action.title) : window.showWarningMessage(message));
  if (action && chosen === action.title) await commands.executeCommand(action.command);
}
