// Renders by the hosted service and on AWS: what came of them, what stands in their way, and how to wait for them again.
import { commands, env, l10n, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliError } from '../cli/cliEvents.ts';
import type { RenderTools } from '../tools.ts';
import type { Values } from '../values.ts';
import type { RenderEntry } from './history.ts';
import { outputOf } from './historyEnd.ts';
import { cloudJob, cloudWaitJob, type Stack, serverlessJob, serverlessWaitJob } from './jobs.ts';
import { remoteFacts } from './remoteText.ts';
import { choose, offerResult, showFailure, type Way } from './renderResult.ts';
import { askStack, knownStack } from './stackChoice.ts';
import { folderOf, type UnderWay, type Work } from './underWay.ts';

/** Both ask, the first time in a workspace, for what they need; they end when the video is there, or nobody waits for it. */
export type RemoteRenders = {
  runInCloud(composition: CompositionInfo, values: Values): Promise<void>;
  runServerless(composition: CompositionInfo, values: Values): Promise<void>;
  /** Waits again for what an entry of the history tells to be elsewhere, and brings the video. */
  waitFor(entry: RenderEntry): Promise<void>;
  /** Takes a render of the service back: it is stopped, what was held for it is given back. */
  deleteRender(renderId: string): Promise<void>;
};

type RenderHere = (composition: CompositionInfo, values: Values) => Promise<void>;

export function createRemoteRenders(tools: RenderTools, underWay: UnderWay, renderHere: RenderHere): RemoteRenders {
  const { context, log, history } = tools;

  /** Follows it to its end; `wait` makes the work that waits for it again. */
  async function follow(work: Work, wait: (remoteId: string) => Work, again: () => Promise<void>): Promise<void> {
    const followed = await underWay.follow(work);
    if (!followed) return;
    const { id, outcome } = followed;
    const { composition, kind } = work;
    const remoteId = history.entries().find((entry) => entry.id === id)?.remoteId;
    if (outcome === 'cancelled') {
      if (remoteId === undefined) return;
      const waitAgain = () => follow({ ...wait(remoteId), entry: id }, wait, again);
      return void offerWait(work, remoteId, waitAgain);
    }
    if ('error' in outcome)
      return void showFailure(outcome.error, composition, log, waysOut(outcome.error, work, again));
    const output = outputOf(outcome.answer);
    if (output === undefined) return;
    const facts = remoteFacts(outcome.answer);
    const copyId: Way[] =
      remoteId === undefined ? [] : [{ title: l10n.t('Copy ID'), go: () => env.clipboard.writeText(remoteId) }];
    const made = { output, facts, warnings: outcome.warnings };
    void offerResult(made, composition, log, kind === 'serverless' ? copyId : []);
  }

  /** The program has ended, the render has not. */
  async function offerWait({ kind, name }: Work, remoteId: string, wait: () => Promise<void>): Promise<void> {
    const ways: Way[] = [{ title: l10n.t('Wait for It'), go: wait }];
    if (kind === 'cloud') ways.push({ title: l10n.t('Cancel It'), go: () => deleteRender(remoteId) });
    const message =
      kind === 'cloud'
        ? l10n.t('The render of {0} goes on at the service.', name)
        : l10n.t('The render of {0} goes on on AWS.', name);
    await choose(ways, (...titles) => window.showInformationMessage(message, ...titles));
  }

  async function deleteRender(renderId: string): Promise<void> {
    const { askCli } = await import('../cli/askCli.ts');
    const cwd = context.extensionPath;
    const answer = await askCli(tools, { args: ['cloud', 'delete', renderId, '--no-confirm'], cwd });
    if ('error' in answer) return void window.showErrorMessage(answer.error.message);
    const entry = history.entries().find(({ remoteId }) => remoteId === renderId);
    if (entry) history.update(entry.id, { state: 'cancelled', endedAt: Date.now() });
    log.info(`Deleted ${renderId}`);
  }

  /** What can be done about an error beside reading it. */
  function waysOut({ code }: CliError, { composition, values, kind }: Work, again: () => Promise<void>): Way[] {
    if (['signed_out', 'authentication_failed', 'credentials_invalid'].includes(code))
      return [{ title: l10n.t('Sign In'), go: () => signIn(again) }];
    if (code === 'render_failed') return [{ title: l10n.t('Render Here'), go: () => renderHere(composition, values) }];
    if (kind === 'cloud') return [];
    const changeStack: Way = {
      title: l10n.t('Choose Stack…'),
      go: async () => (await askStack(context.workspaceState)) && again(),
    };
    if (code === 'stack_not_found') return [changeStack, copyDeploy(context.workspaceState)];
    return code.startsWith('aws_') ? [changeStack] : [];
  }

  const cloudWork = (composition: CompositionInfo, values: Values) => ({
    key: `cloud:${composition.uri}`,
    name: composition.path,
    title: l10n.t('Rendering {0} in the cloud', composition.path),
    kind: 'cloud' as const,
    composition,
    values,
  });
  const cloudWait = (composition: CompositionInfo, values: Values) => (id: string) => ({
    ...cloudWork(composition, values),
    job: cloudWaitJob({ composition, folder: folderOf(composition) }, id),
  });
  const runInCloud: RemoteRenders['runInCloud'] = async (composition, values) => {
    if (!(await mayUpload(composition, tools))) return;
    const job = cloudJob({ composition, folder: folderOf(composition), values });
    const again = () => runInCloud(composition, values);
    await follow({ ...cloudWork(composition, values), job }, cloudWait(composition, values), again);
  };

  const awsWork = (composition: CompositionInfo, values: Values) => ({
    key: `serverless:${composition.uri}`,
    name: composition.path,
    title: l10n.t('Rendering {0} on AWS', composition.path),
    kind: 'serverless' as const,
    composition,
    values,
  });
  const awsWait = (composition: CompositionInfo, values: Values, stack: Stack) => (arn: string) => ({
    ...awsWork(composition, values),
    job: serverlessWaitJob({ composition, folder: folderOf(composition) }, arn, stack),
  });
  const runServerless: RemoteRenders['runServerless'] = async (composition, values) => {
    const stack = knownStack(context.workspaceState) ?? (await askStack(context.workspaceState));
    if (!stack) return;
    const job = serverlessJob({ composition, folder: folderOf(composition), values }, stack);
    const again = () => runServerless(composition, values);
    await follow({ ...awsWork(composition, values), job }, awsWait(composition, values, stack), again);
  };

  async function waitFor({ id, kind, remoteId, values, composition: uri }: RenderEntry): Promise<void> {
    const composition = await tools.server.ask('framework/composition', { uri }).catch(() => null);
    if (!composition || remoteId === undefined) return;
    const stack = knownStack(context.workspaceState) ?? { region: '', profile: '', name: '' };
    const wait = kind === 'cloud' ? cloudWait(composition, values) : awsWait(composition, values, stack);
    const again = () => (kind === 'cloud' ? runInCloud(composition, values) : runServerless(composition, values));
    await follow({ ...wait(remoteId), entry: id }, wait, again);
  }

  return { runInCloud, runServerless, waitFor, deleteRender };
}

