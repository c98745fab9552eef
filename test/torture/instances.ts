// Instances of the service as child processes. One that ends is started again on its port, as systemd would do it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export type LogLine = Record<string, unknown>;

export type Instance = {
  url: string;
  /** Undefined while it is being started. */
  pid(): number | undefined;
  /** Lines of its log, except requests that had no error. */
  log: LogLine[];
  /** Ends of the process that were not caused by `kill`. */
  crashes: string[];
  /** Sends a signal, waits for the end of the process, and starts it again. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGTERM, without another start. */
  stop(): Promise<void>;
};

/** systemd's default for `RestartSec`. */
const restartMs = 100;

export async function startInstance(
  args: readonly string[],
  env: Record<string, string>,
  port = '0',
): Promise<Instance> {
  const log: LogLine[] = [];
  const crashes: string[] = [];
  let isWanted = true;
  let killed: ChildProcess | undefined;
  let restarting: Promise<void> = Promise.resolve();
  let child: ChildProcess | undefined;
  // If this process is stopped early.
  process.once('exit', () => child?.kill('SIGKILL'));
  const start = async (at: string): Promise<string> => {
    const started = spawn(process.execPath, [cliFile, 'serve', '--json', '--port', at, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    createInterface(started.stderr).on('line', (line) => keep(log, line));
    const exited = once(started, 'exit');
    const [line] = await Promise.race([once(createInterface(started.stdout), 'line'), exited]);
    if (typeof line !== 'string') throw new Error(`the service did not start: ${JSON.stringify(log.slice(-3))}`);
    child = started;
    void exited.then(([code, signal]) => {
      child = undefined;
      if (killed !== started && isWanted) crashes.push(`exit ${code ?? signal}: ${JSON.stringify(log.slice(-3))}`);
      if (isWanted) restarting = sleep(restartMs).then(() => restart());
    });
    return (JSON.parse(line) as { url: string }).url;
  };
  const restart = (): Promise<void> =>
    start(new URL(url).port).then(
      () => undefined,
      // systemd would try again.
      (error) => {
        crashes.push(String(error));
        return isWanted ? sleep(1000).then(restart) : undefined;
      },
    );
  const url = await start(port);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await restarting;
    if (child === undefined) return;
    killed = child;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    pid: () => child?.pid,
    log,
    crashes,
    async kill(signal) {
      await end(signal);
      // The listener of `exit` above has already run.
      await restarting;
    },
    async stop() {
      isWanted = false;
      await end('SIGTERM');
    },
  };
}

/** Hundreds of thousands of requests would fill the memory. */
function keep(log: LogLine[], line: string): void {
  let entry: LogLine;
  try {
    entry = JSON.parse(line) as LogLine;
  } catch {
    // Node's own messages are not JSON.
    entry = { level: 'error', message: line };
  }
  if (entry.message === 'request' && Number(entry.status) < 500) return;
  log.push(entry);
}

/** Creates an account with plenty of credits, and a key. */
export async function addAccount(at: {
  dataDir: string;
  email: string;
  env: Record<string, string>;
}): Promise<{ email: string; key: string }> {
  const { dataDir, email, env } = at;
  const options = ['--email', email, '--data', dataDir];
  await operate(['account', 'add', ...options, '--credits', '1000000'], env, 'a long password\n');
  return { email, key: await operate(['key', 'add', ...options], env) };
}

/** Runs an operator's command to its end and returns its output. */
async function operate(args: readonly string[], env: Record<string, string>, input = ''): Promise<string> {
  const child = spawn(process.execPath, [cliFile, 'serve', ...args], {
    // The commands write hints to standard error.
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  child.stdin.end(input);
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`framework serve ${args.join(' ')} ended with status ${status}`);
  return output.trim();
}
