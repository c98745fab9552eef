// Videos and images on standard output: there, nothing else may be printed.
import { fstatSync, writeSync } from 'node:fs';
import { UserError } from '../../renderer-core/errors.ts';
import { isStandardOutput } from '../../renderer-core/project/output/outputPath.ts';
import type { WriteBytes } from '../../renderer-core/project/output/outputStream.ts';
import type { CliIo, CliStream, CommandInput } from '../command.ts';

/** Whether `--output` is standard output. Throws UserError `usage` if `--json` would be printed there too. */
export function writesToStdout({ values, flags }: CommandInput): boolean {
  if (!isStandardOutput(values.get('output'))) return false;
  if (!flags.has('json')) return true;
  throw new UserError('usage', '--json cannot be combined with -o -: both are written to standard output', {
    hint: 'Set --output to a file, or leave out --json.',
  });
}

/** Where a command prints its report. */
export const reportStream = (input: CommandInput, { stdout, stderr }: Pick<CliIo, 'stdout' | 'stderr'>): CliStream =>
  isStandardOutput(input.values.get('output')) ? stderr : stdout;

/** Writes to this process's standard output. Rejects with EPIPE when its reader has closed it. */
export function createStdoutWriter(stream: typeof process.stdout): WriteBytes {
  // Node ignores when a file accepts only a part of the data.
  const isFile = (): boolean => {
    const info = fstatSync(stream.fd);
    return info.isFile() || info.isCharacterDevice();
  };
  return async (data) => {
    if (!stream.isTTY && isFile()) return writeFully(stream.fd, data);
    await new Promise<void>((resolve, reject) => {
      stream.write(data, (error) => (error ? reject(error) : resolve()));
    });
  };
}

function writeFully(file: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(file, data, done);
}
