// `framework cloud delete`: deletes a render after asking.
import { deleteCloudRender } from '../../../cloud/client/accountRenders.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { askYesNo } from '../../confirm.ts';
import { serviceClient } from '../../serviceClient.ts';
import { requireRenderId } from './cloudGet.ts';

/** Returns 0; throws UserError. */
export async function runCloudDelete(input: CommandInput, io: CliIo): Promise<number> {
  const { flags } = input;
  const renderId = requireRenderId(input, 'delete');
  const question = `Delete the render ${renderId} and its video?`;
  const isConfirmed =
    flags.has('no-confirm') || (await askYesNo(question, io, `framework cloud delete ${renderId} --no-confirm`));
  if (!isConfirmed) throw new UserError('cancelled', 'The render was not deleted.');
  await deleteCloudRender(serviceClient(io), renderId, { signal: io.signal });
  const isJson = flags.has('json');
  io.stdout.write(isJson ? `${JSON.stringify({ render_id: renderId, deleted: true })}\n` : `Deleted ${renderId}\n`);
  return 0;
}
