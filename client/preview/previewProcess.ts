// The process `framework preview`, which serves the previews of one project folder.

import { type Disposable, Uri, workspace } from 'vscode';
import type { FromProcess, ToProcess } from '../../preview/messages.ts';
import type { CliRun } from '../cli/cliEvents.ts';
import { endedText } from '../cli/runCliJson.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { programPaths } from '../programOptions.ts';

/** `reason`: the last lines of its output. */
export type ProcessEnd = { reason: string };

export type PreviewProcess = Disposable & {
  projectUri: string;
  /** The address of the preview page. Rejects when the process ends before it listens. */
  url: Promise<string>;
  send(message: ToProcess): void;
  /** Resolves when the process ends, but not when it was disposed. */
  ended: Promise<ProcessEnd>;
};

export function startPreviewProcess(
  projectUri: string,
  { host, extensionPath, log }: ExtensionServices,
  onMessage: (message: FromProcess) => void,
): PreviewProcess {
  const folder = Uri.parse(projectUri).fsPath;
  const output: string[] = [];
  let isDisposed = false;
  let run: CliRun | undefined;
  let pending: { resolve: (url: string) => void; reject: (error: Error) => void } | undefined;
  const url = new Promise<string>((resolve, reject) => {
    pending = { resolve, reject };
  });
  const ended = new Promise<ProcessEnd>((done) => {
    const end = (fallback: string) => {
      const reason = output.slice(-4).join('\n') || fallback;
      pending?.reject(new Error(reason));
      if (!isDisposed) done({ reason });
    };
    const args = ['preview', folder, '--no-open'];
    log.info(`framework ${args.join(' ')}`);
    run = host.startCli?.(extensionPath, {
      args,
      cwd: folder,
      stdin: '',
      env: programEnvironment(folder),
      onEvent: (event) => event.type === 'error' && output.push(event.error.message),
      onText(line) {
        output.push(line);
        log.warn(line);
      },
      onMessage(given) {
        const message = given as FromProcess;
        if (message.type === 'listening') pending?.resolve(message.url);
        onMessage(message);
      },
    });
    run?.status.then(
      (status) => end(endedText(status)),
      (error: Error) => end(error.message),
    );
  });
  // Prevents an unhandled rejection when no caller waits for the address.
  url.catch(() => undefined);
  return {
    projectUri,
    url,
    ended,
    send: (message) => run?.send(message),
    dispose() {
      isDisposed = true;
      run?.cancel();
    },
  };
}

/** Whether the preview shows edits before they are saved. */
export function showsTyping(): boolean {
  return workspace.getConfiguration('framework').get('preview.reload') !== 'onSave';
}

/** The paths of programs in the settings of a folder, as environment variables of the command line. */
const programEnvironment = (folder: string): Record<string, string> =>
  Object.fromEntries(programPaths(folder).map(([option, path]) => [`FRAMEWORK_${option.toUpperCase()}`, path]));
