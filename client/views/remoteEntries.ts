// Updates the history entries of remote renders that an earlier window of this workspace started.
import { runCliJson } from '../cli/runCliJson.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { RenderEntry } from '../render/history.ts';
import { stackArgs, stackOf } from '../render/jobArguments.ts';
import { knownStack } from '../render/stackChoice.ts';
import type { CloudList, CloudRecord } from './cloudList.ts';
import { type Execution, entryChange, executionChange } from './remoteChange.ts';

export type RemoteEntries = { areRunning(): boolean; update(list: CloudList | undefined): Promise<void> };

export function createRemoteEntries(services: ExtensionServices): RemoteEntries {
  const { context, history, renders, now, log } = services;
  const isUnobserved = ({ id, state, remoteId }: RenderEntry) =>
    state === 'running' && remoteId !== undefined && !renders.jobs.has(id);
  const unobserved = () => history.entries().filter(isUnobserved);

  async function updateCloud(id: string, remoteId: string, list: CloudList | undefined): Promise<void> {
    const known = list?.records.find((record) => record.render_id === remoteId);
    if (known) return history.update(id, entryChange(known, now()));
    const args = ['cloud', 'get', remoteId];
    const result = await runCliJson<CloudRecord>(services, { args, cwd: services.extensionPath });
    if ('value' in result) history.update(id, entryChange(result.value, now()));
    else if (result.error.code === 'framework_render_not_found')
      history.update(id, { state: 'cancelled', endedAt: now() }, result.error.message);
    else log.warn(`The state of ${remoteId} could not be read: ${result.error.message}`);
  }
  /** The region comes from the ARN, the AWS profile from the workspace. */
  async function updateAws(id: string, arn: string): Promise<void> {
    const args = ['serverless', 'progress', arn, ...stackArgs(stackOf(arn, knownStack(context.workspaceState)))];
    const result = await runCliJson<Execution>(services, { args, cwd: services.extensionPath });
    const execution = 'value' in result ? result.value : result.printed;
    if (execution?.status) history.update(id, executionChange(execution, now()));
    else if ('error' in result) log.warn(`The state of ${arn} could not be read: ${result.error.message}`);
  }
  return {
    areRunning: () => unobserved().length > 0,
    async update(list) {
      for (const { id, kind, remoteId = '' } of unobserved()) {
        if (kind === 'cloud' && list) await updateCloud(id, remoteId, list);
        if (kind === 'serverless') await updateAws(id, remoteId);
      }
    },
  };
}
