// The client of the hosted API as commands use it: with this program's version and the command's environment.
import manifest from '../../package.json' with { type: 'json' };
import { type ApiClient, createApiClient } from '../cloud/apiClient.ts';
import type { CliIo } from './command.ts';

/** Throws UserError `usage` when SERVICE_API_URL is no address. Credentials are looked for at the first request. */
export function openCloudClient({ env }: CliIo): ApiClient {
  return createApiClient({ env, version: manifest.version });
}
