// Starts renders of every kind and shows their results.
import { type Disposable, l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { Values } from '../compositions/draftValues.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import { isIn } from '../renderDialog/rowList.ts';
import { offerPinned } from '../setup/offerPinned.ts';
import { setupActions } from '../setup/setupActions.ts';
import { confirmBatch } from './batch/batchOverwrite.ts';
import { type BatchJob, offerBatchResult, offerRest } from './batch/batchResult.ts';
import { confirmInvalidRows } from './batch/confirmInvalidRows.ts';
import type { RenderEntry } from './history.ts';
import { batchJob, renderJob, taskJobAgain } from './jobArguments.ts';
import { outputLabel } from './output/outputName.ts';
import { createOutputNames, type VideoOptions } from './output/outputNames.ts';
import { promptToSave } from './promptToSave.ts';
import { createRemoteRenders, type RemoteRenders } from './remoteRenders.ts';
import { createRenderJobs, folderOf, type RenderJobs } from './renderJobs.ts';
import { defaultsAction, offerResult, showFailure } from './renderResult.ts';
import type { RenderServices } from './renderServices.ts';
import { reportText } from './renderText.ts';
import { withValues } from './valuesText.ts';

export type RenderOptions = VideoOptions & {
  /** Display name; by default that of the video. */
  name?: string;
  /** The command-line arguments of a task, which replace those for the values and the output. */
  task?: RenderEntry['task'];
};

/** The functions never reject. They resolve when the render has ended, without waiting for the user's answer to its message. */
export type Renders = Disposable &
  RemoteRenders & {
    run(composition: CompositionInfo, values: Values, options?: RenderOptions): Promise<void>;
    /** The path in the project folder that a render would get now. */
    suggestOutput(composition: CompositionInfo, values: Values, options: VideoOptions): Promise<string>;
    runBatch(job: BatchJob): Promise<void>;
    /** Repeats the render of a history entry. */
    renderAgain(entry: RenderEntry): Promise<void>;
    /** Cancels the render of a history entry. Returns false when it does not run in this window. */
    cancel(entryId: string): boolean;
    /** For callers that show the progress themselves. */
    jobs: RenderJobs;
  };

export function createRenders(services: RenderServices): Renders {
  const jobs = createRenderJobs(services);
  const names = createOutputNames(services.history);
  const { log, server, videoSize } = services;

  const run: Renders['run'] = async (composition, values, options = {}) => {
    const { set, task, video } = options;
    const size = video ?? videoSize.current();
    const key = `${composition.uri}#${JSON.stringify([values, size, options.output ?? options.wanted ?? ''])}`;
    if (jobs.isRunning(key)) return jobs.showRunning(options.name ?? compositionName(composition));
    const reserved = task ? undefined : await names.reserve(composition, values, options);
    if (!task && !reserved) return;
    const folder = folderOf(composition);
    const name = options.name ?? (reserved ? outputLabel(reserved.path) : compositionName(composition));
    const finished = await jobs
      .runWithProgress({
        key,
        name,
        title: withValues(l10n.t('Rendering {0}', name), values),
        kind: 'render',
        composition,
        values,
        set,
        video,
        ...(reserved ? { wanted: reserved.wanted } : {}),
        isTask: task !== undefined,
        cli: task ? taskJobAgain(task, folder) : renderJob({ composition, folder, values, size }, reserved?.path),
      })
      .finally(() => reserved?.release());
    if (!finished || finished.outcome === 'cancelled') return;
    const { outcome } = finished;
    if ('error' in outcome) {
      const actions = setupActions(outcome.error, () => run(composition, values, options));
      return void showFailure(outcome.error, composition, log, actions);
    }
    const { report, warnings } = outcome;
    if (!report || !('output' in report)) return;
    const file = { output: report.output, facts: reportText(report), values, warnings };
    // A row or a task has its own values.
    const isShown = options.name === undefined;
    const actions = isShown ? defaultsAction(values, () => run(composition, {}, { video })) : [];
    void offerResult(file, composition, log, actions);
    void offerPinned(services);
  };

  const runBatch: Renders['runBatch'] = async (job) => {
    const { uri, info, template, task, rows: only, video } = job;
    const { composition, path } = info;
    // The options of a task decide about its invalid rows.
    const invalidRows = job.invalidRows ?? (task ? 'defaults' : await confirmInvalidRows(uri, info, isIn(only)));
    if (invalidRows === undefined) return;
    const resume = job.resume ?? (task ? false : await confirmBatch(composition, template, job.outputs));
    if (resume === undefined) return;
    const subject = { composition, folder: folderOf(composition), size: video ?? videoSize.current() };
    const finished = await jobs.runWithProgress({
      key: uri.toString(),
      name: path,
      title: l10n.t('Rendering {0}', path),
      kind: 'batch',
      composition,
      values: {},
      batch: { uri: uri.toString(), template, ...(only === undefined ? {} : { rows: only }) },
      video,
      isTask: task !== undefined,
      cli: task
        ? taskJobAgain(task, subject.folder, resume)
        : batchJob(subject, { rows: uri.fsPath, template, resume, only, invalidRows }),
    });
    if (!finished) return;
    const { outcome } = finished;
    if (outcome === 'cancelled') {
      void offerRest(job).then((isAccepted) =>
        isAccepted ? runBatch({ ...job, invalidRows, resume: true }) : undefined,
      );
    } else if ('error' in outcome) {
      const actions = setupActions(outcome.error, () => runBatch({ ...job, invalidRows }));
      void showFailure(outcome.error, composition, log, actions);
    } else if (outcome.report && 'manifest' in outcome.report) {
      void offerBatchResult(job, { ...outcome, report: outcome.report }, { server, log });
      void offerPinned(services);
    }
  };

  const remote = createRemoteRenders(services, { jobs, names, renderHere: run });

  return {
    run,
    runBatch,
    ...remote,
    jobs,
    cancel: jobs.cancel,
    async suggestOutput(composition, values, options) {
      const reserved = await names.reserve(composition, values, options);
      reserved?.release();
      return reserved?.path ?? '';
    },
    async renderAgain(entry) {
      const { batch, task } = entry;
      if (batch) {
        const info = await resultOrMessage(server.request('framework/batch', { uri: batch.uri }), log);
        if (info === undefined) return;
        const { template, rows } = batch;
        const own = { ...(task ? { task } : {}), ...(rows === undefined ? {} : { rows }), video: entry.video };
        const job = { uri: Uri.parse(batch.uri), template, ...own };
        if (info) return runBatch({ ...job, info });
      }
      const params = { uri: entry.composition };
      const composition = await resultOrMessage(server.request('framework/composition', params), log);
      if (composition === undefined) return;
      if (!composition || batch) {
        void window.showWarningMessage(l10n.t('The source of {0} no longer exists.', entry.name));
        return;
      }
      if (!(await promptToSave(composition))) return;
      const { kind, name, wanted, set, video } = entry;
      const options = { wanted, set, video };
      if (kind === 'cloud') return remote.runInCloud(composition, entry.values, options);
      if (kind === 'serverless') return remote.runServerless(composition, entry.values, options);
      return run(composition, entry.values, task ? { name, task } : options);
    },
    dispose: () => jobs.dispose(),
  };
}
