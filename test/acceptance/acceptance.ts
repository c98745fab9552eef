// Runs the sentences of the contract: each is a row with the commands that demonstrate it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { cacheRoot } from '../../renderer-core/project/cacheFolder.ts';
import { project } from '../support/project.ts';
import type { Skip } from '../support/systemPrograms.ts';
import { packedCli } from './packedCli.ts';

type Files = Record<string, string | Uint8Array>;

/** A sentence and its steps, which run one after another in a new folder that contains `files`. */
type Shown = { sentence: string; files?: Files; steps: Step[] };

/** A sentence that cannot be tried on one machine. */
type NotRun = { sentence: string; notRun: string };

/** A sentence that the product does not keep yet: its steps must fail. Remove `notBuilt` when it does. */
type NotBuilt = Shown & { notBuilt: string };

export type Statement = Shown | NotRun | NotBuilt;

export type Step = Command | Request | Check;

/** A command line, split at spaces; single quotes keep an argument together, and `<name>` is a kept value. */
export type Command = Expected & {
  run: string;
  input?: string;
  /** Default: 0. */
  exit?: number;
  /** Files that exist afterwards, and files that do not. */
  creates?: string[];
  leavesOut?: string[];
};

/** A request to the hosted service: `GET /v3/users/me`. `body`: sent as JSON, unless it is a form. */
export type Request = Expected & {
  request: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: 200. */
  status?: number;
};

type Expected = {
  /** Parts of the output (standard output and error) or of the body, and parts that must not be there. */
  prints?: (string | RegExp)[];
  hides?: (string | RegExp)[];
  /** Fields of the standard output or the body, which is JSON. Fields that are not named can have any value. */
  json?: unknown;
  /** Keeps fields of the JSON for later steps: `{ asset: 'data.asset_id' }` is used as `<asset>`. */
  keep?: Record<string, string>;
};

export type Check = (place: Place) => void | Promise<void>;

/** `env`: added to the environment of every command. `context`: skips the test if this machine lacks something. */
export type Place = { folder: string; env: Record<string, string>; kept: Map<string, string>; context: Skip };

/** Declares a test for every statement. `env` is called before each: the service's address and credentials, for example. */
export function accept(statements: Statement[], env: () => Record<string, string> = () => ({})): void {
  for (const statement of statements) {
    const { sentence } = statement;
    if ('notRun' in statement) test(sentence, ({ skip }) => skip(statement.notRun));
    else if ('notBuilt' in statement) test.fails(sentence, (context) => runSteps(statement, env(), context));
    else test(sentence, (context) => runSteps(statement, env(), context));
  }
}

async function runSteps({ files = {}, steps }: Shown, env: Record<string, string>, context: Skip): Promise<void> {
  const folder = project(files);
  const ownEnv = { HOME: project({}), FRAMEWORK_CACHE: cacheRoot(process.env), ...env };
  const place: Place = { folder, env: ownEnv, kept: new Map(), context };
  for (const step of steps) {
    if (typeof step === 'function') await step(place);
    else if ('run' in step) await runCommand(step, place);
    else await sendRequest(step, place);
  }
}

async function runCommand(step: Command, place: Place): Promise<void> {
  const { exit = 0, creates = [], leavesOut = [] } = step;
  const args = wordsOf(step.run).map((word) => insertKept(word, place));
  const { status, stdout, stderr } = await framework(args, place, step.input);
  const output = `${stdout}${stderr}`;
  expect({ run: step.run, status, output }).toEqual({ run: step.run, status: exit, output });
  const present = [...creates, ...leavesOut].filter((path) => existsSync(join(place.folder, path)));
  expect(present).toEqual(creates);
  checkText(step, output, stdout, place);
}

type Run = { status: number | null; stdout: string; stderr: string };

/** Runs the packed command line. */
export function framework(args: string[], place: Place, input = ''): Promise<Run> {
  return start(args, place, input).done;
}

/** Starts the packed command line. `done` resolves when the process has ended. */
export function start(args: string[], { folder, env }: Place, input = ''): { child: ChildProcess; done: Promise<Run> } {
  const child = spawn(process.execPath, [packedCli, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => undefined).end(input);
  const read = async (): Promise<Run> => {
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await ended, stdout, stderr };
  };
  return { child, done: read() };
}

async function sendRequest(step: Request, place: Place): Promise<void> {
  const [method = '', path = ''] = insertKept(step.request, place).split(' ');
  const { SERVICE_API_URL = '', SERVICE_API_KEY = '' } = place.env;
  const isForm = step.body instanceof FormData;
  const response = await fetch(new URL(path, SERVICE_API_URL), {
    method,
    redirect: 'manual',
    headers: {
      ...(SERVICE_API_KEY === '' ? {} : { 'x-api-key': SERVICE_API_KEY }),
      ...(step.body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        Object.entries(step.headers ?? {}).map(([name, value]) => [name, insertKept(value, place)]),
      ),
    },
    ...(step.body === undefined
      ? {}
      : { body: isForm ? (step.body as FormData) : insertKept(JSON.stringify(step.body), place) }),
  });
  const body = await response.text();
  const { status = 200, request } = step;
  expect({ request, status: response.status, body }).toEqual({ request, status, body });
  checkText(step, `${[...response.headers].map((header) => header.join(': ')).join('\n')}\n${body}`, body, place);
}

function checkText(expected: Expected, output: string, json: string, place: Place): void {
  for (const part of expected.prints ?? []) expect(output).toMatch(insertKept(part, place));
  for (const part of expected.hides ?? []) expect(output).not.toMatch(insertKept(part, place));
  if (expected.json === undefined && expected.keep === undefined) return;
  const value: unknown = JSON.parse(json);
  if (expected.json !== undefined) expect({ value }).toMatchObject({ value: expected.json });
  for (const [name, path] of Object.entries(expected.keep ?? {})) place.kept.set(name, String(fieldOf(value, path)));
}

function fieldOf(value: unknown, path: string): unknown {
  const field = path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], value);
  if (field === undefined) throw new Error(`no ${path} in ${JSON.stringify(value)}`);
  return field;
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

function insertKept<T extends string | RegExp>(part: T, { kept }: Place): T {
  if (typeof part !== 'string') return part;
  return part.replace(/<(\w+)>/g, (whole, name: string) => kept.get(name) ?? whole) as T;
}
