// Renders at the hosted service and on AWS: starts them, shows their results and errors, and waits for them again.
import { commands, env, l10n, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliError } from '../cli/cliEvents.ts';
import type { Values } from '../draftValues.ts';
import { resultOrMessage } from '../serverResult.ts';
import type { RenderEntry } from './history.ts';
import { outputOf } from './historyEnd.ts';
import { cloudJob, cloudWaitJob, type Stack, serverlessJob, serverlessWaitJob } from './jobArguments.ts';
import { folderOf, type RenderJob, type RenderJobs } from './renderJobs.ts';
import { type MessageAction, offerResult, showFailure, showWithActions } from './renderResult.ts';
import type { RenderServices } from './renderServices.ts';
import { remoteFacts } from './renderText.ts';
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

type RenderHere = (composition: CompositionInfo, values: Values) => Promise<void>;

export function createRemoteRenders(services: RenderServices, jobs: RenderJobs, renderHere: RenderHere): RemoteRenders {
  const { context, log, history, now } = services;

  /** Runs a job and shows its end. `wait` creates the job that waits for the render again. */
  async function follow(
    job: RenderJob,
    wait: (remoteId: string) => RenderJob,
    again: () => Promise<void>,
  ): Promise<void> {
    const followed = await jobs.runWithProgress(job);
    if (!followed) return;
    const { id, outcome } = followed;
    const { composition, kind } = job;
    const remoteId = history.entries().find((entry) => entry.id === id)?.remoteId;
    if (outcome === 'cancelled') {
      if (remoteId === undefined) return;
      const waitAgain = () => follow({ ...wait(remoteId), entry: id }, wait, again);
      return void offerWait(job, remoteId, waitAgain);
    }
    if ('error' in outcome)
      return void showFailure(outcome.error, composition, log, actionsForError(outcome.error, job, again));
    const output = outputOf(outcome.remoteResult);
    if (output === undefined) return;
    const facts = remoteFacts(outcome.remoteResult);
    const copyId: MessageAction[] =
      remoteId === undefined ? [] : [{ title: l10n.t('Copy ID'), run: () => env.clipboard.writeText(remoteId) }];
    const file = { output, facts, warnings: outcome.warnings };
    void offerResult(file, composition, log, kind === 'serverless' ? copyId : []);
  }

  /** After the local program was cancelled: the render continues. */
  async function offerWait({ kind, name }: RenderJob, remoteId: string, wait: () => Promise<void>): Promise<void> {
    const actions: MessageAction[] = [{ title: l10n.t('Wait for Render'), run: wait }];
    if (kind === 'cloud') actions.push({ title: l10n.t('Cancel Render'), run: () => deleteRender(remoteId) });
    const message =
      kind === 'cloud'
        ? l10n.t('The render of {0} continues in the cloud.', name)
        : l10n.t('The render of {0} continues on AWS.', name);
    await showWithActions(actions, (...titles) => window.showInformationMessage(message, ...titles));
  }

  async function deleteRender(renderId: string): Promise<void> {
    const { runCliJson } = await import('../cli/runCliJson.ts');
    const cwd = context.extensionPath;
    const result = await runCliJson(services, { args: ['cloud', 'delete', renderId, '--no-confirm'], cwd });
    if ('error' in result) return void window.showErrorMessage(result.error.message);
    const entry = history.entries().find(({ remoteId }) => remoteId === renderId);
    if (entry) history.update(entry.id, { state: 'cancelled', endedAt: now() });
    log.info(`Deleted ${renderId}`);
  }

  /** Buttons for the message of an error. */
  function actionsForError(
    { code }: CliError,
    { composition, values, kind }: RenderJob,
    again: () => Promise<void>,
  ): MessageAction[] {
    if (['signed_out', 'authentication_failed', 'credentials_invalid'].includes(code))
      return [{ title: l10n.t('Sign In'), run: () => signIn(again) }];
    if (code === 'render_failed')
      return [{ title: l10n.t('Render on This Computer'), run: () => renderHere(composition, values) }];
    if (kind === 'cloud') return [];
    const changeStack: MessageAction = {
      title: l10n.t('Choose Stack…'),
      run: async () => (await promptForStack(context.workspaceState)) && again(),
    };
    if (code === 'stack_not_found') return [changeStack, copyDeploy(context.workspaceState)];
    return code.startsWith('aws_') ? [changeStack] : [];
  }

  const cloudJobOf = (composition: CompositionInfo, values: Values) => ({
    key: `cloud:${composition.uri}`,
    name: composition.path,
    title: l10n.t('Rendering {0} in the cloud', composition.path),
    kind: 'cloud' as const,
    composition,
    values,
  });
  const cloudWait = (composition: CompositionInfo, values: Values) => (id: string) => ({
    ...cloudJobOf(composition, values),
    cli: cloudWaitJob({ composition, folder: folderOf(composition) }, id),
  });
  const runInCloud: RemoteRenders['runInCloud'] = async (composition, values) => {
    if (!(await mayUpload(composition, services))) return;
    const cli = cloudJob({ composition, folder: folderOf(composition), values });
    const again = () => runInCloud(composition, values);
    await follow({ ...cloudJobOf(composition, values), cli }, cloudWait(composition, values), again);
  };

  const awsJob = (composition: CompositionInfo, values: Values) => ({
    key: `serverless:${composition.uri}`,
    name: composition.path,
    title: l10n.t('Rendering {0} on AWS', composition.path),
    kind: 'serverless' as const,
    composition,
    values,
  });
  const awsWait = (composition: CompositionInfo, values: Values, stack: Stack) => (arn: string) => ({
    ...awsJob(composition, values),
    cli: serverlessWaitJob({ composition, folder: folderOf(composition) }, arn, stack),
  });
  const runServerless: RemoteRenders['runServerless'] = async (composition, values) => {
    const stack = knownStack(context.workspaceState) ?? (await promptForStack(context.workspaceState));
    if (!stack) return;
    const cli = serverlessJob({ composition, folder: folderOf(composition), values }, stack);
    const again = () => runServerless(composition, values);
    await follow({ ...awsJob(composition, values), cli }, awsWait(composition, values, stack), again);
  };

  async function waitFor({ id, kind, remoteId, values, composition: uri }: RenderEntry): Promise<void> {
    const composition = await resultOrMessage(services.server.request('framework/composition', { uri }), log);
    if (composition === null) void window.showWarningMessage(l10n.t('{0} is no longer a composition.', uri));
    if (!composition || remoteId === undefined) return;
    const stack = knownStack(context.workspaceState) ?? { region: '', profile: '', name: '' };
    const wait = kind === 'cloud' ? cloudWait(composition, values) : awsWait(composition, values, stack);
    const again = () => (kind === 'cloud' ? runInCloud(composition, values) : runServerless(composition, values));
    await follow({ ...wait(remoteId), entry: id }, wait, again);
  }

  return { runInCloud, runServerless, waitFor, deleteRender };
}

/** Signs in and then renders again. */
async function signIn(again: () => Promise<void>): Promise<void> {
  try {
    // `authentication.getSession` finds no session until the user has allowed the extension to use it.
    if (await commands.executeCommand<boolean>('framework.signIn')) await again();
  } catch (error) {
    void window.showErrorMessage(l10n.t('The sign-in failed: {0}', `${error}`));
  }
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

function copyDeploy(memento: Parameters<typeof knownStack>[0]): MessageAction {
  return {
    title: l10n.t('Copy Deploy Command'),
    run: () => env.clipboard.writeText(deployCommand(knownStack(memento))),
  };
}

/** A stack is created in a terminal, because the extension does not contain the Lambda package. */
function deployCommand(stack: Stack | undefined): string {
  const given = { region: stack?.region, profile: stack?.profile, 'stack-name': stack?.name };
  const options = Object.entries(given).flatMap(([name, value]) => (value ? [`--${name} ${value}`] : []));
  return ['framework serverless deploy', ...options].join(' ');
}
