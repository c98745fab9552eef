// Asks the user to confirm before a command changes something.
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../renderer-core/errors.ts';
import type { CliIo } from './command.ts';

/**
 * Asks on stderr, because stdout is for the result. `otherwise`: the command that needs no confirmation. Throws UserError
 * `usage` without a terminal.
 */
export async function askYesNo(question: string, io: CliIo, otherwise: string): Promise<boolean> {
  const { stdin } = io;
  if (!stdin.isTTY || !io.stderr.isTTY) {
    throw new UserError('usage', 'This command asks for confirmation, but there is no terminal to ask on', {
      hint: `To skip the question: ${otherwise}`,
    });
  }
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: stdin as unknown as Readable,
    output: io.stderr as unknown as Writable,
    signal: io.signal,
  });
  return answer === true;
}
