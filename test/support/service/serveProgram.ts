// The hosted service as a process of the command line, by default the built one, with accounts created by its commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { cliFile, runProgram } from '../program.ts';
import { schemaProblems } from '../schemaProblems.ts';
import { password } from './webService.ts';

export type ServedProgram = {
  url: string;
  child: ChildProcess;
  /** The lines of its log so far. */
  log: Record<string, unknown>[];
  /** Its requests so far to routes with this prefix: `POST /v3/assets 401`. */
  requests(route: string): string[];
  /** Sends a signal, by default SIGKILL, and resolves when the process has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

/** By default on any port, with a rate limit that tests do not reach. Runs until it is stopped. */
export async function serveProgram(
  dataDir: string,
  options: string[] = [],
  { cli = cliFile, env = {} }: { cli?: string; env?: Record<string, string> } = {},
): Promise<ServedProgram> {
  const own = ['--port', '0', '--json', '--requests-per-minute', '100000', '--allow-root'];
  const args = ['serve', '--data', dataDir, ...own, ...options];
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const log: Record<string, unknown>[] = [];
  const logLines = createInterface(child.stderr).on('line', (line) => log.push(JSON.parse(line)));
  const logEnd = once(logLines, 'close');
  const exit = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exit]);
  if (typeof line !== 'string') {
    await logEnd;
    throw new Error(`the service did not start: ${JSON.stringify(log)}`);
  }
  expect(schemaProblems('serve', JSON.parse(line))).toEqual([]);
  return {
    url: JSON.parse(line).url,
    child,
    log,
    requests: (start) =>
      log
        .filter(({ message, route }) => message === 'request' && String(route).startsWith(start))
        .map(({ method, route, status }) => `${method} ${route} ${status}`),
    async end(signal = 'SIGKILL') {
      child.kill(signal);
      await exit;
    },
  };
}

/** Runs one of the operator's commands and returns its standard output. */
export async function operate(dataDir: string, args: string[], input = '', cli = cliFile): Promise<string> {
  const { status, stdout, stderr } = await runProgram(['serve', ...args, '--data', dataDir], {}, input, cli);
  expect({ status, args, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

/** Creates an account with the `password` of the web pages' tests, and a key for it. */
export async function addKey(dataDir: string, email: string, options: string[] = [], cli = cliFile): Promise<string> {
  await operate(dataDir, ['account', 'add', '--email', email, ...options], `${password}\n`, cli);
  return (await operate(dataDir, ['key', 'add', '--email', email], '', cli)).trim();
}
