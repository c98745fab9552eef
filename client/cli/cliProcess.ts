// Starts the bundled command line as a child process, with the Node.js that runs the extensions.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type CliRun, type CliStart, createLineSplitter, parseEvent } from './cliEvents.ts';

/** Time between the request to end and the kill, in milliseconds. */
const timeoutMs = 10_000;

/** The command that starts the bundled command line. */
export function cliProgram(extensionPath: string): { command: string; args: string[]; env: Record<string, string> } {
  // Makes VS Code's executable run as plain Node.js. The extension asks before it downloads a browser.
  const env = { ELECTRON_RUN_AS_NODE: '1', FRAMEWORK_NO_BROWSER_DOWNLOAD: '1' };
  return { command: process.execPath, args: [join(extensionPath, 'dist', 'cli.js')], env };
}

/** Never throws: `status` rejects when the program cannot be started. */
export function startCli(extensionPath: string, start: CliStart): CliRun {
  const { args, cwd, stdin, env, onEvent, onText, onOutput, onMessage } = start;
  const program = cliProgram(extensionPath);
  const child = spawn(program.command, [...program.args, ...args], {
    cwd,
    env: { ...env, ...program.env },
    // The command line ends when the IPC channel closes, by `cancel` or at the end of this process. Windows has no signal for it.
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const events = createLineSplitter((line) => {
    const event = parseEvent(line);
    if (event) onEvent(event);
    else if (line !== '') onText(line);
  });
  child.stderr?.setEncoding('utf8').on('data', events.add);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
  if (onMessage) child.on('message', onMessage);
  // A program that ends before it reads its input reports the reason on standard error.
  child.stdin?.on('error', () => undefined).end(stdin);

  let killTimer: NodeJS.Timeout | undefined;
  // Node.js 20 does not emit `close` after the channel was closed on this side.
  const exited = new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('exit', done);
  });
  const outputEnd = Promise.all(
    [child.stderr, child.stdout].map((stream) => new Promise<void>((done) => stream?.on('close', () => done()))),
  );
  const status = exited
    .then(async (code) => {
      await outputEnd;
      events.end();
      return code;
    })
    .finally(() => clearTimeout(killTimer));
  return {
    status,
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    cancel() {
      if (child.connected) child.disconnect();
      killTimer ??= setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    },
  };
}
