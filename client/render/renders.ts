// Renders under way: each with its progress, a way to cancel it, and an end that offers what to do next.
import { type Disposable, ProgressLocation, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliRun } from '../cli/cliEvents.ts';
import { setUpWays } from '../setup/setUpWays.ts';
import type { Tools } from '../tools.ts';
import { type BatchJob, offerBatchResult, offerRest } from './batchResult.ts';
import { type CliJob, type Outcome, runJob } from './cliJob.ts';
import { offerResult, showFailure } from './renderResult.ts';

/** `name` is what is rendered, for people; `output` a path in the project folder. */
export type RenderOptions = { name?: string; output?: string };

/** Both end after the render, not after what the user makes of its end, and never throw. */
export type Renders = Disposable & {
  run(composition: CompositionInfo, values: Readonly<Record<string, unknown>>, options?: RenderOptions): Promise<void>;
  runBatch(job: BatchJob): Promise<void>;
};

export function createRenders(tools: Tools): Renders {
  const underWay = new Map<string, CliRun>();
  /** Undefined where the same thing is being rendered already. */
  async function show(key: string, name: string, job: CliJob): Promise<Outcome | undefined> {
    if (underWay.has(key)) {
      void window.showInformationMessage(`${name} is being rendered already.`);
      return undefined;
    }
    const outcome = await window.withProgress(
      { location: ProgressLocation.Notification, title: `Rendering ${name}`, cancellable: true },
      async (progress, token) => {
        try {
          return await runJob(job, tools, { progress, token, started: (cli) => underWay.set(key, cli) });
        } finally {
          underWay.delete(key);
        }
      },
    );
    if (outcome === 'cancelled') tools.log.info(`Cancelled: ${name}`);
    return outcome;
  }
  const run: Renders['run'] = async (composition, values, options = {}) => {
    const { name = composition.path, output } = options;
    const outcome = await show(composition.uri, name, renderJob(composition, values, output));
    if (outcome === undefined || outcome === 'cancelled') return;
    if ('error' in outcome) {
      const ways = setUpWays(outcome.error, () => run(composition, values, options));
      void showFailure(outcome.error, composition, tools.log, ways);
    } else if ('output' in outcome.report) void offerResult(outcome.report, outcome.warnings, composition, tools.log);
  };
  const runBatch: Renders['runBatch'] = async (job) => {
    const outcome = await show(job.uri.toString(), job.info.path, batchJob(job));
    if (outcome === undefined) return;
    if (outcome === 'cancelled')
      void offerRest(job).then((again) => (again ? runBatch({ ...job, resume: true }) : undefined));
    else if ('error' in outcome)
      void showFailure(
        outcome.error,
        job.info.composition,
        tools.log,
        setUpWays(outcome.error, () => runBatch(job)),
      );
    else if ('manifest' in outcome.report) void offerBatchResult(job, { ...outcome, report: outcome.report }, tools);
  };
  return {
    run,
    runBatch,
    dispose() {
      for (const cli of underWay.values()) cli.cancel();
    },
  };
}

/** Values come by standard input: no shell, no limit of length, and not in anybody's list of processes. */
function renderJob(
  { path, projectUri }: CompositionInfo,
  values: Readonly<Record<string, unknown>>,
  output: string | undefined,
): CliJob {
  const options = [
    `--composition=${path}`,
    '--variables-file=-',
    ...(output === undefined ? [] : [`--output=${output}`]),
  ];
  return { folder: Uri.parse(projectUri).fsPath, options, stdin: JSON.stringify(values) };
}

function batchJob({ uri, info, template, resume = false }: BatchJob): CliJob {
  const { path, projectUri } = info.composition;
  const options = [`--composition=${path}`, `--batch=${uri.fsPath}`, `--output=${template}`];
  return { folder: Uri.parse(projectUri).fsPath, options: [...options, ...(resume ? ['--resume'] : [])], stdin: '' };
}