/** Goes on with the render once somebody has signed in. */
async function signIn(again: () => Promise<void>): Promise<void> {
  try {
    // Not asked of the editor's sessions: it tells of none before the user has let the extension see them.
    if (await commands.executeCommand<boolean>('framework.signIn')) await again();
  } catch (error) {
    void window.showErrorMessage(l10n.t('Signing in did not work: {0}', `${error}`));
  }
}

const consentKey = 'framework.mayUpload';

/** Asked once in a workspace: files leave this machine, and credits are spent. */
async function mayUpload(composition: CompositionInfo, { context }: RenderTools): Promise<boolean> {
  if (context.workspaceState.get(consentKey, false)) return true;
  const upload = l10n.t('Upload and Render');
  const chosen = await window.showInformationMessage(
    l10n.t('Render {0} in the cloud?', composition.path),
    {
      modal: true,
      detail: l10n.t(
        'The files of the project folder are uploaded to the service, but for what .frameworkignore names, and the render costs credits of your account. This is asked once in a workspace.',
      ),
    },
    upload,
  );
  if (chosen !== upload) return false;
  await context.workspaceState.update(consentKey, true);
  return true;
}

function copyDeploy(memento: Parameters<typeof knownStack>[0]): Way {
  return {
    title: l10n.t('Copy Deploy Command'),
    go: () => env.clipboard.writeText(deployCommand(knownStack(memento))),
  };
}

/** The stack is made from a terminal: its function's package is no part of the extension. */
function deployCommand(stack: Stack | undefined): string {
  const given = { region: stack?.region, profile: stack?.profile, 'stack-name': stack?.name };
  const options = Object.entries(given).flatMap(([name, value]) => (value ? [`--${name} ${value}`] : []));
  return ['framework serverless deploy', ...options].join(' ');
}
