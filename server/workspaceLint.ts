// Decides whose problems are shown: those of open files and of the files that they embed, or those of the whole workspace.
import type { Progress } from './client.ts';
import type { Findings } from './findings.ts';
import type { OwnedFile, Projects } from './projects/projects.ts';
import type { LintScope, LintSummary } from './protocol.ts';
import { createTimeSlicer } from './scheduler.ts';
import { uriKey } from './uris.ts';

export type WorkspaceLint = {
  scope(): LintScope;
  /** The compositions whose problems are shown. */
  files(): OwnedFile[];
  /** Applies the setting. Does nothing unless it has changed. */
  configure(scope: LintScope, startProgress: () => Progress): Promise<void>;
  /** Lints all compositions and then shows their problems; undefined if it was cancelled. */
  run(progress: Pick<Progress, 'report' | 'isCancelled'>): Promise<LintSummary | undefined>;
  showOpenFiles(): void;
};

type LintContext = {
  projects: Projects;
  findings: Findings;
  /** The URIs of the open documents. */
  open(): readonly string[];
  /** A monotonic clock in milliseconds. */
  now(): number;
  onChange(): void;
};

export function createWorkspaceLint(context: LintContext): WorkspaceLint {
  const { projects } = context;
  let scope: LintScope = 'openFiles';
  let configured: LintScope = 'openFiles';
  const set = (next: LintScope) => {
    scope = next;
    context.onChange();
  };
  const run: WorkspaceLint['run'] = async (progress) => {
    const summary = await lintAll(context, progress);
    // The findings are cached now, so showing them takes no time.
    if (summary) set('workspace');
    return summary;
  };
  return {
    scope: () => scope,
    files: () => (scope === 'workspace' ? projects.files() : filesInUse(context)),
    async configure(next, startProgress) {
      if (next === configured) return;
      configured = next;
      if (next === 'openFiles') {
        set(next);
        return;
      }
      const progress = startProgress();
      await run(progress).finally(progress.end);
    },
    run,
    showOpenFiles: () => set('openFiles'),
  };
}

/** The open compositions and, at all levels, the files that they embed. */
function filesInUse({ projects, open }: LintContext): OwnedFile[] {
  const found = new Map<string, OwnedFile>();
  const queue = open().flatMap((uri) => projects.file(uri) ?? []);
  for (const file of queue) {
    if (found.has(uriKey(file.uri))) continue;
    found.set(uriKey(file.uri), file);
    for (const { src } of file.composition.hosts) {
      const target = file.project.target(file.path, src.text);
      const embedded = target === null ? undefined : projects.projectOf(file.uri).fileAt(target);
      // The loop visits the files that it adds.
      if (embedded) queue.push(embedded);
    }
  }
  return [...found.values()];
}

async function lintAll(
  { projects, findings, now }: LintContext,
  { report, isCancelled }: Pick<Progress, 'report' | 'isCancelled'>,
): Promise<LintSummary | undefined> {
  await projects.allReady();
  const slice = createTimeSlicer(now);
  const uris = projects.files().map(({ uri }) => uri);
  let problems = 0;
  for (const [done, uri] of uris.entries()) {
    const pause = slice();
    // Not for each file: the client would show hundreds of steps one after another.
    if (pause) report(done, uris.length);
    await pause;
    if (isCancelled()) return undefined;
    // Other files may have changed while this function yielded.
    const file = projects.file(uri);
    if (file) problems += findings.of(file).filter(({ severity }) => severity !== 'hint').length;
  }
  report(uris.length, uris.length);
  return { compositions: uris.length, problems };
}
