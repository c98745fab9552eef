// Diagnostics as clients get them: asked for with a result id, or sent when they have changed.
import type { Diagnostic } from 'vscode-languageserver-types';
import { batchDiagnostics } from './features/batchDiagnostics.ts';
import type { BatchFile } from './features/batchFile.ts';
import { type DocLink, diagnostics, manifestDiagnostics } from './features/diagnostics.ts';
import type { Findings } from './findings.ts';
import type { OwnedFile } from './projects.ts';
import { uriKey } from './uris.ts';

/** `id` is the same for as long as the items are. */
export type Report = { id: string; items: Diagnostic[] };

export type DiagnosticReports = {
  /** What is wrong in a file now; undefined: it is no composition, so there is nothing to say. */
  of(file: OwnedFile | undefined, uri: string): Report;
  /** What is wrong in a batch file. */
  ofBatch(batch: BatchFile): Report;
  /** What is wrong in a project's manifest. */
  ofManifest(uri: string, text: string): Report;
  /** Forgets a file that is closed or gone. */
  forget(uri: string): void;
};

/** The report of every file without findings. */
export const emptyReport: Report = { id: 'none', items: [] };

type Kept = Report & { of: unknown; json: string };

export function createDiagnosticReports(findings: Findings, docLink: DocLink): DiagnosticReports {
  const kept = new Map<string, Kept>();
  let count = 0;
  /** The report that was made of the same thing before, or a new one. */
  const keep = (uri: string, of: unknown, make: () => Diagnostic[]): Report => {
    const key = uriKey(uri);
    const before = kept.get(key);
    if (before && before.of === of) return before;
    const items = make();
    if (items.length === 0) {
      kept.delete(key);
      return emptyReport;
    }
    const json = JSON.stringify(items);
    const id = before?.json === json ? before.id : `${++count}`;
    const report: Kept = { id, items, of, json };
    kept.set(key, report);
    return report;
  };
  return {
    of: (file, uri) =>
      keep(uri, file && findings.of(file), () => (file ? diagnostics(file, findings.of(file), docLink) : [])),
    ofBatch: (batch) => keep(batch.document.uri, batch.read(), () => batchDiagnostics(batch)),
    ofManifest: (uri, text) => keep(uri, text, () => manifestDiagnostics(text)),
    forget: (uri) => void kept.delete(uriKey(uri)),
  };
}
