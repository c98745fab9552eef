// Diagnostics as clients get them: asked for with a result id, or sent when they have changed.
import type { Diagnostic } from 'vscode-languageserver-types';
import { type DocLink, diagnostics } from './features/diagnostics.ts';
import type { Findings } from './findings.ts';
import type { OwnedFile } from './projects.ts';
import { uriKey } from './uris.ts';

/** `id` is the same for as long as the items are. */
export type Report = { id: string; items: Diagnostic[] };

export type DiagnosticReports = {
  /** What is wrong in a file now; undefined: it is no composition, so there is nothing to say. */
  of(file: OwnedFile | undefined, uri: string): Report;
  /** Forgets a file that is closed or gone. */
  forget(uri: string): void;
};

/** The report of every file without findings. */
export const emptyReport: Report = { id: 'none', items: [] };

type Kept = Report & { findings: unknown; json: string };

export function createDiagnosticReports(findings: Findings, docLink: DocLink): DiagnosticReports {
  const kept = new Map<string, Kept>();
  let count = 0;
  return {
    of(file, uri) {
      const key = uriKey(uri);
      const found = file && findings.of(file);
      if (!file || !found || found.length === 0) {
        kept.delete(key);
        return emptyReport;
      }
      const before = kept.get(key);
      // The same findings of the same text: nothing to convert.
      if (before?.findings === found) return before;
      const items = diagnostics(file, found, docLink);
      const json = JSON.stringify(items);
      const id = before?.json === json ? before.id : `${++count}`;
      const report: Kept = { id, items, findings: found, json };
      kept.set(key, report);
      return report;
    },
    forget: (uri) => void kept.delete(uriKey(uri)),
  };
}
