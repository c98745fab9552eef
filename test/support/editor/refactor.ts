// Applies a refactoring to the range marked «like this» and lints before and after.
import type { CodeAction } from 'vscode-languageserver-types';
import { lintFile } from '../../../renderer-core/lint/lintFile.ts';
import { defaultSettings } from '../../../renderer-core/lint/settings.ts';
import { refactorings } from '../../../server/features/refactor/refactorings.ts';
import { filesOf, marked } from './markup.ts';
import { sourceFile } from './sourceFile.ts';
import { applied } from './workspaceEdit.ts';

/** The files in a source: `index.html`, unless it contains `=== path` lines. */
const filesIn = (source: string): Map<string, string> =>
  source.startsWith('=== ') ? filesOf(source) : new Map([['index.html', source]]);

/** The refactorings that are offered for the first marked range. */
export function offered(source: string): CodeAction[] {
  const files = filesIn(source);
  const found = [...files].find(([, text]) => text.includes('«'));
  if (!found) throw new Error(`no range is marked in ${source}`);
  const [path, markup] = found;
  const { text, spans } = marked(markup);
  files.set(path, text);
  const file = sourceFile(files, path);
  const span = spans[0];
  if (!file || !span) return [];
  const range = { start: file.document.positionAt(span.start), end: file.document.positionAt(span.end) };
  return refactorings(file, range, { wants: () => true, createsFiles: true });
}

/** The project after the action whose title matches. */
export function refactored(source: string, title: RegExp): string {
  const action = offered(source).find((one) => title.test(one.title));
  if (!action?.edit) throw new Error(`no action matches; offered: ${JSON.stringify(offered(source))}`);
  return applied(unmarked(source), action.edit);
}

export const unmarked = (source: string): string => source.replace(/[«»]/g, '');

/** The linter's findings in every file, without positions. */
export function findings(source: string): string[] {
  const files = filesIn(source);
  return [...files.keys()].flatMap((path) => {
    const file = sourceFile(files, path);
    return file ? lintFile(file.project, path, defaultSettings).map(({ rule, message }) => `${rule}: ${message}`) : [];
  });
}
