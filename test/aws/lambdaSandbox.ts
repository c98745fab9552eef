// One execution environment of a function: a process of AWS's runtime client, and the Runtime API that it polls.
// Source: the AWS Lambda developer guide, "Using the Lambda runtime API".
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isolated } from './lambdaIsolation.ts';
import type { LambdaProgram } from './lambdaProgram.ts';
import { limitMemory } from './memoryLimit.ts';

const bubblewrap = '/usr/bin/bwrap';

export type SandboxOptions = {
  program: LambdaProgram;
  /** Further folders that it can read. */
  layers: readonly string[];
  /** The folder of the unpacked code. */
  code: string;
  /** The handler as `file.export`. */
  handler: string;
  name: string;
  memoryMb: number;
  /** Size of `/tmp`. */
  diskMb: number;
  timeoutSeconds: number;
  env: Record<string, string>;
  /** Receives the log output of the function. */
  onLog(text: string): void;
};

/** `payload`: JSON of the response, or of an error object if `failure` contains the kind of error. */
export type Outcome = { payload: string; failure?: 'Handled' | 'Unhandled' };

export type Sandbox = {
  /** Runs one invocation at a time. */
  invoke(payload: string): Promise<Outcome>;
  /** Whether it accepts another invocation. */
  isAlive(): boolean;
  /** Simulates the failure of a machine: ends without notifying anyone. */
  kill(): void;
  close(): Promise<void>;
};

type Work = { id: string; payload: string; deadline: number; end(outcome: Outcome): void };

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'lambda-'));
  let work: Work | undefined;
  let waiting: ServerResponse | undefined;
  const hand = () => {
    if (!work || !waiting) return;
    waiting.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': work.id,
      'lambda-runtime-deadline-ms': String(work.deadline),
      'lambda-runtime-invoked-function-arn': `arn:aws:lambda:us-east-1:000000000000:function:${options.name}`,
    });
    waiting.end(work.payload);
    waiting = undefined;
  };
  const end = (outcome: Outcome) => {
    const done = work;
    work = undefined;
    done?.end(outcome);
  };
  const server = createServer(async (request: IncomingMessage, response) => {
    const path = request.url ?? '';
    if (path.endsWith('/runtime/invocation/next')) {
      waiting = response;
      return hand();
    }
    const body = await text(request);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
    if (path.endsWith('/response')) end({ payload: body });
    else if (path.endsWith('/error')) end({ payload: body, failure: 'Unhandled' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const child = await start(options, folder, (server.address() as AddressInfo).port);
  const exited = new Promise<void>((resolve) =>
    child.once('close', (code, signal) => {
      const errorMessage = `RequestId: ${work?.id ?? '-'} Error: Runtime exited with error: ${signal === 'SIGKILL' ? 'signal: killed' : `exit status ${code}`}`;
      endLimit();
      end({ payload: JSON.stringify({ errorType: 'Runtime.ExitError', errorMessage }), failure: 'Unhandled' });
      resolve();
    }),
  );
  // A program that fails to start is treated like one that exited; 'close' follows.
  child.once('error', (error) => options.onLog(`${error.message} in ${options.code}\n`));
  const kill = () => killGroup(child);
  const endLimit = limitMemory(child.pid ?? 0, options.memoryMb, () => {
    options.onLog(`the memory of ${options.memoryMb} MB is exceeded\n`);
    kill();
  });
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill,
    invoke: (payload) =>
      invokeWithin(options.timeoutSeconds, kill, payload, (next) => {
        work = next;
        hand();
      }),
    async close() {
      kill();
      await exited;
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function invokeWithin(
  seconds: number,
  kill: () => void,
  payload: string,
  give: (work: Work) => void,
): Promise<Outcome> {
  const id = randomUUID();
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const errorMessage = `RequestId: ${id} Error: Task timed out after ${seconds.toFixed(2)} seconds`;
      resolve({ payload: JSON.stringify({ errorType: 'Sandbox.Timedout', errorMessage }), failure: 'Unhandled' });
      kill();
    }, seconds * 1000);
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    give({ id, payload, deadline: Date.now() + seconds * 1000, end });
  });
}

async function start(options: SandboxOptions, folder: string, port: number): Promise<ChildProcess> {
  const { handler, name, memoryMb, env, onLog } = options;
  const isolation = await isolated(options, folder);
  const seccomp = await open(isolation.seccompFile);
  const child = spawn(bubblewrap, isolation.args, {
    // A new process group, so that its browsers end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', seccomp.fd],
    env: {
      ...isolation.env,
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
      _HANDLER: handler,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: `2026/01/01/[$LATEST]${randomUUID().replaceAll('-', '')}`,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
      AWS_REGION: 'us-east-1',
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => onLog(data.toString()));
  child.once('spawn', () => void seccomp.close());
  return child;
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
