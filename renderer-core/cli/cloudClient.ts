// The client of the hosted API as commands use it.
import type { ApiClient } from '../cloud/apiClient.ts';
import { UserError } from '../errors.ts';
import type { CliIo } from './command.ts';

/** Throws UserError `usage` when SERVICE_API_URL is no address. Credentials are looked for at the first request. */
export function openCloudClient(io: CliIo): ApiClient {
  if (io.cloud) return io.cloud;
  throw new UserError('signed_out', 'There is no client of the hosted service yet');
}
