// Checks a choice with the command line, without rendering, and estimates time, size and cost.
import { l10n } from 'vscode';
import type { CliResult } from '../cli/runCliJson.ts';
import { runCliJson } from '../cli/runCliJson.ts';
import type { Values } from '../compositions/draftValues.ts';
import { editorError } from '../errorMessages.ts';
import { stackArgs } from '../render/jobArguments.ts';
import { isInProject } from '../render/output/outputName.ts';
import type { RenderServices } from '../render/renderServices.ts';
import { knownStack } from '../render/stackChoice.ts';
import type { CheckResult } from './dialogMessages.ts';
import { type AwsEstimate, estimate, type PlannedVideo } from './estimate.ts';
import { costFact, sizeFact, timeFact, videoText } from './estimateText.ts';
import { dryRunArgs, type RenderChoice, videoOf } from './renderChoice.ts';

export type Checked = {
  choice: RenderChoice;
  values: Values;
  /** Absolute path of the project folder. */
  folder: string;
  composition: { uri: string; path: string };
  output: string;
  /** Number of rows to render; undefined for one video. */
  rows?: number | undefined;
};

/** Never rejects. Undefined when `signal` was aborted. */
export async function checkChoice(
  { choice, values, folder, composition, output, rows }: Checked,
  services: RenderServices,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  if (!isInProject(output, folder)) return outsideProject(output);
  const stack = knownStack(services.context.workspaceState);
  const stdin = JSON.stringify(values);
  const run = <Value>(args: readonly string[]) => runCliJson<Value>(services, { args, cwd: folder, stdin, signal });
  const place = { folder, composition: composition.path, output };
  // The plan of a local render has the frames and the length, which the others do not print.
  const planned = run<{ plan: PlannedVideo }>(dryRunArgs(planChoice(choice), place));
  const remote = choice.target === 'local' ? undefined : run<AwsEstimate>(remoteArgs(choice, place, stack));
  const [plan, other] = [await planned, await remote];
  if (signal.aborted) return undefined;
  const failure = failureOf(other) ?? failureOf(plan);
  if (failure || !('value' in plan)) return failure ?? { state: 'checking' };
  const aws = choice.target === 'aws' && other && 'value' in other ? other.value : undefined;
  const facts = {
    choice,
    plan: plan.value.plan,
    composition: composition.uri,
    entries: services.history.entries(),
    aws,
    videos: rows ?? 1,
  };
  const { time, bytes, cost } = estimate(facts);
  return {
    state: 'valid',
    video: rows === undefined ? videoText(facts.plan) : l10n.t('{0} videos, each {1}', rows, videoText(facts.plan)),
    time: timeFact(choice.target, time),
    size: sizeFact(bytes),
    cost: costFact(cost),
  };
}

function outsideProject(output: string): CheckResult {
  return {
    state: 'invalid',
    message: l10n.t('The output {0} is outside of the project folder.', output),
    hint: l10n.t(
      'Choose a path in the folder, such as {0}. The command line can write to any folder.',
      'renders/video.mp4',
    ),
  };
}

/** The same video on this computer. */
function planChoice(choice: RenderChoice): RenderChoice {
  return { target: 'local', video: videoOf(choice) };
}

function remoteArgs(
  choice: RenderChoice,
  place: Parameters<typeof dryRunArgs>[1],
  stack: ReturnType<typeof knownStack>,
): string[] {
  return [...dryRunArgs(choice, place), ...(choice.target === 'aws' && stack ? stackArgs(stack) : [])];
}

function failureOf(result: CliResult<unknown> | undefined): CheckResult | undefined {
  if (!result || 'value' in result) return undefined;
  const { message, hint = '' } = editorError(result.error);
  return { state: 'invalid', message, hint };
}
