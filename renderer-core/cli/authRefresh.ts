// `framework auth refresh`: new tokens now, so that none runs out in the middle of a long job.
import { apiUrl } from '../cloud/apiUrl.ts';
import { type Credential, signedOut, sourceText } from '../cloud/credentials.ts';
import { findCredential, refreshCredential } from '../cloud/session.ts';
import { UserError } from '../errors.ts';
import { timeText } from './authStatus.ts';
import type { CliIo, CommandInput } from './command.ts';

/** Throws UserError, `sign_in_failed` when the credential is an API key. */
export async function runAuthRefresh({ switches }: CommandInput, io: CliIo): Promise<number> {
  const credential = await findCredential(io.env);
  if (credential === undefined) throw signedOut();
  if (credential.kind === 'api_key') throw nothingToRefresh(credential);
  const refreshed = await refreshCredential({ env: io.env, apiUrl: apiUrl(io.env) }, undefined, io.signal);
  const expiresAt = refreshed.kind === 'oauth' ? (refreshed.tokens.expires_at ?? null) : null;
  const until = expiresAt === null ? '' : `; the new ones are good until ${timeText(expiresAt)}`;
  io.stdout.write(
    switches.has('json')
      ? `${JSON.stringify({ refreshed: true, expiresAt })}\n`
      : `The tokens are refreshed${until}.\n`,
  );
  return 0;
}

function nothingToRefresh({ source }: Credential): UserError {
  return new UserError(
    'sign_in_failed',
    `There is nothing to refresh: the credential is the API key in ${sourceText(source)}.`,
    {
      hint:
        source.kind === 'environment'
          ? `API keys do not run out like tokens. To use a sign-in instead, unset ${source.name}.`
          : 'API keys do not run out like tokens. To use a sign-in instead, run framework auth login.',
    },
  );
}
