// Reads a secret: asked for on a terminal without showing what is typed, else the one line of standard input.
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../errors.ts';
import type { CliIo } from './command.ts';

const longest = 64 * 1024;

/** `what` is the secret's name, for the question and for messages. Throws UserError `usage` or `cancelled`. */
export async function readSecret(what: string, io: CliIo): Promise<string> {
  const text = (io.stdin.isTTY ? await ask(what, io) : await readAll(what, io)).trim();
  const from = io.stdin.isTTY ? '' : ' on standard input';
  if (text === '') throw new UserError('usage', `there is no ${what}${from}`, { hint: hint(io) });
  if (/[\r\n]/.test(text)) throw new UserError('usage', `there is more than one line${from}`, { hint: hint(io) });
  return text;
}

function hint({ stdin }: CliIo): string {
  return stdin.isTTY
    ? 'Paste the key and press Enter.'
    : 'Give the key alone, as in: framework auth login --api-key < key.txt';
}

/** The question goes to standard error: standard output is for the result. */
async function ask(what: string, io: CliIo): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({
    message: `${what} (it is not shown)`,
    input: io.stdin as unknown as Readable,
    output: io.stderr as unknown as Writable,
    signal: io.signal,
  });
  if (isCancel(answer)) throw new UserError('cancelled', 'Nothing was stored.');
  return answer ?? '';
}

async function readAll(what: string, { stdin, signal }: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    if (signal.aborted) break;
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > longest) throw new UserError('usage', `standard input is too long to be an ${what}`);
    chunks.push(bytes);
  }
  if (signal.aborted) throw new UserError('cancelled', 'Nothing was stored.');
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
