// Reads a secret: with a hidden prompt on a terminal, otherwise from the only line of stdin.
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../renderer-core/errors.ts';
import type { CliIo } from './command.ts';

const maxBytes = 64 * 1024;

export type Secret = {
  /** Shown in the prompt and in messages. */
  name: string;
  /** Hints for a terminal and for a pipe. */
  hints: { terminal: string; pipe: string };
};

export const apiKeySecret: Secret = {
  name: 'API key',
  hints: {
    terminal: 'Paste the key and press Enter.',
    pipe: 'Pass only the key: framework auth login --api-key < key.txt',
  },
};

export const passwordSecret: Secret = {
  name: 'password',
  hints: {
    terminal: 'Type the password and press Enter.',
    pipe: 'Pass only the password, on one line: framework serve account add --email ann@example.com < password.txt',
  },
};

export const newPasswordSecret: Secret = {
  name: 'new password',
  hints: {
    terminal: 'Type the password and press Enter.',
    pipe: 'Pass only the password, on one line: framework serve account password --email ann@example.com < password.txt',
  },
};

/** Leading and trailing spaces belong to the secret; blank lines do not. Throws UserError `usage` or `cancelled`. */
export async function readSecret(secret: Secret, io: CliIo): Promise<string> {
  const { isTTY } = io.stdin;
  const text = (isTTY ? await ask(secret, io) : await readAll(secret, io)).replace(/^[\r\n]+|[\r\n]+$/g, '');
  const from = isTTY ? '' : ' on stdin';
  const hint = isTTY ? secret.hints.terminal : secret.hints.pipe;
  if (text.trim() === '') throw new UserError('usage', `no ${secret.name} was given${from}`, { hint });
  if (/[\r\n]/.test(text)) throw new UserError('usage', `more than one line was given${from}`, { hint });
  return text;
}

/** Prompts on stderr, because stdout is for the result. */
async function ask({ name }: Secret, io: CliIo): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({
    message: `${name} (hidden)`,
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
    if (size > maxBytes) throw new UserError('usage', `the input is too long for a ${name}`);
    chunks.push(bytes);
  }
  if (signal.aborted) throw new UserError('cancelled', 'Nothing was stored.');
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
