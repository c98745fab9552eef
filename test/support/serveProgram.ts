// The hosted service as people start it: the built command line in a process of its own, and accounts made by its commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { schemaFaults } from './answers.ts';
import { cliFile, runProgram } from './program.ts';
import { password } from './webService.ts';

export type ServedProgram = {
  url: string;
  child: ChildProcess;
  /** Its log so far, line by line. */
  log: Record<string, unknown>[];
  /** Its requests so far to routes that begin so: `POST /v3/assets 401`. */
  requests(route: string): string[];
  /** With SIGKILL, unless told otherwise; done when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

/** On any port unless told otherwise, with a rate limit that nobody reaches. It lives until somebody ends it. */
export async function serveProgram(dataDir: string, options: string[] = []): Promise<ServedProgram> {
  const args = ['serve', '--data', dataDir, '--port', '0', '--json', '--requests-per-minute', '100000', ...options];
  const child = spawn(process.execPath, [cliFile, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const log: Record<string, unknown>[] = [];
  createInterface(child.stderr).on('line', (line) => log.push(JSON.parse(line)));
  const exit = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exit]);
  if (typeof line !== 'string') throw new Error(`the service did not start: ${JSON.stringify(log)}`);
  expect(schemaFaults('serve', JSON.parse(line))).toEqual([]);
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

/** One of the operator's commands; its standard output. */
export async function operate(dataDir: string, args: string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await runProgram(['serve', ...args, '--data', dataDir], {}, input);
  expect({ status, args, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

/** An account whose password is `password` of the web pages' tests, and a key for it. */
export async function addKey(dataDir: string, email: string, options: string[] = []): Promise<string> {
  await operate(dataDir, ['account', 'add', '--email', email, ...options], `${password}\n`);
  return (await operate(dataDir, ['key', 'add', '--email', email])).trim();
}
