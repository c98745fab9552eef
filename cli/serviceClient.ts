// Creates the hosted API's client for a command, with this program's version and the command's environment.

import { type ApiClient, createApiClient } from '../cloud/client/apiClient.ts';
import type { Credential } from '../cloud/client/auth/credentials.ts';
import manifest from '../package.json' with { type: 'json' };
import type { CliIo } from './command.ts';
import { clock } from './engine.ts';

/**
 * `credential` replaces the stored one. `isInteractive`: a user waits for the result, so failed requests are retried only
 * once. Throws UserError `usage` if SERVICE_API_URL is not a URL.
 */
export function serviceClient(
  { env }: CliIo,
  { credential, isInteractive = false }: { credential?: Credential; isInteractive?: boolean } = {},
): ApiClient {
  const options = {
    env,
    version: manifest.version,
    ...(credential ? { credential } : {}),
    ...(isInteractive ? { retry: { attempts: 2 } } : {}),
  };
  return createApiClient(options, Date.now, clock);
}
