// Renders that an earlier window of this workspace started elsewhere: they went on, and their entries follow them here.
import { askCli } from '../cli/askCli.ts';
import type { RenderEntry } from '../render/history.ts';
import { stackArgs, stackOf } from '../render/jobs.ts';
import { knownStack } from '../render/stackChoice.ts';
import type { Tools } from '../tools.ts';
import type { CloudList, CloudRecord } from './cloudList.ts';
import { type Execution, entryChange, executionChange } from './remoteChange.ts';

export type RemoteEntries = { areRunning(): boolean; ask(list: CloudList | undefined): Promise<void> };

/** Made before this window has started anything. */
export function createRemoteEntries(tools: Tools): RemoteEntries {
  const { context, history, renders } = tools;
  const isAlone = ({ id, state, remoteId }: RenderEntry) =>
    state === 'running' && remoteId !== undefined && !renders.underWay.has(id);
  const followed = () => history.entries().filter(isAlone);

  async function askCloud(id: string, remoteId: string, list: CloudList | undefined): Promise<void> {
    const known = list?.records.find((record) => record.render_id === remoteId);
    if (known) return history.update(id, entryChange(known));
    const args = ['cloud', 'get', remoteId];
    const answer = await askCli<CloudRecord>(tools, { args, cwd: tools.extensionPath });
    if ('answer' in answer) history.update(id, entryChange(answer.answer));
    else if (answer.error.code === 'framework_render_not_found')
      history.update(id, { state: 'cancelled', endedAt: Date.now() }, answer.error.message);
  }
  /** The ARN says in which region the execution is, the workspace with whose keys it may be asked about. */
  async function askAws(id: string, arn: string): Promise<void> {
    const args = ['serverless', 'progress', arn, ...stackArgs(stackOf(arn, knownStack(context.workspaceState)))];
    const answer = await askCli<Execution>(tools, { args, cwd: tools.extensionPath });
    const execution = 'answer' in answer ? answer.answer : answer.printed;
    if (execution?.status) history.update(id, executionChange(execution));
    else if ('error' in answer) tools.log.debug(`${arn}: ${answer.error.message}`);
  }
  return {
    areRunning: () => followed().length > 0,
    async ask(list) {
      for (const { id, kind, remoteId = '' } of followed()) {
        if (kind === 'cloud' && list) await askCloud(id, remoteId, list);
        if (kind === 'serverless') await askAws(id, remoteId);
      }
    },
  };
}
