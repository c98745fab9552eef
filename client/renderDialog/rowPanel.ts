// The rows of a data file in the render dialog: reads them, edits them as text, and follows the text and the batch.
import { type Disposable, l10n, RelativePattern, Uri, ViewColumn, window, workspace } from 'vscode';
import type { BatchInfo, CompositionInfo, RowChange, RowTable, TableRow } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { defaultTemplate } from '../render/batchText.ts';
import type { SizeChoice } from '../render/jobArguments.ts';
import { openOutput } from '../render/openOutput.ts';
import { resultOrLog, resultOrMessage, showWarning } from '../serverResult.ts';
import { workspaceEdit } from '../workspaceEdit.ts';
import { isChosen, type RowChoices } from './rowChoices.ts';
import { createRowImages } from './rowImages.ts';
import type { FromRows, ToRows } from './rowMessages.ts';
import { readRowStatuses, resolved } from './rowStatuses.ts';

/** `all`: the rows of the file. `chosen`: those with a check mark. */
export type ChosenRows = { uri: Uri; info: BatchInfo; all: readonly TableRow[]; chosen: readonly TableRow[] };

export type RowPanel = Disposable & {
  /** Shows the rows of a data file of the composition; an empty URI shows none. */
  show(composition: CompositionInfo, file: string): Promise<void>;
  /** The template of the output paths, which decides about the problems and the videos of the rows. */
  setTemplate(template: string): void;
  /** The size of the videos, which their images have too. */
  setSize(size: SizeChoice): void;
  /** Undefined for one video. */
  current(): ChosenRows | undefined;
  /** URI of the data file; empty for one video. */
  file(): string;
  /** Resolves when all edits have been applied. */
  settled(): Promise<void>;
  receive(message: FromRows): void;
};

const editDelayMs = 80;
const statusDelayMs = 300;
const maxFiles = 30;

