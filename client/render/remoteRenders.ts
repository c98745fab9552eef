// Renders at the hosted service and on AWS: starts them, and waits for them again.
import { l10n, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../draftValues.ts';
import { resultOrMessage } from '../serverResult.ts';
import { deleteRender, type FollowContext, followRender, type RemoteRender } from './followRender.ts';
import type { RenderEntry } from './history.ts';
import {
  cloudJob,
  cloudWaitJob,
  type SizeChoice,
  type Stack,
  serverlessJob,
  serverlessWaitJob,
} from './jobArguments.ts';
import { folderOf, type RenderJob, type RenderJobs } from './renderJobs.ts';
import type { RenderServices } from './renderServices.ts';
import { knownStack, promptForStack } from './stackChoice.ts';

/** Both prompt for what they need once per workspace. They resolve when the video is downloaded, or when the user stops waiting. */
export type RemoteRenders = {
  runInCloud(composition: CompositionInfo, values: Values): Promise<void>;
  runServerless(composition: CompositionInfo, values: Values): Promise<void>;
  /** Waits again for the render of a history entry, and downloads the video. */
  waitFor(entry: RenderEntry): Promise<void>;
  /** Deletes a render at the service. One that is running is stopped and its credits are refunded. */
  deleteRender(renderId: string): Promise<void>;
};

export function createRemoteRenders(
  services: RenderServices,
  jobs: RenderJobs,
  renderHere: FollowContext['renderHere'],
): RemoteRenders {
  const { context, log, server, videoSize } = services;
  const follow = (render: RemoteRender) => followRender(render, { services, jobs, renderHere });

  const runInCloud: RemoteRenders['runInCloud'] = async (composition, values) => {
    if (!(await mayUpload(composition, services))) return;
    const { start, wait } = cloudJobs(composition, values, videoSize.current());
    await follow({ job: start, wait, again: () => runInCloud(composition, values) });
  };

  const runServerless: RemoteRenders['runServerless'] = async (composition, values) => {
    const stack = knownStack(context.workspaceState) ?? (await promptForStack(context.workspaceState));
    if (!stack) return;
    const { start, wait } = serverlessJobs(composition, values, videoSize.current(), stack);
    await follow({ job: start, wait, again: () => runServerless(composition, values) });
  };

  async function waitFor({ id, kind, remoteId, values, composition: uri }: RenderEntry): Promise<void> {
    const composition = await resultOrMessage(server.request('framework/composition', { uri }), log);
    if (composition === null) void window.showWarningMessage(l10n.t('{0} is no longer a composition.', uri));
    if (!composition || remoteId === undefined) return;
    const stack = knownStack(context.workspaceState) ?? { region: '', profile: '', name: '' };
    const size = videoSize.current();
    const { wait } =
      kind === 'cloud' ? cloudJobs(composition, values, size) : serverlessJobs(composition, values, size, stack);
    const again = () => (kind === 'cloud' ? runInCloud(composition, values) : runServerless(composition, values));
    await follow({ job: { ...wait(remoteId), entry: id }, wait, again });
  }

  return { runInCloud, runServerless, waitFor, deleteRender: (renderId) => deleteRender(renderId, services) };
}

/** `start` is the job of a new render, `wait` the job that waits for a render that was started. */
type RemoteJobs = { start: RenderJob; wait(remoteId: string): RenderJob };

function cloudJobs(composition: CompositionInfo, values: Values, size: SizeChoice): RemoteJobs {
  const subject = { composition, folder: folderOf(composition), values, size };
  const job = {
    key: `cloud:${composition.uri}`,
    name: composition.path,
    title: l10n.t('Rendering {0} in the cloud', composition.path),
    kind: 'cloud' as const,
    composition,
    values,
  };
  return {
    start: { ...job, cli: cloudJob(subject) },
    wait: (renderId) => ({ ...job, cli: cloudWaitJob(subject, renderId) }),
  };
}

function serverlessJobs(composition: CompositionInfo, values: Values, size: SizeChoice, stack: Stack): RemoteJobs {
  const subject = { composition, folder: folderOf(composition), values, size };
  const job = {
    key: `serverless:${composition.uri}`,
    name: composition.path,
    title: l10n.t('Rendering {0} on AWS', composition.path),
    kind: 'serverless' as const,
    composition,
    values,
  };
  return {
    start: { ...job, cli: serverlessJob(subject, stack) },
    wait: (executionArn) => ({ ...job, cli: serverlessWaitJob(subject, executionArn, stack) }),
  };
}

const consentKey = 'framework.mayUpload';

/** Asks for consent once per workspace, because a cloud render uploads files and costs credits. */
async function mayUpload(composition: CompositionInfo, { context }: RenderServices): Promise<boolean> {
  if (context.workspaceState.get(consentKey, false)) return true;
  const upload = l10n.t('Upload and Render');
  const chosen = await window.showInformationMessage(
    l10n.t('Render {0} in the cloud?', composition.path),
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
