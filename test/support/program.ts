// Runs the built command line as a separate process.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkOutput } from './schemaProblems.ts';

export const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export type ProgramRun = { status: number | null; stdout: string; stderr: string };

/** `texts` grows with the output. `done` resolves when the process has ended. */
export type StartedProgram = {
  child: ChildProcess;
  texts: { stdout: string; stderr: string };
  done: Promise<ProgramRun>;
};

/** `env`: added to this process's environment. `input`: the complete standard input. `cli`: the executable. */
export function startProgram(
  args: string[],
  env: Record<string, string> = {},
  input = '',
  cli = cliFile,
): StartedProgram {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, ...env },
    stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data: Buffer) => {
    texts.stdout += data.toString();
  });
  child.stderr?.on('data', (data: Buffer) => {
    texts.stderr += data.toString();
  });
  const done = new Promise<ProgramRun>((resolve) => {
    child.once('close', (status) => resolve({ status, ...texts }));
  }).then((run) => {
    // Its JSON output must match the documented schema, unless it was killed while printing.
    if (run.status !== null) checkOutput(args, run);
    return run;
  });
  return { child, texts, done };
}

export function runProgram(
  args: string[],
  env?: Record<string, string>,
  input?: string,
  cli?: string,
): Promise<ProgramRun> {
  return startProgram(args, env, input, cli).done;
}
