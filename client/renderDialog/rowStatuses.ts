// What the last batch has done with the rows, from the manifest that it keeps next to its videos.
import { Uri, workspace } from 'vscode';
import { editorMessage } from '../../renderer-core/reports/editorText.ts';
import type { TableRow } from '../../server/protocol.ts';
import { templateFolder } from '../render/batch/batchText.ts';
import type { RowStatus } from './rowMessages.ts';

type ManifestRow = {
  output: string;
  status: string;
  error: { message: string } | null;
  variables: Record<string, unknown>;
  warnings?: readonly { message: string }[];
  usedDefaults?: readonly string[];
};

/** Rows are identified by the paths of their videos, because rows may have been added or moved since. Never rejects. */
export async function readRowStatuses(
  rows: readonly TableRow[],
  { project, template, isRunning }: { project: Uri; template: string; isRunning: boolean },
): Promise<Record<number, RowStatus>> {
  const known = new Map(
    (await readManifest(resolved(project, templateFolder(template)))).map((row) => [row.output, row]),
  );
  const found: Record<number, RowStatus> = {};
  for (const { index, output, values } of rows) {
    const row = output === undefined ? undefined : known.get(resolved(project, output).fsPath);
    const isOutdated = row !== undefined && canonical(row.variables) !== canonical(values);
    const message = row?.error ? editorMessage(row.error.message) : '';
    if (row?.status === 'completed') {
      const warnings = (row.warnings ?? []).map(({ message }) => editorMessage(message)).join('\n');
      const defaults = row.usedDefaults ? { usedDefaults: true as const } : {};
      found[index] = { status: 'completed', message: warnings, isOutdated, ...defaults };
    }
    if (row?.status === 'failed') found[index] = { status: 'failed', message, isOutdated };
    if (row?.status === 'running' && isRunning) found[index] = { status: 'running', message, isOutdated };
  }
  return found;
}

/** A path of an output, which is relative to the project folder or absolute. */
export function resolved(project: Uri, path: string): Uri {
  return /^(?:\/|[a-z]:)/i.test(path) ? Uri.file(path) : Uri.joinPath(project, path);
}

async function readManifest(folder: Uri): Promise<ManifestRow[]> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(folder, 'manifest.json'));
    const { rows } = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(rows) ? rows : [];
  } catch {
    return [];
  }
}

const canonical = (values: Record<string, unknown>): string =>
  JSON.stringify(Object.entries(values ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)));
