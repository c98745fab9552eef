// Who a credential belongs to, and what that account may still spend.

import { UserError } from '../errors.ts';
import type { ApiClient } from './apiClient.ts';
import type { Single, User } from './apiTypes.ts';
import { isObject } from './credentials.ts';

/** GET /v3/users/me. Throws UserError as `ApiClient` does. */
export async function fetchUser(client: ApiClient, signal: AbortSignal): Promise<User> {
  const { data } = await client.send<Partial<Single<User>>>({ method: 'GET', path: '/v3/users/me', signal });
  if (isObject(data) && typeof data.user_id === 'string' && isObject(data.billing)) return data;
  throw new UserError('service_answer_invalid', 'The service does not say whose the credential is.', {
    hint: 'Check that SERVICE_API_URL names the service.',
  });
}
