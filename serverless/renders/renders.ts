// Lists, cancels and resumes renders.
import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  type ExecutionStatus,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  type SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';
import type { Bucket } from '../bucket.ts';
import { keys } from '../keys.ts';
import type { ExecutionInput } from './execution.ts';
import type { ListedRender, RenderHandle } from './reports.ts';

/** Limit of Step Functions for one page. */
const maxPage = 1000;

/** Newest first. Throws UserError of AWS. */
export async function listRenders(
  client: SFNClient,
  stateMachineArn: string,
  { limit, status }: { limit: number; status?: ListedRender['status'] },
): Promise<ListedRender[]> {
  const found: ListedRender[] = [];
  let nextToken: string | undefined;
  do {
    const statusFilter = status as ExecutionStatus | undefined;
    const maxResults = Math.min(maxPage, limit - found.length);
    const page = await withAws('Listing the renders', () =>
      client.send(new ListExecutionsCommand({ stateMachineArn, statusFilter, maxResults, nextToken })),
    );
    for (const { name, executionArn, status, startDate, stopDate } of page.executions ?? [])
      found.push({
        renderId: name ?? '',
        executionArn: executionArn ?? '',
        status: status as ListedRender['status'],
        startedAt: startDate?.toISOString() ?? '',
        endedAt: stopDate?.toISOString() ?? null,
      });
    nextToken = page.nextToken;
  } while (nextToken !== undefined && found.length < limit);
  return found;
}

/** Throws UserError `execution_not_found`. */
export async function describeRender(client: SFNClient, executionArn: string): Promise<DescribeExecutionOutput> {
  try {
    return await withAws('Reading the status of the render', () =>
      client.send(new DescribeExecutionCommand({ executionArn })),
    );
  } catch (error) {
    const { cause } = error as { cause?: Error };
    if (cause?.name !== 'ExecutionDoesNotExist' && cause?.name !== 'InvalidArn') throw error;
    throw new UserError('execution_not_found', `The render ${executionArn} does not exist`, {
      hint: 'Use the render id or the execution ARN that the render command printed. AWS deletes executions after 90 days.',
      cause,
    });
  }
}

/** Workers that have already begun a chunk finish it. Throws UserError `execution_not_found` or `render_ended`. */
export async function cancelRender(client: SFNClient, executionArn: string): Promise<{ renderId: string }> {
  const { name = '', status } = await describeRender(client, executionArn);
  if (status !== 'RUNNING')
    throw new UserError('render_ended', `The render ${name} has already ended with the status ${status}`);
  await withAws('Cancelling the render', () =>
    client.send(new StopExecutionCommand({ executionArn, error: 'Cancelled', cause: 'The render was cancelled.' })),
  );
  return { renderId: name };
}

/**
 * Continues at the step that failed, with the code that the render started with. Finished chunks are used again. Throws UserError
 * `execution_not_found` or `render_not_resumable`.
 */
export async function resumeRender(
  client: SFNClient,
  executionArn: string,
  open: (bucket: string) => Bucket,
): Promise<RenderHandle> {
  const { name = '', status, input = '{}' } = await describeRender(client, executionArn);
  if (status === 'RUNNING' || status === 'SUCCEEDED')
    throw notResumable(name, `it has the status ${status}`, `To see it: framework serverless progress ${name}`);
  const { bucket: bucketName, siteId, outputKey } = JSON.parse(input) as ExecutionInput;
  const site = await withAws('Reading the project', () => open(bucketName).size(keys.site(siteId)));
  if (site === undefined) throw notResumable(name, `its site ${siteId} was deleted`, startAgain);
  try {
    await withAws('Resuming the render', () => client.send(new RedriveExecutionCommand({ executionArn })));
  } catch (error) {
    const { cause } = error as { cause?: Error };
    if (cause?.name !== 'ExecutionNotRedrivable') throw error;
    throw notResumable(name, `AWS does not allow it (${cause.message})`, startAgain, cause);
  }
  return { renderId: name, executionArn, bucketName, outputKey };
}

const startAgain = 'Start it again with framework serverless render.';

const notResumable = (name: string, why: string, hint: string, cause?: Error): UserError =>
  new UserError('render_not_resumable', `The render ${name} cannot be resumed: ${why}`, { hint, cause });
