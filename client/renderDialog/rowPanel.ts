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
import { createRowImages, type RowImages } from './rowImages.ts';
import type { FromRows, RowsState, ToRows } from './rowMessages.ts';
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

type Panel = {
  services: ExtensionServices;
  images: RowImages;
  post(message: ToRows): void;
  onChange(): void;
  composition?: CompositionInfo;
  files: { uri: string; path: string }[];
  file: string;
  /** The file whose rows the page shows. */
  postedFile: string;
  template: string;
  info?: BatchInfo | undefined;
  table: RowTable;
  choices: RowChoices;
  reads: number;
  edits: Promise<void>;
  readTimer?: ReturnType<typeof setTimeout>;
  statusTimer?: ReturnType<typeof setTimeout> | undefined;
};

const editDelayMs = 80;
const statusDelayMs = 300;
const maxFiles = 30;
const noRows: RowTable = { others: [], rows: [], problems: [] };

export function createRowPanel(
  services: ExtensionServices,
  { post, onChange }: { post(message: ToRows): void; onChange(): void },
): RowPanel {
  const images = createRowImages(services, post);
  const panel: Panel = {
    services,
    images,
    post,
    onChange,
    files: [],
    file: '',
    postedFile: '',
    template: '',
    table: noRows,
    choices: new Map(),
    reads: 0,
    edits: Promise.resolve(),
  };
  const subscriptions = [images, ...follow(panel)];
  return {
    show: (composition, file) => show(panel, composition, file),
    setTemplate(wanted) {
      if (wanted === panel.template) return;
      panel.template = wanted;
      void read(panel);
    },
    setSize: images.setSize,
    current: () => chosenRows(panel),
    file: () => panel.file,
    settled: () => panel.edits,
    receive: (message) => receive(panel, message),
    dispose() {
      clearTimeout(panel.readTimer);
      clearTimeout(panel.statusTimer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function follow(panel: Panel): Disposable[] {
  return [
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== panel.file) return;
      clearTimeout(panel.readTimer);
      panel.readTimer = setTimeout(() => void read(panel), editDelayMs);
    }),
    panel.services.history.onDidChange(
      (entry) => entry?.batch?.uri === panel.file && statusesSoon(panel, statusDelayMs),
    ),
  ];
}

async function show(panel: Panel, composition: CompositionInfo, file: string): Promise<void> {
  panel.composition = composition;
  if (file !== panel.file) panel.choices = new Map();
  panel.file = file;
  panel.images.forgetSent();
  panel.files = await dataFiles(composition, panel.services);
  if (panel.file !== '' && !panel.files.some(({ uri }) => uri === panel.file)) panel.file = '';
  await read(panel);
}

function chosenRows({ file, info, table, choices }: Panel): ChosenRows | undefined {
  if (file === '' || !info) return undefined;
  const all = table.rows;
  return { uri: Uri.parse(file), info, all, chosen: all.filter((row) => isChosen(row, choices)) };
}

function receive(panel: Panel, message: FromRows): void {
  const { log } = panel.services;
  if (message.type === 'rowsFile') {
    [panel.file, panel.choices, panel.template] = [message.file, new Map(), ''];
    void read(panel);
  }
  if (message.type === 'rowsChange')
    panel.edits = panel.edits.then(() => apply(panel, message.change)).catch((error) => log.error(String(error)));
  if (message.type === 'rowsVisible') panel.images.setVisible(message);
  if (message.type === 'rowsChoose') {
    panel.choices = new Map(message.choices);
    panel.onChange();
  }
  if (message.type === 'rowsOpenFile')
    void window.showTextDocument(Uri.parse(panel.file), { viewColumn: ViewColumn.Beside });
  if (message.type === 'rowsOpenVideo') openVideo(panel, message.row);
}

function openVideo({ composition, table }: Panel, row: number): void {
  const output = table.rows.find(({ index }) => index === row)?.output;
  if (composition && output !== undefined) void openOutput(resolved(Uri.parse(composition.projectUri), output).fsPath);
}

async function read(panel: Panel): Promise<void> {
  const current = ++panel.reads;
  const found = panel.file === '' ? undefined : await readRows(panel, panel.file);
  const { composition } = panel;
  if (current !== panel.reads || !composition) return;
  panel.info = found?.info;
  panel.table = found?.table ?? noRows;
  if (!panel.info) panel.file = '';
  if (panel.file !== panel.postedFile) panel.images.forgetSent();
  panel.postedFile = panel.file;
  panel.post({ type: 'rows', state: stateOf(panel, composition) });
  panel.images.showRows(composition, panel.file, panel.table.rows);
  statusesSoon(panel, 0);
  panel.onChange();
}

function stateOf({ files, file, table }: Panel, { variables }: CompositionInfo): RowsState {
  const { rows, problems } = table;
  const columns = variables.map((one) => ({ id: one.id, label: one.label || one.id, declaration: one }));
  const others = table.others.map((id) => ({ id, label: id }));
  return { files, file, columns: [...columns, ...others], rows, problems };
}

async function readRows(panel: Panel, uri: string): Promise<{ info: BatchInfo; table: RowTable } | undefined> {
  const { server, log } = panel.services;
  if (!(await openDocument(Uri.parse(uri)))) return undefined;
  const batch = await resultOrLog(server.request('framework/batch', { uri }), log);
  if (!batch) return undefined;
  const output = panel.template || defaultTemplate(batch.path, batch.hasNames);
  const found = await resultOrLog(server.request('framework/rows', { uri, output }), log);
  return found ? { info: batch, table: found } : undefined;
}

async function apply(panel: Panel, change: RowChange): Promise<void> {
  const { server, log } = panel.services;
  const uri = Uri.parse(panel.file);
  const document = await workspace.openTextDocument(uri);
  const answer = await resultOrMessage(server.request('framework/rowEdits', { uri: panel.file, change }), log);
  if (answer === undefined) return;
  const isApplied =
    answer?.version === document.version && (await workspace.applyEdit(workspaceEdit(uri, answer.edits)));
  const path = panel.info?.path ?? panel.file;
  if (!isApplied) void showWarning(l10n.t('The row was not changed: the text of {0} contains an error.', path));
  await read(panel);
}

function statusesSoon(panel: Panel, delay: number): void {
  panel.statusTimer ??= setTimeout(() => {
    panel.statusTimer = undefined;
    void sendStatuses(panel);
  }, delay);
}

async function sendStatuses({ services, post, composition, file, template, table }: Panel): Promise<void> {
  if (!composition || file === '' || template === '') return post({ type: 'rowStatuses', statuses: {}, progress: '' });
  const running = services.history.entries().find(({ batch, state }) => batch?.uri === file && state === 'running');
  const project = Uri.parse(composition.projectUri);
  const place = { project, template, isRunning: running !== undefined };
  const statuses = await readRowStatuses(table.rows, place);
  post({ type: 'rowStatuses', statuses, progress: running ? (running.message ?? l10n.t('Starting')) : '' });
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
