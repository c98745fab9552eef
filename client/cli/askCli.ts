// One question to the bundled command line: run with `--json`, answered by what it prints on standard output.
import type { Host } from '../host.ts';
import type { CliError } from './cliEvents.ts';

export type CliQuestion = {
  /** Without `--json`. */
  args: readonly string[];
  /** Absolute path. */
  cwd: string;
  stdin?: string;
  signal?: AbortSignal;
};

/** `error`: what the command said on standard error, which is meant for people; its first line is the message. */
export type CliAnswer<Answer> = { status: 0; answer: Answer } | { status: number | null; error: CliError };

/** Never throws. */
export async function askCli<Answer>(
  { extensionPath, host }: { extensionPath: string; host: Host },
  { args, cwd, stdin = '', signal }: CliQuestion,
): Promise<CliAnswer<Answer>> {
  let output = '';
  const said: string[] = [];
  const run = host.startCli?.(extensionPath, {
    args: [...args, '--json'],
    cwd,
    stdin,
    onEvent: (event) => event.type === 'error' && said.push(event.error.message),
    onText: (line) => said.push(line),
    onOutput: (text) => {
      output += text;
    },
  });
  if (!run) return { status: null, error: { code: 'not_started', message: 'No program can be started here.' } };
  signal?.addEventListener('abort', run.cancel, { once: true });
  try {
    const status = await run.status;
    if (status === 0) return { status, answer: JSON.parse(output) as Answer };
    return { status, error: { code: 'ended', message: said.join('\n') || `The command ended with status ${status}.` } };
  } catch (error) {
    return {
      status: null,
      error: { code: 'not_started', message: error instanceof Error ? error.message : `${error}` },
    };
  } finally {
    signal?.removeEventListener('abort', run.cancel);
  }
}
