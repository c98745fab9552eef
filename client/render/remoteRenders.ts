// Renders at the hosted service and on AWS: starts them, and waits for them again.
import { l10n, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { Values } from '../compositions/draftValues.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import { deleteRender, type FollowContext, followRender, type RemoteRender } from './followRender.ts';
import type { RenderEntry } from './history.ts';
import { cloudJob, cloudWaitJob, type Stack, type Subject, serverlessJob, serverlessWaitJob } from './jobArguments.ts';
import { outputLabel } from './output/outputName.ts';
import type { OutputNames, ReservedOutput, VideoOptions } from './output/outputNames.ts';
import { folderOf, type RenderJobs } from './renderJobs.ts';
import type { RenderServices } from './renderServices.ts';
import { knownStack, promptForStack } from './stackChoice.ts';
import { withValues } from './valuesText.ts';

/** Both prompt for what they need once per workspace. They resolve when the video is downloaded, or when the user stops waiting. */
export type RemoteRenders = {
  runInCloud(composition: CompositionInfo, values: Values, options?: VideoOptions): Promise<void>;
  runServerless(composition: CompositionInfo, values: Values, options?: VideoOptions): Promise<void>;
  /** Waits again for the render of a history entry, and downloads the video. */
  waitFor(entry: RenderEntry): Promise<void>;
  /** Deletes a render at the service. One that is running is stopped and its credits are refunded. */
  deleteRender(renderId: string): Promise<void>;
};

export function createRemoteRenders(
  services: RenderServices,
  { jobs, names, renderHere }: { jobs: RenderJobs; names: OutputNames; renderHere: FollowContext['renderHere'] },
): RemoteRenders {
  const { context, log, server, videoSize } = services;
  const follow = (render: RemoteRender) => followRender(render, { services, jobs, renderHere });

  type Start = (subject: RemoteSubject) => Promise<boolean>;
  /** Chooses the path of the video, which stays reserved while the render may still be downloaded to it. */
  async function start(
    composition: CompositionInfo,
    values: Values,
    options: VideoOptions | undefined,
    run: Start,
  ): Promise<void> {
    const output = await names.reserve(composition, values, options);
    if (!output) return;
    const folder = folderOf(composition);
    const subject = { composition, folder, values, size: options?.video ?? videoSize.current() };
    const { set, video } = options ?? {};
    if (await run({ ...subject, output, set, video })) output.release();
  }
  function isRunning(composition: CompositionInfo, kind: RemoteKind): boolean {
    const found = jobs.isRunning(jobKey(composition, kind));
    if (found) jobs.showRunning(compositionName(composition));
    return found;
  }

  const runInCloud: RemoteRenders['runInCloud'] = async (composition, values, options) => {
    if (isRunning(composition, 'cloud') || !(await mayUpload(composition, services))) return;
    const next = repeats(runInCloud, composition, values, options);
    await start(composition, values, options, (subject) => follow({ ...cloudJobs(subject), ...next }));
  };

  const runServerless: RemoteRenders['runServerless'] = async (composition, values, options) => {
    if (isRunning(composition, 'serverless')) return;
    const stack = knownStack(context.workspaceState) ?? (await promptForStack(context.workspaceState));
    if (!stack) return;
    const next = repeats(runServerless, composition, values, options);
    await start(composition, values, options, (subject) => follow({ ...awsJobs(subject, stack), ...next }));
  };

  async function waitFor({
    id,
    kind,
    remoteId,
    values,
    wanted,
    set,
    video,
    composition: uri,
  }: RenderEntry): Promise<void> {
    const composition = await resultOrMessage(server.request('framework/composition', { uri }), log);
    if (composition === null) void window.showWarningMessage(l10n.t('{0} is no longer a composition.', uri));
    if (!composition || remoteId === undefined) return;
    const stack = knownStack(context.workspaceState) ?? { region: '', profile: '', name: '' };
    const options = { wanted, set, video };
    const run = kind === 'cloud' ? runInCloud : runServerless;
    await start(composition, values, options, (subject) => {
      const { wait } = kind === 'cloud' ? cloudJobs(subject) : awsJobs(subject, stack);
      const job = { ...wait(remoteId), entry: id };
      return follow({ job, wait, ...repeats(run, composition, values, options) });
    });
  }

  return { runInCloud, runServerless, waitFor, deleteRender: (renderId) => deleteRender(renderId, services) };
}

/** What can follow a render: the same again, and one with the defaults. */
const repeats = (
  run: RemoteRenders['runInCloud'],
  composition: CompositionInfo,
  values: Values,
  options?: VideoOptions,
): Pick<RemoteRender, 'again' | 'withDefaults'> => ({
  again: () => run(composition, values, options),
  withDefaults: () => run(composition, {}, { video: options?.video }),
});

type RemoteSubject = Subject & { output: ReservedOutput } & Pick<VideoOptions, 'set' | 'video'>;

/** `job` is the job of a new render, `wait` the job that waits for a render that was started. */
type RemoteJobs = Pick<RemoteRender, 'job' | 'wait'>;

function cloudJobs(subject: RemoteSubject): RemoteJobs {
  const { path } = subject.output;
  const name = outputLabel(path);
  const common = {
    ...commonJob(subject, 'cloud'),
    title: withValues(l10n.t('Rendering {0} in the cloud', name), subject.values),
  };
  return {
    job: { ...common, cli: cloudJob(subject, path, name) },
    wait: (renderId) => ({ ...common, cli: cloudWaitJob(subject, path, renderId) }),
  };
}

function awsJobs(subject: RemoteSubject, stack: Stack): RemoteJobs {
  const { path } = subject.output;
  const title = withValues(l10n.t('Rendering {0} on AWS', outputLabel(path)), subject.values);
  const common = { ...commonJob(subject, 'serverless'), title };
  return {
    job: { ...common, cli: serverlessJob(subject, path, stack) },
    wait: (executionArn) => ({ ...common, cli: serverlessWaitJob(subject, path, executionArn, stack) }),
  };
}

type RemoteKind = 'cloud' | 'serverless';

const jobKey = ({ uri }: CompositionInfo, kind: RemoteKind): string => `${kind}:${uri}`;

function commonJob({ composition, values, output, set, video }: RemoteSubject, kind: RemoteKind) {
  const { path, wanted } = output;
  return { key: jobKey(composition, kind), name: outputLabel(path), kind, composition, values, wanted, set, video };
}

const consentKey = 'framework.mayUpload';

/** Asks for consent once per workspace, because a cloud render uploads files and costs credits. */
async function mayUpload(composition: CompositionInfo, { context }: RenderServices): Promise<boolean> {
  if (context.workspaceState.get(consentKey, false)) return true;
  const upload = l10n.t('Upload and Render');
  const chosen = await window.showInformationMessage(
    l10n.t('Render {0} in the cloud?', compositionName(composition)),
    {
      modal: true,
      detail: l10n.t(
        'The files of the project folder are uploaded to the service, except those listed in .frameworkignore. The render costs credits of your account. You are asked only once per workspace.',
      ),
    },
    upload,
  );
  if (chosen !== upload) return false;
  await context.workspaceState.update(consentKey, true);
  return true;
}
