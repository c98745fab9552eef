// `framework auth logout`: revokes the tokens at the service and forgets what is stored.
import { apiUrl } from '../cloud/apiUrl.ts';
import { type CredentialsFile, credentialsPath, environmentCredential, sourceText } from '../cloud/credentials.ts';
import { updateCredentials } from '../cloud/credentialsFile.ts';
import { discoverServer, revokeToken } from '../cloud/oauth.ts';
import { UserError } from '../errors.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';

/** Nobody waits longer for a service that is not there. */
const revocationMs = 10_000;

/** What is stored is forgotten even when the service cannot be told. Throws UserError. */
export async function runAuthLogout({ switches }: CommandInput, io: CliIo): Promise<number> {
  const path = credentialsPath(io.env);
  const warnings: string[] = [];
  let stored: CredentialsFile = {};
  // The lock is held until the tokens are revoked: nobody refreshes what is about to end.
  await updateCredentials(
    path,
    async (current) => {
      const { api_key, oauth, user, ...others } = current;
      stored = current;
      if (oauth) warnings.push(...(await revoke(oauth, io)));
      return api_key === undefined && oauth === undefined && user === undefined ? current : others;
    },
    io.signal,
  );
  const wasSignedIn = stored.api_key !== undefined || stored.oauth !== undefined;
  const inForce = environmentCredential(io.env);
  if (inForce) warnings.push(`${sourceText(inForce.source)} is still set, and commands go on using it.`);
  const { yellow } = colorsFor(io.stderr, io.env);
  for (const warning of warnings) io.stderr.write(`${yellow('warning:')} ${warning}\n`);
  io.stdout.write(
    switches.has('json') ? `${JSON.stringify({ signedOut: wasSignedIn, warnings })}\n` : text(stored, wasSignedIn),
  );
  return 0;
}

function text({ oauth, api_key }: CredentialsFile, wasSignedIn: boolean): string {
  if (!wasSignedIn) return 'Nobody was signed in.\n';
  if (oauth || !api_key) return 'Signed out.\n';
  return 'Signed out. The API key itself stays in force until it is revoked on the page of the service.\n';
}

/** What could not be done, as warnings. The refresh token first: with it, the server ends what came from it. */
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
    const why = error.code === 'cancelled' ? `no answer within ${revocationMs / 1000} s` : error.message;
    return [`the tokens are forgotten here, but the service did not revoke them: ${why}`];
  }
}
