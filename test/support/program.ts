// Runs the built command line as a user does, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkAnswer } from './answers.ts';

export const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export type ProgramRun = { status: number | null; stdout: string; stderr: string };

/** What was printed so far grows in `texts`; `done` is when it has ended. */
export type StartedProgram = {
  child: ChildProcess;
  texts: { stdout: string; stderr: string };
  done: Promise<ProgramRun>;
};

/** `env` is added to this process's; `input` is all of its standard input. */
export function startProgram(args: string[], env: Record<string, string> = {}, input = ''): StartedProgram {
  const child = spawn(process.execPath, [cliFile, ...args], {
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
  });
  return { child, texts, done };
}

/** What it prints for programs has to be what is documented of it. */
export async function runProgram(args: string[], env?: Record<string, string>, input?: string): Promise<ProgramRun> {
  const run = await startProgram(args, env, input).done;
  checkAnswer(args, run);
  return run;
}
