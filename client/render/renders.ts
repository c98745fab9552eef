// Renders of every kind, from what is asked for to the offer at the end. Whoever renders in the editor does it here.
import { type Disposable, l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { setUpWays } from '../setup/setUpWays.ts';
import type { RenderTools } from '../tools.ts';
import type { Values } from '../values.ts';
import { type BatchJob, offerBatchResult, offerRest } from './batchResult.ts';
import type { RenderEntry } from './history.ts';
import { batchJob, renderJob, taskJobAgain } from './jobs.ts';
import { createRemoteRenders, type RemoteRenders } from './remoteRenders.ts';
import { offerResult, showFailure, type Way } from './renderResult.ts';
import { reportText } from './renderText.ts';
import { saveBefore } from './saveBefore.ts';
import { createUnderWay, folderOf, type UnderWay } from './underWay.ts';

/**
 * `name` is what is rendered, for people; `output` a path in the project folder, or an absolute one. `task`: what a task gave the
 * command line, in place of what the values and the output come to.
 */
export type RenderOptions = { name?: string; output?: string; task?: RenderEntry['task'] };

/** All end after the render, not after what the user makes of its end, and never throw. */
export type Renders = Disposable &
  RemoteRenders & {
    run(composition: CompositionInfo, values: Values, options?: RenderOptions): Promise<void>;
    runBatch(job: BatchJob): Promise<void>;
    /** With values that were asked for: offers to save first, and to render again at the end. */
    runWithValues(composition: CompositionInfo, values: Values): Promise<void>;
    /** The same again as an entry of the history tells. */
    again(entry: RenderEntry): Promise<void>;
    /** Cancels the render of an entry. False where it is not under way in this window. */
    cancel(entryId: string): boolean;
    /** For who shows the progress himself. */
    underWay: UnderWay;
  };

export function createRenders(tools: RenderTools): Renders {
  const underWay = createUnderWay(tools);
  const { log, server } = tools;

  const run: Renders['run'] = async (composition, values, options = {}) => {
    const { name = composition.path, output, task } = options;
    const folder = folderOf(composition);
    const followed = await underWay.follow({
      key: `${composition.uri}#${output ?? ''}`,
      name,
      title: l10n.t('Rendering {0}', name),
      kind: 'render',
      composition,
      values,
      isTask: task !== undefined,
      job: task ? taskJobAgain(task, folder) : renderJob({ composition, folder, values }, output),
    });
    if (!followed || followed.outcome === 'cancelled') return;
    const { outcome } = followed;
    if ('error' in outcome) {
      const ways = setUpWays(outcome.error, () => run(composition, values, options));
      return void showFailure(outcome.error, composition, log, ways);
    }
    const { report, warnings } = outcome;
    if (!report || !('output' in report)) return;
    const hasValues = Object.keys(values).length > 0;
    const again: Way = { title: l10n.t('Render Again'), go: () => run(composition, values, options) };
    const made = { output: report.output, facts: reportText(report), warnings };
    void offerResult(made, composition, log, hasValues ? [again] : []);
  };

  const runBatch: Renders['runBatch'] = async (job) => {
    const { uri, info, template, resume = false, task } = job;
    const { composition, path } = info;
    const subject = { composition, folder: folderOf(composition) };
    const followed = await underWay.follow({
      key: uri.toString(),
      name: path,
      title: l10n.t('Rendering {0}', path),
      kind: 'batch',
      composition,
      values: {},
      batch: { uri: uri.toString(), template },
      isTask: task !== undefined,
      job: task
        ? taskJobAgain(task, subject.folder, resume)
        : batchJob(subject, { rows: uri.fsPath, template, resume }),
    });
    if (!followed) return;
    const { outcome } = followed;
    if (outcome === 'cancelled') {
      void offerRest(job).then((again) => (again ? runBatch({ ...job, resume: true }) : undefined));
    } else if ('error' in outcome) {
      const ways = setUpWays(outcome.error, () => runBatch(job));
      void showFailure(outcome.error, composition, log, ways);
    } else if (outcome.report && 'manifest' in outcome.report)
      void offerBatchResult(job, { ...outcome, report: outcome.report }, { server, log });
  };

  const remote = createRemoteRenders(tools, underWay, run);

  return {
    run,
    runBatch,
    ...remote,
    underWay,
    cancel: underWay.cancel,
    async runWithValues(composition, values) {
      if (await saveBefore(composition)) await run(composition, values);
    },
    async again(entry) {
      const { batch, task } = entry;
      if (batch) {
        const info = await server.ask('framework/batch', { uri: batch.uri }).catch(() => null);
        const job = { uri: Uri.parse(batch.uri), template: batch.template, ...(task ? { task } : {}) };
        if (info) return runBatch({ ...job, info });
      }
      const composition = await server.ask('framework/composition', { uri: entry.composition }).catch(() => null);
      if (!composition || batch) {
        void window.showWarningMessage(l10n.t('What {0} was rendered from is not there any more.', entry.name));
        return;
      }
      if (!(await saveBefore(composition))) return;
      if (entry.kind === 'cloud') return remote.runInCloud(composition, entry.values);
      if (entry.kind === 'serverless') return remote.runServerless(composition, entry.values);
      const { name, output } = entry;
      const more = { ...(output === undefined ? {} : { output }), ...(task ? { task } : {}) };
      return run(composition, entry.values, { name, ...more });
    },
    dispose: () => underWay.dispose(),
  };
}
