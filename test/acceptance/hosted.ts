// The hosted service for a file of statements, its accounts, and the browser of a user who signs in.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { temporaryFolder } from '../support/project.ts';
import { agree } from '../support/service/oauthProgram.ts';
import { addKey, operate, type ServedProgram, serveProgram } from '../support/service/serveProgram.ts';
import { createBrowser, password } from '../support/service/webService.ts';
import { type Check, framework, type Place } from './acceptance.ts';
import { packedCli } from './packedCli.ts';

export type Hosted = {
  dataDir: string;
  program(): ServedProgram;
  /** The service's address and the key of one account, for every command. */
  env(): Record<string, string>;
  /** Continues with the key of a new account. Its address is kept as `<email>`. */
  newAccount(options?: string[]): Check;
  /** With the `password` of the web pages' tests. */
  addAccount(email: string): Promise<{ id: string }>;
  /** Runs one of the operator's commands: `credits --add 5 --email <email>`. */
  operate(command: string, prints?: RegExp, input?: string): Check;
  /** Signs in with `auth login`. The address that it opens in the browser is kept as `<opened>`. */
  signIn: Check;
};

/** Runs from before the first statement of a file until after the last. */
export function hostedService(options: string[] = [], env: Record<string, string> = {}): Hosted {
  const dataDir = mkdtempSync(join(tmpdir(), 'service-'));
  let program: ServedProgram | undefined;
  let key = '';
  let accounts = 0;
  const add = async (email: string, given: string[] = []) => addKey(dataDir, email, given, packedCli);
  const nextEmail = () => `ann${++accounts}@example.com`;
  beforeAll(async () => {
    program = await serveProgram(dataDir, options, { cli: packedCli, env });
    key = await add('ann@example.com');
  });
  afterAll(async () => {
    await program?.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    program: () => program ?? expect.fail('the service does not run'),
    env: () => ({ SERVICE_API_URL: program?.url ?? '', SERVICE_API_KEY: key, FRAMEWORK_API_KEY: '' }),
    newAccount: (given) => async (place) => {
      const email = nextEmail();
      place.kept.set('email', email);
      place.env.SERVICE_API_KEY = await add(email, given);
    },
    async addAccount(email) {
      const added = await operate(dataDir, ['account', 'add', '--email', email, '--json'], `${password}\n`, packedCli);
      return { id: JSON.parse(added).user_id };
    },
    operate:
      (command, prints = /./, input = '') =>
      async ({ kept }) => {
        const args = command.replace('<email>', kept.get('email') ?? 'ann@example.com').split(' ');
        expect(await operate(dataDir, args, input, packedCli)).toMatch(prints);
      },
    async signIn(place) {
      withoutKey(place);
      await signInAs('ann@example.com', place);
    },
  };
}

/** Runs `auth login` and follows the address that it opens in the browser. */
async function signInAs(email: string, place: Place): Promise<void> {
  const folder = temporaryFolder();
  const login = framework(['auth', 'login'], { ...place, env: { ...place.env, ...fakeBrowser(folder) } });
  const opened = () => new URL(readFileSync(join(folder, 'opened'), 'utf8'));
  const url = await vi.waitFor(opened, { timeout: 30_000, interval: 50 });
  place.kept.set('opened', url.href);
  const callback = await agree(createBrowser(url.origin), email, url, 'allow');
  expect([callback.hostname, (await fetch(callback)).status]).toEqual(['127.0.0.1', 200]);
  expect(await login).toMatchObject({ status: 0, stdout: expect.stringContaining(`Signed in as ${email}`) });
}

/** The browser of the system: a program that writes the address to the file `opened`. */
function fakeBrowser(folder: string): Record<string, string> {
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf %s "$1" > '${folder}/opened'\n`, { mode: 0o755 });
  }
  return { PATH: `${folder}${delimiter}${process.env.PATH}`, BROWSER: join(folder, 'xdg-open') };
}

/** Changes environment variables of the commands that follow. */
export function setEnv(changes: Record<string, string>): Check {
  return ({ env }) => void Object.assign(env, changes);
}

export const withoutKey = setEnv({ SERVICE_API_KEY: '', FRAMEWORK_API_KEY: '' });

/** Writes the credentials file, where `<name>` is a kept value. */
export function credentials(content: unknown): Check {
  return (place) => {
    const path = credentialsPath(place);
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      text.replace(/<(\w+)>/g, (whole, name: string) => place.kept.get(name) ?? whole),
      { mode: 0o600 },
    );
  };
}

export function credentialsPath({ env }: Place): string {
  return join(env.HOME ?? '', '.service/credentials');
}

export function readCredentials(place: Place): Record<string, unknown> & { oauth?: Record<string, unknown> } {
  return JSON.parse(readFileSync(credentialsPath(place), 'utf8'));
}

/** The environment of a service whose clock moves by `passDay`. */
export const steppedClock = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clockSource())}` };

function clockSource(): string {
  return `const now = Date.now; let passed = 0; Date.now = () => now() + passed;
process.on('SIGUSR2', () => { passed += 25 * 3600000; console.error('{"message":"a day has passed"}'); });`;
}

/** Moves the clock of a service with `steppedClock` by 25 hours. */
export function passDay({ program }: Hosted): Check {
  return async () => {
    const { child, log } = program();
    const steps = () => log.filter(({ message }) => message === 'a day has passed').length;
    const before = steps();
    child.kill('SIGUSR2');
    await vi.waitFor(() => expect(steps()).toBe(before + 1));
  };
}
