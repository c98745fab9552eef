// What no other machine takes part in: renders that are refused wherever a render is spread over many.
import { UserError } from '../errors.ts';

/** Throws UserError `usage` for HDR video and folders of frames. */
export function refuseLocalOnly({ hdr, format }: { hdr?: boolean; format?: string }): void {
  if (hdr) throw localOnly('HDR video');
  if (format === 'png') throw localOnly('A folder of frames');
}

function localOnly(what: string): UserError {
  return new UserError('usage', `${what} is rendered on one machine alone`, {
    hint: 'Render it with framework render.',
  });
}
