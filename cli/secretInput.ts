// Reads a secret: asked for on a terminal without showing what is typed, else the one line of standard input.
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../errors.ts';
import type { CliIo } from './command.ts';

const longest = 64 * 1024;

export type Secret = {
  /** For the question and for messages. */
  name: string;
  /** What to do on a terminal, and with a pipe. */
  hints: { terminal: string; pipe: string };
};

export const apiKeySecret: Secret = {
  name: 'API key',
  hints: {
    terminal: 'Paste the key and press Enter.',
    pipe: 'Give the key alone, as in: framework auth login --api-key < key.txt',
  },
};

export const passwordSecret: Secret = {
  name: 'password',
  hints: {
    terminal: 'Type the password and press Enter.',
    pipe: 'Give the password alone, on one line, as in: framework serve account add --email ann@example.com < password.txt',
  },
};

/** Spaces around it are part of it; blank lines are not. Throws UserError `usage` or `cancelled`. */
export async function readSecret(secret: Secret, io: CliIo): Promise<string> {
  const { isTTY } = io.stdin;
  const text = (isTTY ? await ask(secret, io) : await readAll(secret, io)).replace(/^[\r\n]+|[\r\n]+$/g, '');
  const from = isTTY ? '' : ' on standard input';
  const hint = isTTY ? secret.hints.terminal : secret.hints.pipe;
  if (text.trim() === '') throw new UserError('usage', `there is no ${secret.name}${from}`, { hint });
  if (/[\r\n]/.test(text)) throw new UserError('usage', `there is more than one line${from}`, { hint });
  return text;
}

/** The question goes to standard error: standard output is for the result. */
async function ask({ name }: Secret, io: CliIo): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({
    message: `${name} (it is not shown)`,
    input: io.stdin as unknown as Readable,
    output: io.stderr as unknown as Writable,
    signal: io.signal,
  });
  if (isCancel(answer)) throw new UserError('cancelled', 'Nothing was stored.');
  return answer ?? '';
}

async function readAll({ name }: Secret, { stdin, signal }: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    if (signal.aborted) break;
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > longest) throw new UserError('usage', `what is on standard input is too long for the ${name}`);
    chunks.push(bytes);
  }
  if (signal.aborted) throw new UserError('cancelled', 'Nothing was stored.');
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
