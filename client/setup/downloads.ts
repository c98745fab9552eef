// Runs `framework setup`: plans the downloads, and downloads with a progress notification.
import {
  type CancellationToken,
  type LogOutputChannel,
  l10n,
  type Progress,
  ProgressLocation,
  window,
  workspace,
} from 'vscode';
import type { CliError, CliEvent, DownloadEvent } from '../cli/cliEvents.ts';
import { cannotStartText, runCliJson } from '../cli/runCliJson.ts';
import type { Host } from '../host.ts';
import { bytesText } from './doctorPage.ts';

type CliServices = { extensionPath: string; host: Host; log: LogOutputChannel };

/** The output of `framework setup --json`. */
export type SetupReport = {
  folder: string;
  programs: readonly { program: string; status: 'present' | 'downloaded' | 'planned'; name: string; bytes: number }[];
};

export type DownloadEnd = SetupReport | { error: CliError } | 'cancelled';

/** Returns which of `programs` are missing, with their names and sizes. Downloads nothing. Never throws. */
export async function planDownloads(
  services: CliServices,
  programs: readonly string[],
): Promise<SetupReport | { error: CliError }> {
  const args = ['setup', ...programs, '--dry-run', '--progress=none'];
  const result = await runCliJson<SetupReport>(services, { args, cwd: services.extensionPath });
  return 'value' in result ? result.value : { error: result.error };
}

/** Never throws. */
export async function download(services: CliServices, programs: readonly string[]): Promise<DownloadEnd> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Installing programs for rendering'), cancellable: true },
    (progress, token) => runSetup(services, programs, progress, token),
  );
}

async function runSetup(
  { extensionPath, host, log }: CliServices,
  programs: readonly string[],
  progress: Progress<{ message?: string; increment?: number }>,
  token: CancellationToken,
): Promise<DownloadEnd> {
  const percentPerProgram = 100 / Math.max(1, programs.length);
  const shown = new Map<string, number>();
  let output = '';
  let failure: CliError | undefined;
  const onEvent = (event: CliEvent): void => {
    if (event.type === 'error') failure = event.error;
    if (event.type === 'stage') log.info(event.message);
    if (event.type === 'stage') progress.report({ message: event.message });
    if (event.type !== 'download') return;
    const part = event.totalBytes === null ? 0 : (event.doneBytes / event.totalBytes) * percentPerProgram;
    progress.report({ message: downloadText(event), increment: part - (shown.get(event.program) ?? 0) });
    shown.set(event.program, part);
  };
  const run = host.startCli?.(extensionPath, {
    args: ['setup', ...programs, '--json', '--progress=ndjson'],
    cwd: extensionPath,
    stdin: '',
    env: proxyEnvironment(),
    onEvent,
    onText: (line) => log.warn(line),
    onOutput: (text) => {
      output += text;
    },
  });
  if (!run) return { error: { code: 'not_started', message: cannotStartText() } };
  const listening = token.onCancellationRequested(run.cancel);
  try {
    const status = await run.status;
    if (status === 0) return JSON.parse(output) as SetupReport;
    if (token.isCancellationRequested || failure?.code === 'cancelled') return 'cancelled';
    return {
      error: failure ?? { code: 'ended', message: l10n.t('Setup exited with status {0}. See the log.', `${status}`) },
    };
  } catch (error) {
    return { error: { code: 'not_started', message: error instanceof Error ? error.message : String(error) } };
  } finally {
    listening.dispose();
  }
}

/** `Chrome Headless Shell 153: 45 of 120 MB, 12 s left` */
export function downloadText({ name, doneBytes, totalBytes, remainingSeconds }: DownloadEvent): string {
  if (totalBytes === null) return l10n.t('{0}: {1}', name, bytesText(doneBytes));
  const [done, total] = [bytesText(doneBytes), bytesText(totalBytes)];
  if (remainingSeconds === null) return l10n.t('{0}: {1} of {2}', name, done, total);
  return l10n.t('{0}: {1} of {2}, {3} s left', name, done, total, Math.ceil(remainingSeconds));
}

/** The proxy of VS Code's setting `http.proxy`. Proxy variables of the environment are inherited anyway. */
function proxyEnvironment(): Record<string, string> {
  const proxy = workspace.getConfiguration('http').get<string>('proxy')?.trim();
  return proxy ? { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } : {};
}
