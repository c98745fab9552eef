// What belongs to a batch in words: where its videos go, and how it ended.
import { l10n } from 'vscode';
import type { CliBatchReport } from '../cli/cliEvents.ts';
import { durationText } from './renderText.ts';

/** `renders/cards/{name}.mp4` for `cards.rows.json` where every row has a name. */
export function defaultTemplate(path: string, hasNames: boolean): string {
  return `${batchFolder(path)}/{${hasNames ? 'name' : 'index'}}.mp4`;
}

/** Where the video of a single row goes. */
export function rowOutput(path: string, row: number): string {
  return `${batchFolder(path)}/${row}.mp4`;
}

function batchFolder(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return `renders/${name.replace(/\.(?:rows|batch)$/i, '')}`;
}

/** A sentence for below the input; undefined for a template that can be used. */
export function checkTemplate(text: string, rows: number): string | undefined {
  if (text.trim() === '') return l10n.t('Write a path, such as {0}.', 'renders/{index}.mp4');
  if (rows > 1 && !/\{[^{}]+\}/.test(text))
    return l10n.t('Every row would be written to the same file: put {0} into it.', '{index}');
  return undefined;
}

/** `12 rows are rendered (1 min 2 s)`, `10 of 12 rows are rendered, 2 failed (…)` */
export function batchReportText({ total, completed, failed, skipped, elapsedMs }: CliBatchReport): string {
  const all = total === 1 ? l10n.t('1 row is rendered') : l10n.t('{0} rows are rendered', total);
  const facts = [
    completed === total ? all : l10n.t('{0} of {1} rows are rendered', completed, total),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(skipped > 0 ? [l10n.t('{0} skipped', skipped)] : []),
  ];
  return `${facts.join(', ')} (${durationText(elapsedMs / 1000)})`;
}
