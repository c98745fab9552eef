// Asks before something is made, changed or taken away.
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../errors.ts';
import type { CliIo } from './command.ts';

/** The question goes to standard error: standard output is for the result. Throws UserError `usage` where nobody can answer. */
export async function askYesNo(question: string, io: CliIo, otherwise: string): Promise<boolean> {
  const stdin = io.stdin as CliIo['stdin'] & { isTTY?: boolean };
  if (!stdin.isTTY || !io.stderr.isTTY) {
    throw new UserError('usage', 'This asks before it goes on, and there is nobody to ask', {
      hint: `Without a terminal: ${otherwise}`,
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
