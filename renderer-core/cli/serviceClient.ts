// The client of the hosted API as commands use it: with this program's version and the command's environment.
import manifest from '../../package.json' with { type: 'json' };
import { type ApiClient, createApiClient } from '../cloud/apiClient.ts';
import type { Credential } from '../cloud/credentials.ts';
import type { CliIo } from './command.ts';

/**
 * `credential`: in place of the one that is found. `isWaitedFor`: somebody sits in front of it and would rather hear soon
 * that it does not work. Throws UserError `usage` when SERVICE_API_URL is no address.
 */
export function serviceClient(
  { env }: CliIo,
  { credential, isWaitedFor = false }: { credential?: Credential; isWaitedFor?: boolean } = {},
): ApiClient {
  return createApiClient({
    env,
    version: manifest.version,
    ...(credential ? { credential } : {}),
    ...(isWaitedFor ? { retry: { attempts: 2 } } : {}),
  });
}
