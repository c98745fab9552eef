// Runs `framework setup`: says what it would download, and downloads it with its progress in a notification.
import {
  type CancellationToken,
  type LogOutputChannel,
  l10n,
  type Progress,
  ProgressLocation,
  window,
  workspace,
} from 'vscode';
import { askCli } from '../cli/askCli.ts';
import type { CliError, CliEvent, DownloadEvent } from '../cli/cliEvents.ts';
import type { Host } from '../host.ts';
import { bytesText } from './doctorPage.ts';

type Tools = { extensionPath: string; host: Host; log: LogOutputChannel };

/** What `framework setup --json` prints. */
export type SetUpReport = {
  folder: string;
  programs: readonly { program: string; status: 'present' | 'downloaded' | 'planned'; name: string; bytes: number }[];
};

export type DownloadEnd = SetUpReport | { error: CliError } | 'cancelled';

/** What is missing of `programs`, with names and sizes; nothing is downloaded. Never throws. */
export async function planDownloads(
  tools: Tools,
  programs: readonly string[],
): Promise<SetUpReport | { error: CliError }> {
  const args = ['setup', ...programs, '--dry-run', '--progress=none'];
  const asked = await askCli<SetUpReport>(tools, { args, cwd: tools.extensionPath });
  return 'answer' in asked ? asked.answer : { error: asked.error };
}

/** Never throws. */
export async function download(tools: Tools, programs: readonly string[]): Promise<DownloadEnd> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Setting up Framework'), cancellable: true },
    (progress, token) => runSetUp(tools, programs, progress, token),
  );
}

async function runSetUp(
  { extensionPath, host, log }: Tools,
  programs: readonly string[],
  progress: Progress<{ message?: string; increment?: number }>,
  token: CancellationToken,
): Promise<DownloadEnd> {
  const share = 100 / Math.max(1, programs.length);
  const shown = new Map<string, number>();
  let output = '';
  let failure: CliError | undefined;
  const onEvent = (event: CliEvent): void => {
    if (event.type === 'error') failure = event.error;
    if (event.type === 'stage') log.info(event.message);
    if (event.type === 'stage') progress.report({ message: event.message });
    if (event.type !== 'download') return;
    const part = event.totalBytes === null ? 0 : (event.doneBytes / event.totalBytes) * share;
    progress.report({ message: downloadText(event), increment: part - (shown.get(event.program) ?? 0) });
    shown.set(event.program, part);
  };
  const run = host.startCli?.(extensionPath, {
    args: ['setup', ...programs, '--json', '--progress=ndjson'],
    cwd: extensionPath,
    stdin: '',
    env: proxyOfEditor(),
    onEvent,
    onText: (line) => log.warn(line),
    onOutput: (text) => {
      output += text;
    },
  });
  if (!run) return { error: { code: 'not_started', message: l10n.t('No program can be started here.') } };
  const listening = token.onCancellationRequested(run.cancel);
  try {
    const status = await run.status;
    if (status === 0) return JSON.parse(output) as SetUpReport;
    if (token.isCancellationRequested || failure?.code === 'cancelled') return 'cancelled';
    return { error: failure ?? { code: 'ended', message: l10n.t('The setup ended with status {0}.', `${status}`) } };
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

/** The proxy that the editor itself uses; those of its environment are handed on without this. */
function proxyOfEditor(): Record<string, string> {
  const proxy = workspace.getConfiguration('http').get<string>('proxy')?.trim();
  return proxy ? { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } : {};
}
