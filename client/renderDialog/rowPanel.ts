// The rows of a data file in the render dialog: reads them, edits them as text, and follows the text and the batch.
import { l10n, Uri, ViewColumn, window, workspace } from 'vscode';
import type { BatchInfo, CompositionInfo, RowChange, RowTable, TableRow } from '../../server/protocol.ts';
import { type DataFile, dataFiles, openDocument } from '../compositions/dataFiles.ts';
import { debounced } from '../debounced.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrLog, resultOrMessage, showWarning } from '../language/serverResult.ts';
import { workspaceEdit } from '../language/workspaceEdit.ts';
import { defaultTemplate } from '../render/batch/batchText.ts';
import { openOutput } from '../render/output/openOutput.ts';
import { isChosen, type RowChoices } from './rowChoices.ts';
import { createRowImages, type RowImages } from './rowImages.ts';
import type { FromRows, ToRows } from './rowMessages.ts';
import { readRowStatuses, resolved } from './rowStatuses.ts';

/** `all`: the rows of the file. `chosen`: those with a check mark. */
export type Batch = { uri: Uri; info: BatchInfo; all: readonly TableRow[]; chosen: readonly TableRow[] };

/** What was read from a data file. */
type Found = { info: BatchInfo; table: RowTable };

type Events = { post(message: ToRows): void; onChange(): void };

export type RowPanel = Events & {
  dispose(): void;
  services: ExtensionServices;
  images: RowImages;
  composition?: CompositionInfo;
  files: DataFile[];
  /** URI of the data file; empty for one video. */
  file: string;
  /** The file whose rows the page shows. */
  postedFile?: string;
  /** The template of the output paths, which decides about the problems and the videos of the rows. */
  template: string;
  found?: Found | undefined;
  choices: RowChoices;
  reads: number;
  /** Resolves when all edits have been applied. */
  edits: Promise<void>;
  statusTimer?: ReturnType<typeof setTimeout> | undefined;
};

const editDelayMs = 80;
const statusDelayMs = 300;

export function createRowPanel(services: ExtensionServices, events: Events): RowPanel {
  const images = createRowImages(services, events.post);
  const readSoon = debounced(editDelayMs, () => void read(panel));
  const subscriptions = [
    images,
    readSoon,
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() === panel.file) readSoon.schedule();
    }),
    services.history.onDidChange((entry) => {
      if (entry?.batch?.uri === panel.file) statusesSoon(panel, statusDelayMs);
    }),
  ];
  const panel: RowPanel = {
    ...events,
    services,
    images,
    files: [],
    file: '',
    template: '',
    choices: new Map(),
    reads: 0,
    edits: Promise.resolve(),
    dispose() {
      clearTimeout(panel.statusTimer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
  return panel;
}

/** Shows the rows of a data file of the composition; an empty URI shows none. */
export async function showRows(panel: RowPanel, composition: CompositionInfo, file: string): Promise<void> {
  panel.composition = composition;
  if (file !== panel.file) panel.choices = new Map();
  panel.file = file;
  panel.images.forgetSent();
  panel.files = await dataFiles(composition, panel.services);
  if (panel.file !== '' && !panel.files.some(({ uri }) => uri === panel.file)) panel.file = '';
  await read(panel);
}

export function setTemplate(panel: RowPanel, template: string): void {
  if (template === panel.template) return;
  panel.template = template;
  void read(panel);
}

/** Undefined for one video. */
export function batchOf({ file, found, choices }: RowPanel): Batch | undefined {
  if (file === '' || !found) return undefined;
  const all = found.table.rows;
  return { uri: Uri.parse(file), info: found.info, all, chosen: all.filter((row) => isChosen(row, choices)) };
}

export function receiveRows(panel: RowPanel, message: FromRows): void {
  const { composition, found, services } = panel;
  const logError = (error: unknown) => services.log.error(String(error));
  if (message.type === 'rowsFile') {
    [panel.file, panel.choices, panel.template] = [message.file, new Map(), ''];
    void read(panel);
  }
  if (message.type === 'rowsChange') panel.edits = panel.edits.then(() => apply(panel, message.change)).catch(logError);
  if (message.type === 'rowsVisible') panel.images.setVisible(message);
  if (message.type === 'rowsChoose') {
    panel.choices = new Map(message.choices);
    panel.onChange();
  }
  if (message.type === 'rowsOpenFile')
    void window.showTextDocument(Uri.parse(panel.file), { viewColumn: ViewColumn.Beside });
  if (message.type === 'rowsOpenVideo' && composition) {
    const output = found?.table.rows.find(({ index }) => index === message.row)?.output;
    if (output !== undefined) void openOutput(resolved(Uri.parse(composition.projectUri), output).fsPath);
  }
}

async function read(panel: RowPanel): Promise<void> {
  const current = ++panel.reads;
  const found = panel.file === '' ? undefined : await readRows(panel, panel.file);
  const { composition, images, files } = panel;
  if (current !== panel.reads || !composition) return;
  panel.found = found;
  if (!found) panel.file = '';
  if (panel.file !== panel.postedFile) images.forgetSent();
  const file = panel.file;
  panel.postedFile = file;
  const { rows, problems, others } = found?.table ?? { others: [], rows: [], problems: [] };
  const declared = composition.variables.map((one) => ({ id: one.id, label: one.label || one.id, declaration: one }));
  const columns = [...declared, ...others.map((id) => ({ id, label: id }))];
  panel.post({ type: 'rows', state: { files, file, columns, rows, problems } });
  images.showRows(composition, file, rows);
  statusesSoon(panel, 0);
  panel.onChange();
}

async function readRows({ services, template }: RowPanel, uri: string): Promise<Found | undefined> {
  const { server, log } = services;
  if (!(await openDocument(Uri.parse(uri)))) return undefined;
  const info = await resultOrLog(server.request('framework/batch', { uri }), log);
  if (!info) return undefined;
  const output = template || defaultTemplate(info.path, info.hasNames);
  const table = await resultOrLog(server.request('framework/rows', { uri, output }), log);
  return table ? { info, table } : undefined;
}

async function apply(panel: RowPanel, change: RowChange): Promise<void> {
  const { server, log } = panel.services;
  const uri = Uri.parse(panel.file);
  const document = await workspace.openTextDocument(uri);
  const answer = await resultOrMessage(server.request('framework/rowEdits', { uri: panel.file, change }), log);
  if (answer === undefined) return;
  const isApplied =
    answer?.version === document.version && (await workspace.applyEdit(workspaceEdit(uri, answer.edits)));
  const path = panel.found?.info.path ?? panel.file;
  if (!isApplied) void showWarning(l10n.t('The row was not changed: the text of {0} contains an error.', path));
  await read(panel);
}

function statusesSoon(panel: RowPanel, delay: number): void {
  panel.statusTimer ??= setTimeout(() => {
    panel.statusTimer = undefined;
    void sendStatuses(panel);
  }, delay);
}

async function sendStatuses({ services, post, composition, file, template, found }: RowPanel): Promise<void> {
  if (!composition || file === '' || template === '') return post({ type: 'rowStatuses', statuses: {}, progress: '' });
  const running = services.history.entries().find(({ batch, state }) => batch?.uri === file && state === 'running');
  const project = Uri.parse(composition.projectUri);
  const place = { project, template, isRunning: running !== undefined };
  const statuses = await readRowStatuses(found?.table.rows ?? [], place);
  post({ type: 'rowStatuses', statuses, progress: running ? (running.message ?? l10n.t('Starting')) : '' });
}
