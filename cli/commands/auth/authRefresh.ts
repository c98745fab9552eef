// `framework auth refresh`: refreshes the tokens now, so that they do not expire during a long job.
import { apiUrl } from '../../../cloud/client/apiUrl.ts';
import { type Credential, signedOut, sourceText } from '../../../cloud/client/auth/credentials.ts';
import { findCredential, refreshCredential } from '../../../cloud/client/auth/session.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { timeText } from './authStatus.ts';

/** Throws UserError, `sign_in_failed` for an API key. */
export async function runAuthRefresh({ flags }: CommandInput, io: CliIo): Promise<number> {
  const credential = await findCredential(io.env);
  if (credential === undefined) throw signedOut();
  if (credential.kind === 'api_key') throw nothingToRefresh(credential);
  const refreshed = await refreshCredential(
    { env: io.env, apiUrl: apiUrl(io.env), now: Date.now },
    undefined,
    io.signal,
  );
  const expiresAt = refreshed.kind === 'oauth' ? (refreshed.tokens.expires_at ?? null) : null;
  const until = expiresAt === null ? '' : `; the new ones are valid until ${timeText(expiresAt)}`;
  io.stdout.write(
    flags.has('json') ? `${JSON.stringify({ refreshed: true, expiresAt })}\n` : `Tokens refreshed${until}.\n`,
  );
  return 0;
}

function nothingToRefresh({ source }: Credential): UserError {
  return new UserError(
    'sign_in_failed',
    `An API key cannot be refreshed: the credential is the API key in ${sourceText(source)}.`,
    {
      hint:
        source.kind === 'environment'
          ? `API keys do not expire like tokens. To use a sign-in instead, unset ${source.name}.`
          : 'API keys do not expire like tokens. To use a sign-in instead, run framework auth login.',
    },
  );
}
