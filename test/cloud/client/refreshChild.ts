// A child process that requests its account from the API on command: `node --import tsx refreshChild.ts`.
import { createApiClient } from '../../../sdk/services.ts';

const client = createApiClient({ env: process.env, version: '1' });
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const answer = await client
    .send<{ data: { email: string } }>({ method: 'GET', path: '/v3/users/me' })
    .catch((error) => ({ data: { email: String(error) } }));
  process.stdout.write(`${answer.data.email}\n`, () => process.exit(0));
});
