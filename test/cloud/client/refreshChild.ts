// A process of its own that asks the API who it is, once it is told to start: `node --import tsx refreshChild.ts`.
import { createApiClient } from '../../renderer-core/cloud/apiClient.ts';

const client = createApiClient({ env: process.env, version: '1' });
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const answer = await client
    .send<{ data: { email: string } }>({ method: 'GET', path: '/v3/users/me' })
    .catch((error) => ({ data: { email: String(error) } }));
  process.stdout.write(`${answer.data.email}\n`, () => process.exit(0));
});
