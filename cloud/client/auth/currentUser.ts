// The account that a credential belongs to, with its remaining credits.
import { UserError } from '../../../renderer-core/errors.ts';
import type { ApiClient } from '../apiClient.ts';
import type { Single, User } from '../apiTypes.ts';
import { isObject } from './credentials.ts';

/** Throws UserError as `ApiClient` does, and `service_answer_invalid`. */
export async function fetchUser(client: ApiClient, signal: AbortSignal): Promise<User> {
  const { data } = await client.send<Partial<Single<User>>>({ method: 'GET', path: '/v3/users/me', signal });
  if (isObject(data) && typeof data.user_id === 'string' && isObject(data.billing)) return data;
  throw new UserError('service_answer_invalid', 'The service did not return the account of the credential.', {
    hint: 'Check that SERVICE_API_URL is the address of the service.',
  });
}
