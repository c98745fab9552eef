// Starts the bundled command line as a child process with the Node that runs the extensions.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type CliRun, type CliStart, createLines, eventOf } from './cliEvents.ts';

const patienceMs = 10_000;

/** How another program, such as the editor itself, starts the bundled command line. */
export function cliProgram(extensionPath: string): { command: string; args: string[]; env: Record<string, string> } {
  // The editor's own program runs as plain Node only when it is told so.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return { command: process.execPath, args: [join(extensionPath, 'dist', 'cli.js')], env };
}

/** Never throws: what goes wrong at the start is told by `status`. */
export function startCli(extensionPath: string, start: CliStart): CliRun {
  const { args, cwd, stdin, env, onEvent, onText, onOutput, onMessage } = start;
  const program = cliProgram(extensionPath);
  const child = spawn(program.command, [...program.args, ...args], {
    cwd,
    env: { ...process.env, ...env, ...program.env },
    // The channel does what no signal can on Windows: when it closes, by `cancel` or with this process, the render ends.
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const events = createLines((line) => {
    const event = eventOf(line);
    if (event) onEvent(event);
    else if (line !== '') onText(line);
  });
  child.stderr?.setEncoding('utf8').on('data', events.add);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
  if (onMessage) child.on('message', onMessage);
  // A program that ended before it read its input says why on standard error.
  child.stdin?.on('error', () => undefined).end(stdin);

  let patience: NodeJS.Timeout | undefined;
  // Not `close`: Node 20 does not send it after the channel was closed from here.
  const exited = new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('exit', done);
  });
  const heard = Promise.all(
    [child.stderr, child.stdout].map((stream) => new Promise<void>((done) => stream?.on('close', () => done()))),
  );
  const status = exited
    .then(async (code) => {
      await heard;
      events.end();
      return code;
    })
    .finally(() => clearTimeout(patience));
  return {
    status,
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    cancel() {
      if (child.connected) child.disconnect();
      patience ??= setTimeout(() => child.kill('SIGKILL'), patienceMs);
    },
  };
}
