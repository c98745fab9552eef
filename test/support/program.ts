// Runs the built command line as a user does, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cliFile = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export type ProgramRun = { status: number | null; stdout: string; stderr: string };

/** `env` is added to this process's; `onStart` is given the process, to interrupt it. */
export function runProgram(
  args: string[],
  env: Record<string, string> = {},
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<ProgramRun> {
  const child = spawn(process.execPath, [cliFile, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart(child);
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => {
    texts.stdout += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    texts.stderr += data.toString();
  });
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...texts })));
}
