// Answers the client's requests for diagnostics, and asks it to refresh them when they change.
import type {
  CancellationToken,
  Connection,
  DocumentDiagnosticParams,
  DocumentDiagnosticReport,
  WorkspaceDiagnosticParams,
  WorkspaceDiagnosticReport,
  WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Client } from './client.ts';
import type { DiagnosticReports, Report } from './diagnosticReports.ts';
import { emptyReport } from './diagnosticReports.ts';
import type { Batches } from './projects/batches.ts';
import type { Projects } from './projects/projects.ts';
import { type RunSafe, stopIfCancelled } from './runSafe.ts';
import { createTimeSlicer } from './scheduler.ts';
import { uriKey } from './uris.ts';
import type { WorkspaceLint } from './workspaceLint.ts';

/** Time in milliseconds for a client to pull diagnostics by itself before the server asks it to refresh. */
const refreshDelayMs = 100;

export type DiagnosticsProvider = {
  /** Call when a document or, without an argument, anything else has changed. */
  changed(document?: TextDocument): void;
  closed(uri: string): void;
};

type ProviderContext = {
  connection: Connection;
  client: Client;
  projects: Projects;
  lint: Pick<WorkspaceLint, 'files'>;
  batches: Batches;
  reports: DiagnosticReports;
  open(): readonly TextDocument[];
  now(): number;
  runSafe: RunSafe;
};

export function createDiagnosticsProvider(context: ProviderContext): DiagnosticsProvider {
  const { connection, client, projects, open, runSafe } = context;
  /** Result IDs last sent to the client, by open file. */
  const lastResultIds = new Map<string, string>();
  /** Files edited since their last report. The client will pull them by itself. */
  const edited = new Set<string>();
  /** Closed files whose problems the client still shows, by key. */
  const closed = new Map<string, string>();
  const changes = createChanges();
  connection.languages.diagnostics.on(
    runSafe(
      'Diagnostics',
      full(emptyReport),
      async ({ textDocument: { uri }, previousResultId }: DocumentDiagnosticParams, token) => {
        await projects.ready(uri);
        stopIfCancelled(token);
        const report = reportOf(context, uri);
        lastResultIds.set(uriKey(uri), report.id);
        edited.delete(uriKey(uri));
        return report.id === previousResultId ? { kind: 'unchanged', resultId: report.id } : full(report);
      },
    ),
  );
  let isFirst = true;
  connection.languages.diagnostics.onWorkspace(
    runSafe('Workspace diagnostics', { items: [] }, async (params: WorkspaceDiagnosticParams, token) => {
      // The client asks again soon after each response, so a response without news waits for the next change.
      for (;;) {
        const seen = changes.count();
        const report = await workspaceReport(context, params, closed, token);
        if (isFirst || changes.hasEnded() || report.items.some(({ kind }) => kind === 'full')) {
          isFirst = false;
          return report;
        }
        await changes.after(seen, token);
        stopIfCancelled(token);
      }
    }),
  );
  connection.onShutdown(() => changes.end());
  const refresh = runSafe('Diagnostics', undefined, async () => {
    await openReady(context);
    changes.notify();
    const stale = open().filter(({ uri }) => {
      const before = lastResultIds.get(uriKey(uri));
      if (before === undefined || edited.has(uriKey(uri))) return false;
      return reportOf(context, uri).id !== before;
    });
    if (stale.length > 0) client.refreshDiagnostics();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    changed(document) {
      if (document) edited.add(uriKey(document.uri));
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(undefined, neverCancelled), refreshDelayMs);
    },
    closed(uri) {
      const before = lastResultIds.get(uriKey(uri));
      if (before !== undefined && before !== emptyReport.id) closed.set(uriKey(uri), uri);
      lastResultIds.delete(uriKey(uri));
      edited.delete(uriKey(uri));
    },
  };
}

/** The report on a composition or a batch file; the empty report for any other document. */
function reportOf({ projects, batches, reports }: ProviderContext, uri: string): Report {
  const batch = batches.of(uri);
  return batch ? reports.ofBatch(batch) : reports.of(projects.file(uri), uri);
}

/** Waits until the reports on open documents are complete. */
async function openReady({ projects, open }: ProviderContext): Promise<void> {
  for (const { uri } of open()) await projects.ready(uri);
}

/** The current reports on all files whose problems are shown. */
async function* currentReports(context: ProviderContext): AsyncGenerator<{ uri: string; report: Report }> {
  const { projects, lint, batches, reports, open } = context;
  const slice = createTimeSlicer(context.now);
  for (const { uri } of lint.files()) {
    await slice();
    // Other files may have changed while this function yielded.
    yield { uri, report: reports.of(projects.file(uri), uri) };
  }
  for (const { uri, text } of projects.manifests()) yield { uri, report: reports.ofManifest(uri, text) };
  for (const { uri } of open()) if (batches.of(uri)) yield { uri, report: reportOf(context, uri) };
}

const neverCancelled: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

type Changes = {
  count(): number;
  notify(): void;
  /** Resolves when there are more changes than `seen`, when the token is cancelled, or after `end`. */
  after(seen: number, token: CancellationToken): Promise<void>;
  end(): void;
  hasEnded(): boolean;
};

function createChanges(): Changes {
  let count = 0;
  let hasEnded = false;
  const waiting = new Set<() => void>();
  const notify = () => {
    count++;
    for (const resume of waiting) resume();
    waiting.clear();
  };
  return {
    count: () => count,
    hasEnded: () => hasEnded,
    notify,
    after: (seen, token) =>
      new Promise((resolve) => {
        if (count > seen || hasEnded || token.isCancellationRequested) resolve();
        else {
          waiting.add(resolve);
          token.onCancellationRequested(() => resolve());
        }
      }),
    end() {
      hasEnded = true;
      notify();
    },
  };
}

function full({ id, items }: Report): DocumentDiagnosticReport {
  return { kind: 'full', resultId: id, items };
}

/**
 * Reports on all files whose problems are shown, and on files that the client shows problems of, but no longer should:
 * those in the previous report, and those in `closed`, which is emptied.
 */
async function workspaceReport(
  context: ProviderContext,
  { previousResultIds }: WorkspaceDiagnosticParams,
  closed: Map<string, string>,
  token: CancellationToken,
): Promise<WorkspaceDiagnosticReport> {
  const { projects, open } = context;
  await projects.allRead();
  await openReady(context);
  const before = new Map(previousResultIds.map(({ uri, value }) => [uriKey(uri), { uri, value }]));
  const versions = new Map(open().map(({ uri, version }) => [uriKey(uri), version]));
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  const shown = new Set<string>();
  for await (const { uri, report } of currentReports(context)) {
    stopIfCancelled(token);
    const key = uriKey(uri);
    const previous = before.get(key);
    const isClosed = closed.has(key);
    shown.add(key);
    if (report === emptyReport && previous === undefined && !isClosed) continue;
    const identifier = { uri, version: versions.get(key) ?? null };
    if (previous?.value === report.id && !isClosed)
      items.push({ kind: 'unchanged', resultId: report.id, ...identifier });
    else items.push({ kind: 'full', resultId: report.id, items: report.items, ...identifier });
  }
  const hidden = [...before.values()].filter(({ value }) => value !== emptyReport.id).map(({ uri }) => uri);
  const gone = new Map([...hidden, ...closed.values()].map((uri) => [uriKey(uri), uri]));
  for (const [key, uri] of gone) {
    if (!shown.has(key)) items.push({ kind: 'full', items: [], uri, version: null });
  }
  closed.clear();
  return { items };
}
