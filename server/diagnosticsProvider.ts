// Decides when the client gets diagnostics: on request if it pulls them, otherwise whenever they change.
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
import type { Batches } from './batches.ts';
import type { Client, ClientCapabilities } from './client.ts';
import type { DiagnosticReports, Report } from './diagnosticReports.ts';
import { emptyReport } from './diagnosticReports.ts';
import type { Projects } from './projects.ts';
import { type RunSafe, stopIfCancelled } from './runSafe.ts';
import { createTimeSlicer } from './scheduler.ts';
import { uriKey } from './uris.ts';

/** For larger documents (in characters), diagnostics wait for a pause in typing. */
const largeDocumentLength = 300_000;
const largeDocumentDelayMs = 200;

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
  capabilities: ClientCapabilities;
  projects: Projects;
  batches: Batches;
  reports: DiagnosticReports;
  open(): readonly TextDocument[];
  now(): number;
  runSafe: RunSafe;
};

export function createDiagnosticsProvider(context: ProviderContext): DiagnosticsProvider {
  return context.capabilities.pullsDiagnostics ? registerPullHandlers(context) : createPublisher(context);
}

/** The report on a composition or a batch file; the empty report for any other document. */
function reportOf({ projects, batches, reports }: ProviderContext, uri: string): Report {
  const batch = batches.of(uri);
  return batch ? reports.ofBatch(batch) : reports.of(projects.file(uri), uri);
}

function createPublisher(context: ProviderContext): DiagnosticsProvider {
  const { connection, projects, reports, open, runSafe } = context;
  const sent = new Map<string, string>();
  const sendNew = (uri: string, { id, items }: Report, version?: number) => {
    if ((sent.get(uriKey(uri)) ?? emptyReport.id) === id) return;
    sent.set(uriKey(uri), id);
    void connection.sendDiagnostics({ uri, diagnostics: items, ...(version === undefined ? {} : { version }) });
  };
  const send = runSafe('Diagnostics', undefined, () => {
    for (const { uri, version } of open()) {
      if (projects.isReadyFor(uri)) sendNew(uri, reportOf(context, uri), version);
    }
    for (const { uri, text } of projects.manifests()) sendNew(uri, reports.ofManifest(uri, text));
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    changed(document) {
      clearTimeout(timer);
      const isHeavy = document !== undefined && document.getText().length > largeDocumentLength;
      timer = setTimeout(() => void send(undefined, neverCancelled), isHeavy ? largeDocumentDelayMs : 0);
    },
    closed(uri) {
      reports.forget(uri);
      if (sent.delete(uriKey(uri))) void connection.sendDiagnostics({ uri, diagnostics: [] });
    },
  };
}

const neverCancelled: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

function registerPullHandlers(context: ProviderContext): DiagnosticsProvider {
  const { connection, client, projects, open, runSafe } = context;
  /** Result IDs last sent to the client, by open file. */
  const lastResultIds = new Map<string, string>();
  /** Files edited since their last report. The client will pull them by itself. */
  const edited = new Set<string>();
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
  connection.languages.diagnostics.onWorkspace(
    runSafe('Workspace diagnostics', { items: [] }, (params: WorkspaceDiagnosticParams, token) =>
      workspaceReport(context, params, token),
    ),
  );
  const refresh = runSafe('Diagnostics', undefined, () => {
    const stale = open().filter(({ uri }) => {
      const before = lastResultIds.get(uriKey(uri));
      if (before === undefined || edited.has(uriKey(uri)) || !projects.isReadyFor(uri)) return false;
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
      lastResultIds.delete(uriKey(uri));
      edited.delete(uriKey(uri));
    },
  };
}

function full({ id, items }: Report): DocumentDiagnosticReport {
  return { kind: 'full', resultId: id, items };
}

/** Reports on all files with findings, on manifests, and on files that had findings when the client last pulled. */
async function workspaceReport(
  context: ProviderContext,
  { previousResultIds }: WorkspaceDiagnosticParams,
  token: CancellationToken,
): Promise<WorkspaceDiagnosticReport> {
  const { projects, batches, reports, open } = context;
  await projects.allReady();
  const before = new Map(previousResultIds.map(({ uri, value }) => [uriKey(uri), { uri, value }]));
  const versions = new Map(open().map(({ uri, version }) => [uriKey(uri), version]));
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  const add = (uri: string, report: Report) => {
    const key = uriKey(uri);
    const previous = before.get(key);
    before.delete(key);
    if (report === emptyReport && previous === undefined) return;
    const identifier = { uri, version: versions.get(key) ?? null };
    if (previous?.value === report.id) items.push({ kind: 'unchanged', resultId: report.id, ...identifier });
    else items.push({ kind: 'full', resultId: report.id, items: report.items, ...identifier });
  };
  const slice = createTimeSlicer(context.now);
  for (const { uri } of projects.files()) {
    await slice();
    stopIfCancelled(token);
    // Other files may have changed while this function yielded.
    add(uri, reports.of(projects.file(uri), uri));
  }
  for (const { uri, text } of projects.manifests()) add(uri, reports.ofManifest(uri, text));
  for (const { uri } of open()) if (batches.of(uri)) add(uri, reportOf(context, uri));
  for (const { uri, value } of before.values()) {
    if (value !== emptyReport.id) items.push({ kind: 'full', items: [], uri, version: null });
  }
  return { items };
}
