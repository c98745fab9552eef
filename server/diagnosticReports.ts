// Diagnostics with a result ID, cached so that unchanged reports keep their ID.
import type { Diagnostic } from 'vscode-languageserver-types';
import { batchDiagnostics } from './features/batch/batchDiagnostics.ts';
import type { BatchFile } from './features/batch/batchFile.ts';
import { type DocLink, diagnostics, manifestDiagnostics } from './features/diagnostics.ts';
import type { Findings } from './findings.ts';
import type { OwnedFile } from './projects/projects.ts';
import { uriKey } from './uris.ts';

/** `id` does not change while the items do not change. */
export type Report = { id: string; items: Diagnostic[] };

export type DiagnosticReports = {
  /** The report on a composition; empty if `file` is undefined. */
  of(file: OwnedFile | undefined, uri: string): Report;
  ofBatch(batch: BatchFile): Report;
  ofManifest(uri: string, text: string): Report;
  /** Drops the report on a closed or deleted file. */
  forget(uri: string): void;
};

/** The report on a file without findings. */
export const emptyReport: Report = { id: 'none', items: [] };

type CachedReport = Report & { of: unknown; json: string };

export function createDiagnosticReports(findings: Findings, docLink: DocLink): DiagnosticReports {
  const kept = new Map<string, CachedReport>();
  let count = 0;
  /** Returns the cached report if it was made from the same object, otherwise a new one. */
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
    const report: CachedReport = { id, items, of, json };
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
