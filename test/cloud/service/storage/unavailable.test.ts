// Errors of an object store that will be reachable again, as the AWS SDK throws them.
import { expect, test } from 'vitest';
import { isStoreUnavailable } from '../../../../cloud/service/storage/unavailable.ts';

const error = (name: string, more: object): Error => Object.assign(new Error(name), { name, ...more });
const answer = (httpStatusCode: number, name = 'S3ServiceException'): Error =>
  error(name, { $metadata: { httpStatusCode, attempts: 3 } });

test.each([
  [true, 'no connection', error('Error', { code: 'ECONNREFUSED', $metadata: { attempts: 3 } })],
  [true, 'a connection that was closed in the middle of an object', error('Error', { code: 'ECONNRESET' })],
  [true, 'no answer in time', error('TimeoutError', { $metadata: { attempts: 3 } })],
  [true, 'an answer of a server that is busy', answer(503, 'SlowDown')],
  [true, 'credentials that are not valid any more', answer(403, 'AccessDenied')],
  [true, 'a body that arrived too slowly', answer(400, 'RequestTimeout')],
  [false, 'an object that is too large', answer(400, 'EntityTooLarge')],
  [false, 'an error of the program', new TypeError('x is undefined')],
  [false, 'something that is not an error', 'no'],
])('%s: %s', (expected, _, value) => {
  expect(isStoreUnavailable(value)).toBe(expected);
});