export function createRowPanel(
  services: ExtensionServices,
  { post, onChange }: { post(message: ToRows): void; onChange(): void },
): RowPanel {
  const { server, log, history } = services;
  let composition: CompositionInfo | undefined;
  let files: { uri: string; path: string }[] = [];
  let file = '';
  /** The file whose rows the page shows. */
  let postedFile = '';
  let template = '';
  let info: BatchInfo | undefined;
  let table: RowTable = { others: [], rows: [], problems: [] };
  let choices: RowChoices = new Map();
  let reads = 0;
  let edits: Promise<void> = Promise.resolve();
  let readTimer: ReturnType<typeof setTimeout> | undefined;
  let statusTimer: ReturnType<typeof setTimeout> | undefined;
  const images = createRowImages(services, post);

  async function read(): Promise<void> {
    const current = ++reads;
    const found = file === '' ? undefined : await readRows(file);
    if (current !== reads || !composition) return;
    info = found?.info;
    table = found?.table ?? { others: [], rows: [], problems: [] };
    if (!info) file = '';
    if (file !== postedFile) images.forgetSent();
    postedFile = file;
    const columns = composition.variables.map((declaration) => {
      const { id, label } = declaration;
      return { id, label: label || id, declaration };
    });
    const others = table.others.map((id) => ({ id, label: id }));
    const { rows, problems } = table;
    post({ type: 'rows', state: { files, file, columns: [...columns, ...others], rows, problems } });
    images.showRows(composition, file, rows);
    statusesSoon(0);
    onChange();
  }
  async function readRows(uri: string): Promise<{ info: BatchInfo; table: RowTable } | undefined> {
    if (!(await openDocument(Uri.parse(uri)))) return undefined;
    const batch = await resultOrLog(server.request('framework/batch', { uri }), log);
    if (!batch) return undefined;
    const output = template || defaultTemplate(batch.path, batch.hasNames);
    const found = await resultOrLog(server.request('framework/rows', { uri, output }), log);
    return found ? { info: batch, table: found } : undefined;
  }
  async function apply(change: RowChange): Promise<void> {
    const uri = Uri.parse(file);
    const document = await workspace.openTextDocument(uri);
    const answer = await resultOrMessage(server.request('framework/rowEdits', { uri: file, change }), log);
    if (answer === undefined) return;
    const isApplied =
      answer?.version === document.version && (await workspace.applyEdit(workspaceEdit(uri, answer.edits)));
    if (!isApplied)
      void showWarning(l10n.t('The row was not changed: the text of {0} contains an error.', info?.path ?? file));
    await read();
  }
  function statusesSoon(delay: number): void {
    statusTimer ??= setTimeout(() => {
      statusTimer = undefined;
      void sendStatuses();
    }, delay);
  }
  async function sendStatuses(): Promise<void> {
    if (!composition || file === '' || template === '')
      return post({ type: 'rowStatuses', statuses: {}, progress: '' });
    const running = history.entries().find(({ batch, state }) => batch?.uri === file && state === 'running');
    const project = Uri.parse(composition.projectUri);
    const place = { project, template, isRunning: running !== undefined };
    const statuses = await readRowStatuses(table.rows, place);
    post({ type: 'rowStatuses', statuses, progress: running ? (running.message ?? l10n.t('Starting')) : '' });
  }
  const subscriptions = [
    images,
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== file) return;
      clearTimeout(readTimer);
      readTimer = setTimeout(() => void read(), editDelayMs);
    }),
    history.onDidChange((entry) => entry?.batch?.uri === file && statusesSoon(statusDelayMs)),
  ];
  return {
    async show(shown, wanted) {
      composition = shown;
      if (wanted !== file) choices = new Map();
      file = wanted;
      images.forgetSent();
      files = await dataFiles(shown, services);
      if (file !== '' && !files.some(({ uri }) => uri === file)) file = '';
      await read();
    },
    setTemplate(wanted) {
      if (wanted === template) return;
      template = wanted;
      void read();
    },
    setSize: images.setSize,
    current() {
      if (file === '' || !info) return undefined;
      const all = table.rows;
      return { uri: Uri.parse(file), info, all, chosen: all.filter((row) => isChosen(row, choices)) };
    },
    file: () => file,
    settled: () => edits,
    receive(message) {
      if (message.type === 'rowsFile') {
        [file, choices, template] = [message.file, new Map(), ''];
        void read();
      }
      if (message.type === 'rowsChange')
        edits = edits.then(() => apply(message.change)).catch((error) => log.error(String(error)));
      if (message.type === 'rowsVisible') images.setVisible(message);
      if (message.type === 'rowsChoose') {
        choices = new Map(message.choices);
        onChange();
      }
      if (message.type === 'rowsOpenFile')
        void window.showTextDocument(Uri.parse(file), { viewColumn: ViewColumn.Beside });
      if (message.type === 'rowsOpenVideo' && composition) {
        const output = table.rows.find(({ index }) => index === message.row)?.output;
        if (output !== undefined) void openOutput(resolved(Uri.parse(composition.projectUri), output).fsPath);
      }
    },
    dispose() {
      clearTimeout(readTimer);
      clearTimeout(statusTimer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** The language server answers only for open documents. */
async function openDocument(uri: Uri): Promise<boolean> {
  return workspace.openTextDocument(uri).then(
    () => true,
    () => false,
  );
}

/** The data files of a composition, by their names and by the project's manifest. */
async function dataFiles(
  { uri, projectUri }: CompositionInfo,
  { server, log }: ExtensionServices,
): Promise<{ uri: string; path: string }[]> {
  const project = Uri.parse(projectUri);
  const pattern = new RelativePattern(project, '**/{rows,batch,*.rows,*.batch}.{json,jsonl,csv,tsv}');
  const named = await workspace.findFiles(pattern, '**/node_modules/**', maxFiles);
  const found = new Map([...named, ...(await listedFiles(project))].map((one) => [one.toString(), one]));
  const files: { uri: string; path: string }[] = [];
  for (const [key, one] of found) {
    if (!(await openDocument(one))) continue;
    const batch = await resultOrLog(server.request('framework/batch', { uri: key }), log);
    if (batch?.composition.uri === uri) files.push({ uri: key, path: batch.path });
  }
  return files.sort((one, other) => one.path.localeCompare(other.path));
}

async function listedFiles(project: Uri): Promise<Uri[]> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(project, 'framework.json'));
    const { batches } = JSON.parse(new TextDecoder().decode(bytes)) as { batches?: Record<string, unknown> };
    return Object.keys(batches ?? {}).map((path) => Uri.joinPath(project, path));
  } catch {
    return [];
  }
}
