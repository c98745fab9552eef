// Terminal colors.
import picocolors from 'picocolors';
import type { CliStream } from '../command.ts';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colors are on for a terminal unless NO_COLOR is set. FORCE_COLOR turns them on for every stream, and `0` off. */
export function colorsFor(stream: CliStream, env: NodeJS.ProcessEnv): Colors {
  return picocolors.createColors(wantsColor(stream, env));
}

function wantsColor(stream: CliStream, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
