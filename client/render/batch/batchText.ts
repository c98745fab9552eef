// Texts of a batch: output paths, the check of an output template, and the summary.
import { l10n } from 'vscode';
import type { CliBatchReport } from '../../cli/cliEvents.ts';
import { isInProject } from '../output/outputName.ts';
import { durationText } from '../renderText.ts';

/** `renders/cards/{name}.mp4` for `cards.rows.json` when every row has a name. */
export function defaultTemplate(path: string, hasNames: boolean): string {
  return `${batchFolder(path)}/{${hasNames ? 'name' : 'index'}}.mp4`;
}

/** Output path of a single row. */
export function rowOutput(path: string, row: number): string {
  return `${batchFolder(path)}/${row}.mp4`;
}

/** The output folder of a template: everything before the first segment with a placeholder. */
export function templateFolder(template: string): string {
  const path = template.replaceAll('\\', '/');
  const first = path.search(/\{[^{}]+\}/);
  const cut = path.lastIndexOf('/', first < 0 ? path.length : first);
  return cut < 0 ? '.' : path.slice(0, cut) || '/';
}

function batchFolder(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return `renders/${name.replace(/\.(?:rows|batch)$/i, '')}`;
}

/** Returns an error message, or undefined when the template is valid. `placeholders`: the names that it may contain. `folder`: the project folder. */
export function checkTemplate(
  text: string,
  { rows, placeholders, folder }: { rows: number; placeholders: readonly string[]; folder: string },
): string | undefined {
  if (text.trim() === '' || !isInProject(text, folder))
    return l10n.t('Enter a path in the project folder, such as {0}.', 'renders/{index}.mp4');
  if (rows > 1 && !/\{[^{}]+\}/.test(text))
    return l10n.t('All rows would be written to the same file. Add {0} to the path.', '{index}');
  const unknown = [...text.matchAll(/\{([^{}]+)\}/g)].find(([, key = '']) => !placeholders.includes(key))?.[0];
  if (unknown === undefined) return undefined;
  const known = placeholders.map((key) => `{${key}}`).join(', ');
  return l10n.t('{0} has no value in every row. Known placeholders: {1}', unknown, known);
}

/** For values that do not fit. */
export const defaultsText = (rows: number): string =>
  rows === 1 ? l10n.t('1 row used defaults') : l10n.t('{0} rows used defaults', rows);

/** `12 rows rendered (1 min 2 s)`, `10 of 12 rows rendered, 2 failed (…)` */
export function batchReportText(report: CliBatchReport): string {
  const { total, completed, failed, skipped, usedDefaults = 0, elapsedMs } = report;
  const all = total === 1 ? l10n.t('1 row rendered') : l10n.t('{0} rows rendered', total);
  const facts = [
    completed === total ? all : l10n.t('{0} of {1} rows rendered', completed, total),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(skipped > 0 ? [l10n.t('{0} skipped', skipped)] : []),
    ...(usedDefaults > 0 ? [defaultsText(usedDefaults)] : []),
  ];
  return `${facts.join(', ')} (${durationText(elapsedMs / 1000)})`;
}
