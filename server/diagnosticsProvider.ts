// When diagnostics go to the client: asked for by those that ask, else sent whenever they have changed.
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
import type { Abilities, Client } from './client.ts';
import type { DiagnosticReports, Report } from './diagnosticReports.ts';
import { emptyReport } from './diagnosticReports.ts';
import { type Guard, stopIfCancelled } from './guard.ts';
import type { Projects } from './projects.ts';
import { createSlices } from './turns.ts';
import { uriKey } from './uris.ts';

/** Above this many characters an answer takes long enough to wait for a pause in the typing. */
const heavyLength = 300_000;
const heavyDelay = 200;

/** A client that asks gets this long to ask by itself, before it is told that other files have changed too. */
const refreshDelay = 100;

export type Diagnose = {
  /** Something has changed: this document, or else anything. */
  changed(document?: TextDocument): void;
  closed(uri: string): void;
};

type Parts = {
  connection: Connection;
  client: Client;
  abilities: Abilities;
  projects: Projects;
  batches: Batches;
  reports: DiagnosticReports;
  open(): readonly TextDocument[];
  guard: Guard;
};

export function createDiagnose(parts: Parts): Diagnose {
  return parts.abilities.pullsDiagnostics ? answerPulls(parts) : publish(parts);
}

/** What is wrong in a document now: a composition, a batch file, or nothing of ours. */
function reportOf({ projects, batches, reports }: Parts, uri: string): Report {
  const batch = batches.of(uri);
  return batch ? reports.ofBatch(batch) : reports.of(projects.file(uri), uri);
}

function publish(parts: Parts): Diagnose {
  const { connection, projects, reports, open, guard } = parts;
  const sent = new Map<string, string>();
  const sendNew = (uri: string, { id, items }: Report, version?: number) => {
    if ((sent.get(uriKey(uri)) ?? emptyReport.id) === id) return;
    sent.set(uriKey(uri), id);
    void connection.sendDiagnostics({ uri, diagnostics: items, ...(version === undefined ? {} : { version }) });
  };
  const send = guard('Diagnostics', undefined, () => {
    for (const { uri, version } of open()) {
      if (projects.isReadyFor(uri)) sendNew(uri, reportOf(parts, uri), version);
    }
    for (const { uri, text } of projects.manifests()) sendNew(uri, reports.ofManifest(uri, text));
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    changed(document) {
      clearTimeout(timer);
      const isHeavy = document !== undefined && document.getText().length > heavyLength;
      timer = setTimeout(() => void send(undefined, neverCancelled), isHeavy ? heavyDelay : 0);
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

function answerPulls(parts: Parts): Diagnose {
  const { connection, client, projects, open, guard } = parts;
  /** What the client was told last about the files that it has open. */
  const told = new Map<string, string>();
  /** Files that have been edited and not asked about since: the client will ask by itself. */
  const edited = new Set<string>();
  connection.languages.diagnostics.on(
    guard(
      'Diagnostics',
      full(emptyReport),
      async ({ textDocument: { uri }, previousResultId }: DocumentDiagnosticParams, token) => {
        await projects.ready(uri);
        stopIfCancelled(token);
        const report = reportOf(parts, uri);
        told.set(uriKey(uri), report.id);
        edited.delete(uriKey(uri));
        return report.id === previousResultId ? { kind: 'unchanged', resultId: report.id } : full(report);
      },
    ),
  );
  connection.languages.diagnostics.onWorkspace(
    guard('Workspace diagnostics', { items: [] }, (params: WorkspaceDiagnosticParams, token) =>
      workspaceReport(parts, params, token),
    ),
  );
  const refresh = guard('Diagnostics', undefined, () => {
    const stale = open().filter(({ uri }) => {
      const before = told.get(uriKey(uri));
      if (before === undefined || edited.has(uriKey(uri)) || !projects.isReadyFor(uri)) return false;
      return reportOf(parts, uri).id !== before;
    });
    if (stale.length > 0) client.refreshDiagnostics();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    changed(document) {
      if (document) edited.add(uriKey(document.uri));
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(undefined, neverCancelled), refreshDelay);
    },
    closed(uri) {
      told.delete(uriKey(uri));
      edited.delete(uriKey(uri));
    },
  };
}

function full({ id, items }: Report): DocumentDiagnosticReport {
  return { kind: 'full', resultId: id, items };
}

/** Reports on every file with findings, on manifests, and on those that had some when the client last asked. */
async function workspaceReport(
  parts: Parts,
  { previousResultIds }: WorkspaceDiagnosticParams,
  token: CancellationToken,
): Promise<WorkspaceDiagnosticReport> {
  const { projects, batches, reports, open } = parts;
  await projects.allReady();
  const before = new Map(previousResultIds.map(({ uri, value }) => [uriKey(uri), { uri, value }]));
  const versions = new Map(open().map(({ uri, version }) => [uriKey(uri), version]));
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  const add = (uri: string, report: Report) => {
    const key = uriKey(uri);
    const previous = before.get(key);
    before.delete(key);
    if (report === emptyReport && previous === undefined) return;
    const place = { uri, version: versions.get(key) ?? null };
    if (previous?.value === report.id) items.push({ kind: 'unchanged', resultId: report.id, ...place });
    else items.push({ kind: 'full', resultId: report.id, items: report.items, ...place });
  };
  const slice = createSlices();
  for (const { uri } of projects.files()) {
    await slice();
    stopIfCancelled(token);
    // Other files may have changed in the turns between.
    add(uri, reports.of(projects.file(uri), uri));
  }
  for (const { uri, text } of projects.manifests()) add(uri, reports.ofManifest(uri, text));
  for (const { uri } of open()) if (batches.of(uri)) add(uri, reportOf(parts, uri));
  for (const { uri, value } of before.values()) {
    if (value !== emptyReport.id) items.push({ kind: 'full', items: [], uri, version: null });
  }
  return { items };
}
