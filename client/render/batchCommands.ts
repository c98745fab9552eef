// The commands that render batch files: all rows with one output template, or one row as a single render.
import { commands, type Disposable, l10n, type Uri, window, workspace } from 'vscode';
import type { BatchInfo } from '../../server/protocol.ts';
import type { Tools } from '../tools.ts';
import { checkTemplate, defaultTemplate, rowOutput } from './batchText.ts';
import { answerOf, chosenFile, nameOf, refuse } from './chosenFile.ts';
import { saveBefore } from './saveBefore.ts';

export function createBatchCommands(tools: Tools): Disposable[] {
  /** What was answered before in this window, by file. */
  const templates = new Map<string, string>();
  return [
    commands.registerCommand('framework.renderBatch', async (given: unknown) => {
      const chosen = await batchOf(given, tools);
      if (!chosen) return;
      const { uri, info } = chosen;
      if (info.rows === 0) return refuse(l10n.t('{0} has no rows that can be rendered.', info.path));
      const template = outputOf(given) ?? (await askTemplate(info, templates.get(uri.toString())));
      if (template === undefined) return;
      templates.set(uri.toString(), template);
      if (await saveBefore(info.composition)) await tools.renders.runBatch({ uri, info, template });
    }),
    commands.registerCommand('framework.renderRow', async (given: unknown) => {
      const index = rowOf(given);
      const chosen = await batchOf(given, tools, index);
      if (!chosen) return;
      const { path, composition, row } = chosen.info;
      if (!row) return refuse(l10n.t('{0} has no row {1} that can be rendered.', path, index ?? ''));
      if (!(await saveBefore(composition))) return;
      await tools.renders.run(composition, row.variables, {
        name: l10n.t('row {0} of {1}', index ?? 0, path),
        output: rowOutput(path, index ?? 0),
      });
    }),
  ];
}

/** The batch that a command is for, or undefined after a message that says why there is none. */
async function batchOf(given: unknown, tools: Tools, row?: number): Promise<{ uri: Uri; info: BatchInfo } | undefined> {
  const uri = await chosenFile(given, l10n.t('Open a batch file first: rows of values, as in rows.json.'), tools);
  if (!uri) return undefined;
  // The language server knows open documents.
  await workspace.openTextDocument(uri);
  const asked = { uri: uri.toString(), ...(row === undefined ? {} : { row }) };
  const info = await answerOf(tools.server.ask('framework/batch', asked));
  if (info === null)
    return refuse(
      l10n.t(
        '{0} is no batch file: its name ends with rows.json or batch.json (or .jsonl, .csv), or framework.json names it, and there is a composition for it.',
        nameOf(uri),
      ),
    );
  return info && { uri, info };
}

function rowOf(given: unknown): number | undefined {
  const row = typeof given === 'object' && given !== null && 'row' in given ? given.row : undefined;
  return typeof row === 'number' ? row : undefined;
}

/** A keybinding or a task may name the template. */
function outputOf(given: unknown): string | undefined {
  const output = typeof given === 'object' && given !== null && 'output' in given ? given.output : undefined;
  return typeof output === 'string' && output !== '' ? output : undefined;
}

function askTemplate({ path, rows, hasNames }: BatchInfo, before: string | undefined): Thenable<string | undefined> {
  return window.showInputBox({
    title: rows === 1 ? l10n.t('Render the row of {0}', path) : l10n.t('Render all {0} rows of {1}', rows, path),
    prompt: l10n.t(
      'Where the videos go, in the project folder: {0} is the number of the row, {1} its value.',
      '{index}',
      '{key}',
    ),
    value: before ?? defaultTemplate(path, hasNames),
    ignoreFocusOut: true,
    validateInput: (text) => checkTemplate(text, rows),
  });
}
