// Runs a command of the bundled command line with `--json` and returns what it prints.
import { l10n } from 'vscode';
import { editorError } from '../errorMessages.ts';
import type { Host } from '../host.ts';
import type { CliError } from './cliEvents.ts';

export type CliRequest = {
  /** The arguments do not contain `--json`. */
  args: readonly string[];
  /** Absolute path. */
  cwd: string;
  stdin?: string;
  /** Added to the environment of the extension. */
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
};

/**
 * `error` comes from the printed document, or else from standard error. `printed` is the whole document of a command that
 * failed, which can contain more than the error.
 */
export type CliResult<Value> =
  | { status: 0; value: Value }
  | { status: number | null; error: CliError; printed?: Partial<Value> };

/** Never throws. */
export async function runCliJson<Value>(
  { extensionPath, host }: { extensionPath: string; host: Host },
  { args, cwd, stdin = '', env, signal }: CliRequest,
): Promise<CliResult<Value>> {
  let output = '';
  const messages: string[] = [];
  const run = host.startCli?.(extensionPath, {
    args: [...args, '--json'],
    cwd,
    stdin,
    ...(env ? { env } : {}),
    onEvent: (event) => event.type === 'error' && messages.push(event.error.message),
    onText: (line) => messages.push(line),
    onOutput: (text) => {
      output += text;
    },
  });
  if (!run) return { status: null, error: { code: 'not_started', message: cannotStartText() } };
  signal?.addEventListener('abort', run.cancel, { once: true });
  try {
    const status = await run.status;
    if (status === 0) return { status, value: JSON.parse(output) as Value };
    const printed = parseDocument<Value>(output);
    if (printed?.error) return { status, error: editorError(printed.error), printed };
    const error = { code: 'ended', message: messages.join('\n') || endedText(status) };
    return { status, error, ...(printed ? { printed } : {}) };
  } catch (error) {
    return {
      status: null,
      error: { code: 'not_started', message: error instanceof Error ? error.message : `${error}` },
    };
  } finally {
    signal?.removeEventListener('abort', run.cancel);
  }
}

/** `status` is null when a signal ended the program. */
export function endedText(status: number | null): string {
  return l10n.t('The command exited with status {0}.', String(status));
}

export function cannotStartText(): string {
  return l10n.t('VS Code for the Web cannot start programs.');
}

/** The document of a command that failed, or undefined when it printed none. */
function parseDocument<Value>(output: string): (Partial<Value> & { error?: CliError }) | undefined {
  try {
    const value = JSON.parse(output);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
