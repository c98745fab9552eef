// One question to the bundled command line: run with `--json`, answered by what it prints on standard output.
import { l10n } from 'vscode';
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

/**
 * `error` is the one in what the command printed, else what it said on standard error, which is meant for people.
 * `printed` is the whole document, where there is more in it than the error.
 */
export type CliAnswer<Answer> =
  | { status: 0; answer: Answer }
  | { status: number | null; error: CliError; printed?: Partial<Answer> };

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
  if (!run) return { status: null, error: { code: 'not_started', message: l10n.t('No program can be started here.') } };
  signal?.addEventListener('abort', run.cancel, { once: true });
  try {
    const status = await run.status;
    if (status === 0) return { status, answer: JSON.parse(output) as Answer };
    const printed = documentIn<Answer>(output);
    if (printed?.error) return { status, error: printed.error, printed };
    return { status, error: ended(said, status), ...(printed ? { printed } : {}) };
  } catch (error) {
    return {
      status: null,
      error: { code: 'not_started', message: error instanceof Error ? error.message : `${error}` },
    };
  } finally {
    signal?.removeEventListener('abort', run.cancel);
  }
}

function ended(said: readonly string[], status: number | null): CliError {
  return { code: 'ended', message: said.join('\n') || endedText(status) };
}

/** `status` is null where it was stopped. */
export function endedText(status: number | null): string {
  return l10n.t('The command ended with status {0}.', String(status));
}

/** With `--json` a command that fails prints its error, alone or in all that it has to tell. */
function documentIn<Answer>(output: string): (Partial<Answer> & { error?: CliError }) | undefined {
  try {
    const value = JSON.parse(output);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
