// The commands of the Videos view.
import {
  commands,
  type Disposable,
  env,
  l10n,
  ProgressLocation,
  Selection,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import type { RenderEntry } from '../render/history.ts';
import { openOutput, revealOutput } from '../render/output/openOutput.ts';
import type { CloudRenders } from './cloudRenders.ts';
import type { LogDocuments } from './logDocuments.ts';
import type { ViewNode } from './viewNode.ts';

/** The argument of a command: a row, or the data of a row's click. */
type Row = Partial<ViewNode>;

export function createRenderActions(
  services: ExtensionServices,
  cloud: CloudRenders,
  logs: LogDocuments,
): Disposable[] {
  const { history, values, renders } = services;
  const entryOf = (row: Row) => history.entries().find(({ id }) => id === row.entryId);
  return [
    logs,
    commands.registerCommand('framework.renders.refresh', () => cloud.refresh()),
    commands.registerCommand('framework.renders.loadMore', () => cloud.loadMore()),
    commands.registerCommand('framework.renders.open', ({ output }: Row = {}) => output && openOutput(output)),
    commands.registerCommand('framework.renders.reveal', ({ output }: Row = {}) => output && revealOutput(output)),
    commands.registerCommand('framework.renders.copyPath', ({ output }: Row = {}) => copy(output)),
    commands.registerCommand('framework.renders.copyId', ({ renderId }: Row = {}) => copy(renderId)),
    commands.registerCommand('framework.renders.download', (row: Row = {}) => download(row, services)),
    commands.registerCommand('framework.renders.showLog', ({ entryId }: Row = {}) => entryId && logs.show(entryId)),
    commands.registerCommand('framework.renders.goToRow', (row: Row = {}) => goToRow(row, entryOf(row), services)),
    commands.registerCommand('framework.renders.cancel', (row: Row = {}) => cancel(row, entryOf(row), services, cloud)),
    commands.registerCommand('framework.renders.renderAgain', (row: Row = {}) => {
      const entry = entryOf(row);
      return entry && renders.renderAgain(entry);
    }),
    commands.registerCommand('framework.renders.renderWithOther', async (row: Row = {}) => {
      const entry = entryOf(row);
      if (!entry) return;
      const uri = Uri.parse(entry.composition);
      // The form starts with the values of this render.
      values.set(uri, entry.values);
      await commands.executeCommand('framework.renderWithVariables', { uri: entry.composition });
    }),
    commands.registerCommand('framework.renders.delete', (row: Row = {}) => {
      const entry = entryOf(row);
      return entry ? deleteFile(entry, services) : deleteRender(row, cloud);
    }),
    commands.registerCommand('framework.renders.remove', (row: Row = {}) => {
      if (row.entryId !== undefined) void removeEntries([row.entryId], services);
    }),
    commands.registerCommand('framework.renders.clearFinished', () => {
      const finished = history.entries().filter(({ state }) => state !== 'running');
      void removeEntries(
        finished.map(({ id }) => id),
        services,
      );
    }),
  ];
}

async function removeEntries(ids: readonly string[], { history }: ExtensionServices): Promise<void> {
  if (ids.length === 0) return;
  const restore = history.remove(ids);
  const message =
    ids.length === 1
      ? l10n.t('Removed 1 entry from the list. Its files are kept.')
      : l10n.t('Removed {0} entries from the list. Their files are kept.', ids.length);
  const undo = l10n.t('Undo');
  if ((await window.showInformationMessage(message, undo)) === undo) restore();
}

async function copy(text: string | undefined): Promise<void> {
  if (text !== undefined) await env.clipboard.writeText(text);
}

/** Deletes with a workspace edit, so that the file goes to the trash if available and Undo restores it. */
async function deleteFile({ id, output }: RenderEntry, { history }: ExtensionServices): Promise<void> {
  if (output === undefined) return;
  const file = Uri.file(output);
  const name = workspace.asRelativePath(file);
  const remove = l10n.t('Delete');
  const detail = l10n.t('The file is moved to the trash if one is available.');
  const asked = l10n.t('Delete {0}?', name);
  if ((await window.showWarningMessage(asked, { modal: true, detail }, remove)) !== remove) return;
  const edit = new WorkspaceEdit();
  edit.deleteFile(file, { recursive: true, ignoreIfNotExists: true });
  if (await workspace.applyEdit(edit)) history.remove([id]);
  else void window.showErrorMessage(l10n.t('{0} could not be deleted.', name));
}

async function cancel(
  row: Row,
  entry: RenderEntry | undefined,
  { renders }: ExtensionServices,
  cloud: CloudRenders,
): Promise<void> {
  if (!entry || renders.cancel(entry.id)) return;
  if (entry.kind === 'cloud') return deleteRender({ ...row, label: entry.name }, cloud);
  void window.showInformationMessage(l10n.t('{0} does not run in this window and continues on AWS.', entry.name));
}

async function deleteRender(row: Row, cloud: CloudRenders): Promise<void> {
  if (row.renderId === undefined) return;
  const remove = l10n.t('Delete');
  const asked = l10n.t('Delete the cloud render {0}?', row.label ?? row.renderId);
  const detail = l10n.t('ID: {0}. Its video can no longer be downloaded. This cannot be undone.', row.renderId);
  if ((await window.showWarningMessage(asked, { modal: true, detail }, remove)) !== remove) return;
  const problem = await cloud.remove(row.renderId);
  if (problem !== undefined) void window.showErrorMessage(problem);
}

/** Downloads a cloud render to `renders/` of the active project. */
async function download(row: Row, services: ExtensionServices): Promise<void> {
  const { renderId, saveAs = `${renderId}.mp4` } = row;
  const folder = folderFor(services);
  if (renderId === undefined || !services.host.startCli) return;
  if (!folder) {
    void window.showWarningMessage(l10n.t('Open a folder first. The video is saved in it.'));
    return;
  }
  const title = l10n.t('Downloading {0}', row.label ?? renderId);
  const output = `renders/${saveAs}`;
  let failure: CliError | undefined;
  let printed = '';
  const status = await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const run = services.host.startCli?.(services.extensionPath, {
        args: ['cloud', 'get', renderId, '--output', output, '--json', '--progress=ndjson'],
        cwd: folder.fsPath,
        stdin: '',
        onText: (line) => services.log.warn(line),
        onOutput: (text) => (printed += text),
        onEvent(event) {
          if (event.type === 'error') failure = event.error;
          if (event.type === 'stage') progress.report({ message: event.message });
        },
      });
      token.onCancellationRequested(() => run?.cancel());
      return run?.status.catch((error) => {
        services.log.error(`The download of ${renderId} could not be started: ${error}`);
        return null;
      });
    },
  );
  if (failure?.code === 'cancelled') return;
  if (status !== 0) {
    void window.showErrorMessage(failure?.message ?? l10n.t('The video could not be downloaded.'));
    return;
  }
  await offer(JSON.parse(printed).output);
}

