// `framework auth logout`: revokes the tokens and deletes the stored credential.
import { apiUrl } from '../../../cloud/client/apiUrl.ts';
import {
  type CredentialsFile,
  credentialsPath,
  environmentCredential,
  sourceText,
} from '../../../cloud/client/auth/credentials.ts';
import { updateCredentials } from '../../../cloud/client/auth/credentialsFile.ts';
import { discoverServer, revokeToken } from '../../../cloud/client/auth/oauthClient.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';

const revocationMs = 10_000;

/** Deletes the stored credential even if the service cannot be reached. Throws UserError. */
export async function runAuthLogout({ flags }: CommandInput, io: CliIo): Promise<number> {
  const path = credentialsPath(io.env);
  const warnings: string[] = [];
  let stored: CredentialsFile = {};
  // Hold the lock until the tokens are revoked, so that no other process refreshes them.
  await updateCredentials(
    path,
    async (current) => {
      const { api_key, oauth, user, ...others } = current;
      stored = current;
      if (oauth) warnings.push(...(await revoke(oauth, io)));
      return api_key === undefined && oauth === undefined && user === undefined ? current : others;
    },
    { now: Date.now, signal: io.signal },
  );
  const wasSignedIn = stored.api_key !== undefined || stored.oauth !== undefined;
  const fromEnvironment = environmentCredential(io.env);
  if (fromEnvironment)
    warnings.push(`${sourceText(fromEnvironment.source)} is still set, and commands continue to use it.`);
  const { yellow } = colorsFor(io.stderr, io.env);
  for (const warning of warnings) io.stderr.write(`${yellow('warning:')} ${warning}\n`);
  io.stdout.write(
    flags.has('json') ? `${JSON.stringify({ signedOut: wasSignedIn, warnings })}\n` : text(stored, wasSignedIn),
  );
  return 0;
}

function text({ oauth, api_key }: CredentialsFile, wasSignedIn: boolean): string {
  if (!wasSignedIn) return 'You were not signed in.\n';
  if (oauth || !api_key) return 'Signed out.\n';
  return 'Signed out. The API key remains valid until you revoke it on the web page of the service.\n';
}

/** Returns warnings. Revokes the refresh token first, because the server then also revokes the tokens issued from it. */
async function revoke(
  { refresh_token, access_token }: NonNullable<CredentialsFile['oauth']>,
  io: CliIo,
): Promise<string[]> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(revocationMs)]);
  try {
    const server = await discoverServer(apiUrl(io.env), signal);
    if (refresh_token) await revokeToken(server, refresh_token, 'refresh_token', signal);
    await revokeToken(server, access_token, 'access_token', signal);
    return [];
  } catch (error) {
    if (io.signal.aborted || !(error instanceof UserError)) throw error;
    const why = error.code === 'cancelled' ? `no response within ${revocationMs / 1000} s` : error.message;
    return [`the tokens were deleted here, but the service did not revoke them: ${why}`];
  }
}
