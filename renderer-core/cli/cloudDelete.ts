// `framework cloud delete`: takes a render away, after asking.
import type { Readable, Writable } from 'node:stream';
import { deleteCloudRender } from '../cloud/renders.ts';
import { UserError } from '../errors.ts';
import { requireRenderId } from './cloudGet.ts';
import type { CliIo, CommandInput } from './command.ts';
import { serviceClient } from './serviceClient.ts';

/** Throws UserError; the status is 0 otherwise. */
export async function runCloudDelete(input: CommandInput, io: CliIo): Promise<number> {
  const { switches } = input;
  const renderId = requireRenderId(input, 'delete');
  if (!switches.has('no-confirm')) await confirmDeletion(renderId, io);
  await deleteCloudRender(serviceClient(io), renderId, { signal: io.signal });
  const isJson = switches.has('json');
  io.stdout.write(isJson ? `${JSON.stringify({ render_id: renderId, deleted: true })}\n` : `${renderId} is deleted\n`);
  return 0;
}

/** The question goes to standard error: standard output is for the result. */
async function confirmDeletion(renderId: string, io: CliIo): Promise<void> {
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new UserError('usage', `cloud delete asks before it deletes, and there is nobody to ask`, {
      hint: `Without a terminal: framework cloud delete ${renderId} --no-confirm`,
    });
  }
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: `Delete the render ${renderId}? Its video can no longer be fetched.`,
    initialValue: false,
    input: io.stdin as unknown as Readable,
    output: io.stderr as unknown as Writable,
    signal: io.signal,
  });
  if (answer !== true) throw new UserError('cancelled', 'Nothing was deleted.');
}
