// The rows of a batch in the Videos view, read from the manifest that the command line writes next to the videos.
import { l10n } from 'vscode';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import { editorMessage } from '../../renderer-core/reports/editorText.ts';
import type { RenderEntry } from '../render/history.ts';
import { durationText } from '../render/renderText.ts';
import { escaped } from './compositionNodes.ts';
import { warningIcon } from './renderNodes.ts';
import { outputClick, type ViewNode, videoThumbnail } from './viewNode.ts';

/** The fields of `manifest.json` that are used. */
type ManifestRow = {
  index: number;
  output: string;
  status: 'pending' | 'running' | 'completed' | 'failed' | 'skipped';
  durationMs: number | null;
  error: { message: string } | null;
  variables: Record<string, unknown>;
  warnings?: readonly { message: string; issue?: { kind: string } }[];
};

const icons: Record<ManifestRow['status'], { name: string; color?: string }> = {
  pending: { name: 'circle-outline' },
  running: { name: 'loading~spin', color: 'charts.blue' },
  completed: { name: 'pass', color: 'testing.iconPassed' },
  failed: { name: 'error', color: 'testing.iconFailed' },
  skipped: { name: 'debug-step-over' },
};

/** Empty when the text is not a manifest, for example while it is being written. */
export function batchNodes(entry: Pick<RenderEntry, 'id' | 'composition' | 'batch'>, manifest: string): ViewNode[] {
  return rowsIn(manifest).map((row): ViewNode => {
    const { index, output, status, error } = row;
    const hasOutput = status === 'completed';
    return {
      id: `entry:${entry.id}:${index}`,
      label: l10n.t('Row {0}', rowNumber(index)),
      description: rowText(row),
      tooltip: rowTooltip(row),
      icon: status === 'completed' && hasMisfits(row) ? warningIcon : icons[status],
      context: ['row', status, ...(hasOutput ? ['output'] : []), ...(entry.batch ? ['source'] : [])].join(' '),
      uri: entry.composition,
      entryId: entry.id,
      output,
      row: index,
      ...(hasOutput ? { ...outputClick(output), ...videoThumbnail(output) } : {}),
      ...(error && entry.batch
        ? { runs: { command: 'framework.renders.goToRow', args: [{ entryId: entry.id, row: index }] } }
        : {}),
    };
  });
}

function rowText({ output, status, durationMs, error }: ManifestRow): string {
  const name = output.slice(Math.max(output.lastIndexOf('/'), output.lastIndexOf('\\')) + 1);
  const text = {
    pending: l10n.t('waiting'),
    running: l10n.t('rendering'),
    completed: durationMs === null ? '' : durationText(durationMs / 1000),
    failed: error?.message.split('\n')[0] ?? l10n.t('failed'),
    skipped: l10n.t('skipped'),
  }[status];
  return [name, text].filter((part) => part !== '').join(' · ');
}

/** A value does not fit: the video has a default, or an embedded file got the wrong value. */
const hasMisfits = ({ warnings = [] }: ManifestRow): boolean =>
  warnings.some(({ issue }) => issue !== undefined && issue.kind !== 'undeclared');

function rowTooltip({ index, variables, error, warnings = [] }: ManifestRow): string {
  const values = Object.entries(variables).map(
    ([id, value]) => `- ${escaped(id)}: ${escaped(JSON.stringify(value) ?? '')}`,
  );
  const problems = [...(error ? [error] : []), ...warnings].flatMap(({ message }) => [
    '',
    escaped(editorMessage(message)),
  ]);
  return [`**${l10n.t('Row {0}', rowNumber(index))}**`, '', ...values, ...problems].join('\n');
}

function rowsIn(manifest: string): ManifestRow[] {
  try {
    const { rows } = JSON.parse(manifest);
    return Array.isArray(rows)
      ? rows
          .filter((row) => typeof row?.index === 'number' && row.status in icons && typeof row.output === 'string')
          .map((row) => ({ ...row, variables: row.variables ?? {} }))
      : [];
  } catch {
    return [];
  }
}