async function offer(path: string): Promise<void> {
  const [open, show] = [l10n.t('Open'), l10n.t('Reveal')];
  const message = l10n.t('Downloaded {0}.', workspace.asRelativePath(Uri.file(path)));
  const chosen = await window.showInformationMessage(message, open, show);
  if (chosen === open) await openOutput(path);
  if (chosen === show) await revealOutput(path);
}

function folderFor({ active }: ExtensionServices): Uri | undefined {
  const project = active.current()?.projectUri;
  const folder = project === undefined ? workspace.workspaceFolders?.[0]?.uri : Uri.parse(project);
  return folder?.scheme === 'file' ? folder : undefined;
}

/** Selects the row in its batch file. */
async function goToRow(row: Row, entry: RenderEntry | undefined, { server, log }: ExtensionServices): Promise<void> {
  if (entry?.batch === undefined || row.row === undefined) return;
  const uri = Uri.parse(entry.batch.uri);
  const editor = await window.showTextDocument(uri);
  const info = await resultOrMessage(server.request('framework/batch', { uri: uri.toString(), row: row.row }), log);
  if (!info?.row) return;
  const { start, end } = info.row.range;
  editor.selection = new Selection(start.line, start.character, end.line, end.character);
  editor.revealRange(editor.selection);
}
