// The settings of the stack fit into the quotas of the account.
import { LambdaClient } from '@aws-sdk/client-lambda';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  readQuotaRequest,
  readQuotas,
  requestConcurrency,
  settingsWarnings,
  stackSettings,
} from '../../../serverless/deploy/quotas.ts';
import { startAws } from '../../aws/endpoint.ts';
import { instantLambda, succeeded } from '../../aws/instantLambda.ts';

const usual = { concurrency: 1000, unreserved: 1000, memoryMb: 10_240 };
/** A new account. */
const restricted = { concurrency: 10, unreserved: 10, memoryMb: 3008 };

describe('the settings of the stack', () => {
  test.each<[string, Parameters<typeof stackSettings>, object]>([
    ['a usual account', [{}, {}, usual], { memoryMb: 4096, reserved: 0, mapConcurrency: 200 }],
    ['a new account', [{}, {}, restricted], { memoryMb: 3008, reserved: 0, mapConcurrency: 10 }],
    [
      'a reservation',
      [{ concurrency: 32, memory: 2048 }, {}, usual],
      { memoryMb: 2048, reserved: 32, mapConcurrency: 32 },
    ],
    [
      'a second deployment',
      [{}, { memory: 10_240, concurrency: 16 }, { ...usual, unreserved: 984 }],
      { memoryMb: 10_240, reserved: 16, mapConcurrency: 16 },
    ],
    [
      'the end of a reservation',
      [{ concurrency: 0 }, { memory: 4096, concurrency: 16 }, { ...usual, unreserved: 984 }],
      { memoryMb: 4096, reserved: 0, mapConcurrency: 200 },
    ],
    ['the most that can be reserved', [{ concurrency: 990 }, {}, usual], { reserved: 990 }],
    [
      'a larger reservation instead of another',
      [{ concurrency: 990 }, { concurrency: 100 }, { ...usual, unreserved: 900 }],
      { reserved: 990 },
    ],
  ])('suit %s', (_, [given, deployed, quotas], expected) => {
    expect(stackSettings(given, deployed, quotas)).toMatchObject(expected);
  });

  test.each([
    [991, usual, 'the account has 1000 unreserved workers, of which 10 must remain unreserved', '--concurrency 990'],
    [1, restricted, 'the account has 10 unreserved workers', 'Deploy without --concurrency'],
  ])('reject a reservation of %i workers', (concurrency, quotas, message, hint) => {
    expect(() => stackSettings({ concurrency }, {}, quotas)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  test('come with a warning in a new account', () => {
    const settings = stackSettings({ memory: 10_240 }, {}, restricted);
    expect(settingsWarnings(settings, restricted)).toEqual([
      'This account may run 10 workers at the same time (usual: 1000). Renders wait for free workers. To request more: framework serverless quotas --request 1000',
      'Accounts with so few workers usually allow at most 3008 MB of memory (--memory 3008).',
    ]);
    expect(settingsWarnings(stackSettings({ memory: 10_240 }, {}, usual), usual)).toEqual([]);
  });
});

test('reads the quotas of an account, and requests more workers', async () => {
  const s3 = { endpoint: 'http://127.0.0.1:1', accessKeyId: 'key', secretAccessKey: 'secret' };
  const aws = await startAws({ s3, accountConcurrency: 10, lambda: instantLambda(() => succeeded({})) });
  onTestFinished(() => aws.close());
  const options = {
    ...{ region: 'us-east-1', endpoint: aws.env.AWS_ENDPOINT_URL_LAMBDA ?? '' },
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  };
  const [lambda, client] = [new LambdaClient(options), new ServiceQuotasClient(options)];
  const quotas = await readQuotas(lambda);
  expect(quotas).toEqual(restricted);
  expect(await readQuotaRequest(client)).toEqual({ isAdjustable: true, request: null });
  await expect(requestConcurrency(client, 10, quotas)).rejects.toThrow(
    'already has 10 concurrent workers (requested: 10)',
  );
  const request = { concurrency: 1000, status: 'PENDING', requestedAt: expect.stringMatching(/^2026-/) };
  expect(await requestConcurrency(client, 1000, quotas)).toEqual(request);
  expect(await readQuotaRequest(client)).toEqual({ isAdjustable: true, request });
  expect(aws.quotas.requested).toEqual([1000]);
});
