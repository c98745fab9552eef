// The commands that render a batch file: all rows with one output template, or a single row.
import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import { rowNumber } from '../../../renderer-core/plan/numberRanges.ts';
import type { BatchInfo } from '../../../server/protocol.ts';
import { activeFile } from '../../compositions/activeFile.ts';
import { askedComposition, uriOf } from '../../compositions/commandArgument.ts';
import { compositionName } from '../../compositions/compositionName.ts';
import { dataFiles, openDocument } from '../../compositions/dataFiles.ts';
import type { ExtensionServices } from '../../extensionServices.ts';
import type { VariableForms } from '../../form/variableForms.ts';
import { currentBlock } from '../../language/languageStatus.ts';
import { resultOrMessage, showWarning } from '../../language/serverResult.ts';
import { isOnDisk } from '../isOnDisk.ts';
import { promptToSave } from '../promptToSave.ts';
import { folderOf } from '../renderJobs.ts';
import { checkTemplate, defaultTemplate, rowOutput } from './batchText.ts';
import { misfitLines } from './confirmInvalidRows.ts';

export function createBatchCommands(services: ExtensionServices, forms: Pick<VariableForms, 'open'>): Disposable[] {
  /** The output template that was last used in this window, by batch file. */
  const templates = new Map<string, string>();
  return [
    commands.registerCommand('framework.renderBatch', async (given: unknown) => {
      const chosen = await batchOf(given, services);
      if (!chosen) return;
      const { uri, info } = chosen;
      if (info.rows === 0) return showWarning(l10n.t('{0} has no valid rows.', info.path));
      const template = outputOf(given) ?? (await promptForTemplate(info, templates.get(uri.toString())));
      if (template === undefined) return;
      templates.set(uri.toString(), template);
      if (await promptToSave(info.composition)) await services.renders.runBatch({ uri, info, template });
    }),
    commands.registerCommand('framework.renderRows', async (given: unknown) => {
      const chosen = await batchOf(given, services);
      if (chosen) forms.open(chosen.info.composition, chosen.uri.toString());
    }),
    commands.registerCommand('framework.renderRow', async (given: unknown) => {
      const index = rowOf(given);
      const chosen = await batchOf(given, services, index);
      if (!chosen) return;
      const { path, composition, row } = chosen.info;
      if (index === undefined || !row)
        return showWarning(l10n.t('{0} has no valid row {1}.', path, index === undefined ? '' : rowNumber(index)));
      const values = await rowValues(chosen, index);
      if (!values) return;
      if (!(await promptToSave(composition))) return;
      await services.renders.run(composition, values, {
        name: l10n.t('row {0} of {1}', rowNumber(index), path),
        wanted: rowOutput(path, index),
      });
    }),
  ];
}

/** The values of a row, without those that do not fit if the user wants their defaults; undefined if the user cancels. */
async function rowValues({ uri, info }: ChosenBatch, index: number): Promise<Record<string, unknown> | undefined> {
  const misfits = info.misfits.filter(({ row }) => row === index);
  const values = info.row?.variables ?? {};
  if (misfits.length === 0) return values;
  const [defaults, show] = [l10n.t('Render with Defaults'), l10n.t('Show Rows')];
  const question = l10n.t('Row {0} of {1} has values that do not fit.', rowNumber(index), info.path);
  const detail = misfitLines(misfits).join('\n');
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, defaults, show);
  if (chosen === show) await commands.executeCommand('framework.renderRows', { uri: uri.toString() });
  const wrong = new Set(misfits.map(({ id }) => id));
  return chosen === defaults ? Object.fromEntries(Object.entries(values).filter(([id]) => !wrong.has(id))) : undefined;
}

export type ChosenBatch = { uri: Uri; info: BatchInfo };

/** The data file for a command. When there is none, shows the reason and returns undefined. */
export async function batchOf(
  given: unknown,
  services: ExtensionServices,
  row?: number,
): Promise<ChosenBatch | undefined> {
  const { host, server, log } = services;
  const block = currentBlock(host.startCli !== undefined);
  if (block) return showWarning(block.message, block.action);
  const read = async (uri: string) => {
    const params = { uri, ...(row === undefined ? {} : { row }) };
    const isOpen = await openDocument(Uri.parse(uri));
    return isOpen ? resultOrMessage(server.request('framework/batch', params), log) : null;
  };
  const asked = uriOf(given);
  const uri = asked ?? activeFile()?.toString();
  const info = uri === undefined ? null : await read(uri);
  if (uri !== undefined && info) return (await isOnDisk(Uri.parse(uri))) ? { uri: Uri.parse(uri), info } : undefined;
  if (info === undefined) return undefined;
  if (asked !== undefined) return showWarning(notData(asked));
  const other = await dataFileOf(services);
  const found = other === undefined ? undefined : await read(other);
  return other !== undefined && found ? { uri: Uri.parse(other), info: found } : undefined;
}

/** The data file of the composition that the active tab is about. If it has several, the user chooses one. */
async function dataFileOf(services: ExtensionServices): Promise<string | undefined> {
  const composition = await askedComposition(undefined, services);
  if (!composition) return undefined;
  const files = await dataFiles(composition, services);
  if (files.length === 0)
    return showWarning(
      l10n.t('{0} has no data file. Create one in its folder, for example rows.csv.', compositionName(composition)),
    );
  if (files.length === 1) return files[0]?.uri;
  const items = files.map(({ uri, path }) => ({ label: path, uri }));
  const chosen = await window.showQuickPick(items, { title: l10n.t('Choose Data File') });
  return chosen?.uri;
}

const notData = (uri: string): string =>
  l10n.t(
    '{0} is not a batch file. Its name must end with rows.json or batch.json (or .jsonl, .csv, .tsv), or framework.json must list it, and its composition must exist.',
    Uri.parse(uri).path.split('/').pop() ?? uri,
  );

function rowOf(given: unknown): number | undefined {
  const row = typeof given === 'object' && given !== null && 'row' in given ? given.row : undefined;
  return typeof row === 'number' ? row : undefined;
}

/** The output template in the arguments of a keybinding. */
function outputOf(given: unknown): string | undefined {
  const output = typeof given === 'object' && given !== null && 'output' in given ? given.output : undefined;
  return typeof output === 'string' && output !== '' ? output : undefined;
}

function promptForTemplate(
  { path, rows, hasNames, placeholders, composition }: BatchInfo,
  before: string | undefined,
): Thenable<string | undefined> {
  return window.showInputBox({
    title: rows === 1 ? l10n.t('Render the row of {0}', path) : l10n.t('Render all {0} rows of {1}', rows, path),
    prompt: l10n.t(
      'Output path in the project folder. {0} is the number of the row, from 0; {1} is a value of the row or a default.',
      '{index}',
      '{key}',
    ),
    value: before ?? defaultTemplate(path, hasNames),
    ignoreFocusOut: true,
    validateInput: (text) => checkTemplate(text, { rows, placeholders, folder: folderOf(composition) }),
  });
}
