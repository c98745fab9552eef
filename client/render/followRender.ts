// Follows a render at the hosted service or on AWS: shows its result or error, and offers what the user can do next.
import { commands, env, type LogOutputChannel, l10n, type Memento, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { offerInAccountsMenu } from '../account/accountsMenu.ts';
import type { CliError } from '../cli/cliEvents.ts';
import { runCliJson } from '../cli/runCliJson.ts';
import type { Values } from '../compositions/draftValues.ts';
import type { JobResult } from './cliJob.ts';
import { outputOf } from './historyEnd.ts';
import type { Stack } from './jobArguments.ts';
import type { RenderJob, RenderJobs } from './renderJobs.ts';
import { defaultsAction, type MessageAction, offerResult, showFailure, showWithActions } from './renderResult.ts';
import type { RenderServices } from './renderServices.ts';
import { remoteFacts } from './renderText.ts';
import { knownStack, promptForStack } from './stackChoice.ts';

export type RemoteRender = {
  job: RenderJob;
  /** The job that waits again for the render. */
  wait(remoteId: string): RenderJob;
  /** Starts the render again, for example after the user has signed in. */
  again(): Promise<void>;
  /** Starts another render, with the defaults. */
  withDefaults(): Promise<void>;
};

export type FollowContext = {
  services: RenderServices;
  jobs: RenderJobs;
  /** Renders on this computer. */
  renderHere(composition: CompositionInfo, values: Values): Promise<void>;
};

/** Runs the job of a render and shows how it ended. Resolves to false when the render continues without this program. */
export async function followRender(render: RemoteRender, context: FollowContext): Promise<boolean> {
  const { services, jobs } = context;
  const { job } = render;
  const finished = await jobs.runWithProgress(job);
  if (!finished) return true;
  const { id, outcome } = finished;
  const remoteId = services.history.entries().find((entry) => entry.id === id)?.remoteId;
  if (outcome === 'cancelled') {
    if (remoteId !== undefined) void offerWait(render, { id, remoteId }, context);
    return remoteId === undefined;
  } else if ('error' in outcome) {
    if (outcome.error.code === 'signed_out') offerInAccountsMenu();
    void showFailure(outcome.error, job.composition, services.log, actionsForError(outcome.error, render, context));
  } else {
    offerVideo(outcome, render, remoteId, services.log);
  }
  return true;
}

/** After the local program was cancelled: the render continues. */
async function offerWait(
  { job, wait, again, withDefaults }: RemoteRender,
  { id, remoteId }: { id: string; remoteId: string },
  context: FollowContext,
): Promise<void> {
  const { kind, name } = job;
  const waitAgain = () => followRender({ job: { ...wait(remoteId), entry: id }, wait, again, withDefaults }, context);
  const actions: MessageAction[] = [{ title: l10n.t('Wait for Render'), run: waitAgain }];
  if (kind === 'cloud')
    actions.push({ title: l10n.t('Cancel Render'), run: () => deleteRender(remoteId, context.services) });
  const message =
    kind === 'cloud'
      ? l10n.t('The render of {0} continues in the cloud.', name)
      : l10n.t('The render of {0} continues on AWS.', name);
  await showWithActions(actions, (...titles) => window.showInformationMessage(message, ...titles));
}

function offerVideo(
  { remoteResult, warnings }: JobResult,
  { job: { kind, composition, values }, withDefaults }: RemoteRender,
  remoteId: string | undefined,
  log: LogOutputChannel,
): void {
  const output = outputOf(remoteResult);
  if (output === undefined) return;
  const actions: MessageAction[] = defaultsAction(values, withDefaults);
  if (kind === 'serverless' && remoteId !== undefined)
    actions.push({ title: l10n.t('Copy ID'), run: () => env.clipboard.writeText(remoteId) });
  void offerResult({ output, facts: remoteFacts(remoteResult), values, warnings }, composition, log, actions);
}

/** Deletes a render at the service. One that is running is stopped and its credits are refunded. */
export async function deleteRender(renderId: string, services: RenderServices): Promise<void> {
  const { context, history, log, now } = services;
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
  { job: { composition, values, kind }, again }: RemoteRender,
  { services, renderHere }: FollowContext,
): MessageAction[] {
  if (['signed_out', 'authentication_failed', 'credentials_invalid'].includes(code))
    return [{ title: l10n.t('Sign In'), run: () => signIn(again) }];
  if (code === 'render_failed')
    return [{ title: l10n.t('Render on This Computer'), run: () => renderHere(composition, values) }];
  if (kind === 'cloud') return [];
  const { workspaceState } = services.context;
  const changeStack: MessageAction = {
    title: l10n.t('Choose AWS Stack…'),
    run: async () => (await promptForStack(workspaceState)) && again(),
  };
  if (code === 'stack_not_found') return [changeStack, copyDeploy(workspaceState)];
  return code.startsWith('aws_') ? [changeStack] : [];
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

function copyDeploy(memento: Memento): MessageAction {
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
