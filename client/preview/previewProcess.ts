// The process that serves the previews of one project folder: `framework preview`, told what is edited.
import { type Disposable, Uri, workspace } from 'vscode';
import type { FromProcess, ToProcess } from '../../renderer-core/preview/messages.ts';
import { endedText } from '../cli/askCli.ts';
import type { CliRun } from '../cli/cliEvents.ts';
import { programEnv } from '../cli/programEnv.ts';
import type { Tools } from '../tools.ts';

/** `reason`: what it said at last. */
export type Ended = { reason: string };

export type PreviewProcess = Disposable & {
  projectUri: string;
  /** The address of its page; fails when the process ended before it had one. */
  url: Promise<string>;
  send(message: ToProcess): void;
  /** Not when it was disposed of. */
  ended: Promise<Ended>;
};

/** Told what it says. */
export function startPreviewProcess(
  projectUri: string,
  { host, extensionPath, log }: Tools,
  onMessage: (message: FromProcess) => void,
): PreviewProcess {
  const folder = Uri.parse(projectUri).fsPath;
  const said: string[] = [];
  let isDisposed = false;
  let run: CliRun | undefined;
  let settle: { done: (url: string) => void; fail: (error: Error) => void } | undefined;
  const url = new Promise<string>((done, fail) => {
    settle = { done, fail };
  });
  const ended = new Promise<Ended>((done) => {
    const end = (fallback: string) => {
      const reason = said.slice(-4).join('\n') || fallback;
      settle?.fail(new Error(reason));
      if (!isDisposed) done({ reason });
    };
    const args = ['preview', folder, '--no-open'];
    log.info(`framework ${args.join(' ')}`);
    run = host.startCli?.(extensionPath, {
      args,
      cwd: folder,
      stdin: '',
      env: programEnv(folder),
      onEvent: (event) => event.type === 'error' && said.push(event.error.message),
      onText(line) {
        said.push(line);
        log.warn(line);
      },
      onMessage(given) {
        const message = given as FromProcess;
        if (message.type === 'listening') settle?.done(message.url);
        onMessage(message);
      },
    });
    run?.status.then(
      (status) => end(endedText(status)),
      (error: Error) => end(error.message),
    );
  });
  // Whoever waits for it is told; nobody has to.
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

/** Whether what is typed is shown before it is saved. */
export function showsTyping(): boolean {
  return workspace.getConfiguration('framework').get('preview.reload') !== 'onSave';
}
