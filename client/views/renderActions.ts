// The commands behind the rows of the Renders view.
import { commands, type Disposable, env, l10n, ProgressLocation, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import type { RenderEntry } from '../render/history.ts';
import { openOutput, revealOutput } from '../render/openOutput.ts';
import type { Tools } from '../tools.ts';
import type { CloudRenders } from './cloudRenders.ts';
import type { LogDocuments } from './logDocuments.ts';
import type { ViewNode } from './node.ts';

/** Of a row, or as a row's own click gives it. */
type Row = Partial<ViewNode>;

export function createRenderActions(tools: Tools, cloud: CloudRenders, logs: LogDocuments): Disposable[] {
  const { history, values, renders } = tools;
  const entryOf = (row: Row) => history.entries().find(({ id }) => id === row.entryId);
  return [
    logs,
    commands.registerCommand('framework.renders.refresh', () => cloud.refresh()),
    commands.registerCommand('framework.renders.loadMore', () => cloud.loadMore()),
    commands.registerCommand('framework.renders.open', ({ output }: Row = {}) => output && openOutput(output)),
    commands.registerCommand('framework.renders.reveal', ({ output }: Row = {}) => output && revealOutput(output)),
    commands.registerCommand('framework.renders.copyPath', ({ output }: Row = {}) => copy(output)),
    commands.registerCommand('framework.renders.copyId', ({ renderId }: Row = {}) => copy(renderId)),
    commands.registerCommand('framework.renders.download', (row: Row = {}) => download(row, tools)),
    commands.registerCommand('framework.renders.showLog', ({ entryId }: Row = {}) => entryId && logs.show(entryId)),
    commands.registerCommand('framework.renders.goToRow', (row: Row = {}) => goToRow(row, entryOf(row), tools)),
    commands.registerCommand('framework.renders.cancel', (row: Row = {}) => cancel(row, entryOf(row), tools, cloud)),
    commands.registerCommand('framework.renders.renderAgain', (row: Row = {}) => {
      const entry = entryOf(row);
      return entry && renders.again(entry);
    }),
    commands.registerCommand('framework.renders.renderWithOther', async (row: Row = {}) => {
      const entry = entryOf(row);
      if (!entry) return;
      const uri = Uri.parse(entry.composition);
      // The form begins with the values that this render had.
      values.set(uri, entry.values);
      await commands.executeCommand('framework.renderWithVariables', { uri: entry.composition });
    }),
    commands.registerCommand('framework.renders.delete', (row: Row = {}) => {
      const entry = entryOf(row);
      return entry ? deleteFile(entry, tools) : deleteRender(row, cloud);
    }),
    commands.registerCommand('framework.renders.remove', (row: Row = {}) => {
      if (row.entryId !== undefined) history.remove(row.entryId);
    }),
    commands.registerCommand('framework.renders.clearFinished', () => {
      for (const { id, state } of history.entries()) if (state !== 'running') history.remove(id);
    }),
  ];
}

async function copy(text: string | undefined): Promise<void> {
  if (text !== undefined) await env.clipboard.writeText(text);
}

/** The file goes the way that the editor's own deletions go: to the trash where there is one, and *Undo* brings it back. */
async function deleteFile({ id, output }: RenderEntry, { history }: Tools): Promise<void> {
  if (output === undefined) return;
  const file = Uri.file(output);
  const name = workspace.asRelativePath(file);
  const remove = l10n.t('Delete');
  const detail = l10n.t('It goes to the trash where there is one.');
  const asked = l10n.t('Delete {0}?', name);
  if ((await window.showWarningMessage(asked, { modal: true, detail }, remove)) !== remove) return;
  const edit = new WorkspaceEdit();
  edit.deleteFile(file, { recursive: true, ignoreIfNotExists: true });
  if (await workspace.applyEdit(edit)) history.remove(id);
  else void window.showErrorMessage(l10n.t('{0} could not be deleted.', name));
}

/** What runs elsewhere goes on when nobody here waits for it. */
async function cancel(
  row: Row,
  entry: RenderEntry | undefined,
  { renders }: Tools,
  cloud: CloudRenders,
): Promise<void> {
  if (!entry || renders.cancel(entry.id)) return;
  if (entry.kind === 'cloud') return deleteRender({ ...row, label: entry.name }, cloud);
  void window.showInformationMessage(l10n.t('{0} is not under way in this window, and goes on elsewhere.', entry.name));
}

async function deleteRender(row: Row, cloud: CloudRenders): Promise<void> {
  if (row.renderId === undefined) return;
  const remove = l10n.t('Delete');
  const asked = l10n.t('Delete the cloud render {0}?', row.label ?? row.renderId);
  const detail = l10n.t('Id {0}. Its video can no longer be fetched, and this cannot be undone.', row.renderId);
  if ((await window.showWarningMessage(asked, { modal: true, detail }, remove)) !== remove) return;
  const problem = await cloud.remove(row.renderId);
  if (problem !== undefined) void window.showErrorMessage(problem);
}

/** Into `renders/` of the project that is worked on, whole or not at all. */
async function download(row: Row, tools: Tools): Promise<void> {
  const { renderId, saveAs = `${renderId}.mp4` } = row;
  const folder = folderFor(tools);
  if (renderId === undefined || !tools.host.startCli) return;
  if (!folder) {
    void window.showWarningMessage(l10n.t('Open a folder first: the video is saved into it.'));
    return;
  }
  const title = l10n.t('Downloading {0}', row.label ?? renderId);
  const output = `renders/${saveAs}`;
  let failure: CliError | undefined;
  let printed = '';
  const status = await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const run = tools.host.startCli?.(tools.extensionPath, {
        args: ['cloud', 'get', renderId, '--output', output, '--json', '--progress=ndjson'],
        cwd: folder.fsPath,
        stdin: '',
        onText: () => undefined,
        onOutput: (text) => (printed += text),
        onEvent(event) {
          if (event.type === 'error') failure = event.error;
          if (event.type === 'stage') progress.report({ message: event.message });
        },
      });
      token.onCancellationRequested(() => run?.cancel());
      return run?.status.catch(() => null);
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

function folderFor({ active }: Tools): Uri | undefined {
  const project = active.current()?.projectUri;
  const folder = project === undefined ? workspace.workspaceFolders?.[0]?.uri : Uri.parse(project);
  return folder?.scheme === 'file' ? folder : undefined;
}

/** The row in the file that the batch was made from. */
async function goToRow(row: Row, entry: RenderEntry | undefined, { server }: Tools): Promise<void> {
  if (entry?.batch === undefined || row.row === undefined) return;
  const uri = Uri.parse(entry.batch.uri);
  const editor = await window.showTextDocument(uri);
  const info = await server.ask('framework/batch', { uri: uri.toString(), row: row.row }).catch(() => null);
  if (!info?.row) return;
  const { start, end } = info.row.range;
  const { Selection } = await import('vscode');
  editor.selection = new Selection(start.line, start.character, end.line, end.character);
  editor.revealRange(editor.selection);
}
