// `framework mcp`: serves agents over standard input and output until their program goes.
import type { Readable, Writable } from 'node:stream';
import manifest from '../../package.json' with { type: 'json' };
import { serveMcp } from '../mcp/serveMcp.ts';
import type { CliIo, CommandInput } from './command.ts';

/** Throws UserError; the status is 0 otherwise. */
export async function runMcp({ positionals, values }: CommandInput, io: CliIo): Promise<number> {
  const browserPath = values.get('browser');
  const ffmpegPath = values.get('ffmpeg');
  // Standard output is the protocol's: what a package prints must not get into it.
  console.log = console.error;
  await serveMcp({
    folders: positionals,
    version: manifest.version,
    stdin: io.stdin as unknown as Readable,
    stdout: io.stdout as unknown as Writable,
    log: (line) => void io.stderr.write(`${line}\n`),
    signal: io.signal,
    ...(browserPath === undefined ? {} : { browserPath }),
    ...(ffmpegPath === undefined ? {} : { ffmpegPath }),
  });
  return 0;
}
