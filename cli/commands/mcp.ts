// `framework mcp`: runs an MCP server on stdin and stdout until the client disconnects.

import type { Readable, Writable } from 'node:stream';
import manifest from '../../package.json' with { type: 'json' };
import { given } from '../../renderer-core/model/variables/given.ts';
import { featuresOption } from '../../renderer-core/page/features/features.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { clock } from '../engine.ts';
import { serveMcp } from '../mcp/serveMcp.ts';

/** Returns 0; throws UserError. */
export async function runMcp({ positionals, values }: CommandInput, io: CliIo): Promise<number> {
  // Packages must not print to stdout, because it carries the protocol.
  console.log = console.error;
  await serveMcp({
    folders: positionals,
    version: manifest.version,
    surroundings: { ...clock, env: io.env },
    stdin: io.stdin as unknown as Readable,
    stdout: io.stdout as unknown as Writable,
    log: (line) => void io.stderr.write(`${line}\n`),
    signal: io.signal,
    programs: {
      ...given({
        browserPath: values.get('browser'),
        ffmpegPath: values.get('ffmpeg'),
        network: values.get('network') === 'public' ? ('public' as const) : undefined,
      }),
      ...featuresOption(io.env),
    },
  });
  return 0;
}
