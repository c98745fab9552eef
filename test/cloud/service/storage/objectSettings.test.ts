// Files are on disk unless a bucket is set; incomplete settings are an error.
import { expect, test } from 'vitest';
import { objectSettings } from '../../../../cloud/service/storage/objectSettings.ts';

test('stores files on disk unless a bucket is set', () => {
  expect(objectSettings({})).toEqual({ kind: 'disk' });
  expect(objectSettings({ SERVICE_S3_BUCKET: '' })).toEqual({ kind: 'disk' });
});

test('needs only a bucket name', () => {
  expect(objectSettings({ SERVICE_S3_BUCKET: 'renders' })).toEqual({
    kind: 's3',
    bucket: 'renders',
    prefix: '',
    pathStyle: false,
  });
});

test.each([
  ['team', 'team/'],
  ['/team/', 'team/'],
  ['a/b', 'a/b/'],
  ['/', ''],
])('normalizes the prefix "%s" to "%s"', (given, prefix) => {
  expect(objectSettings({ SERVICE_S3_BUCKET: 'renders', SERVICE_S3_PREFIX: given })).toMatchObject({ prefix });
});

test('supports an endpoint and path-style URLs for other servers', () => {
  const env = {
    SERVICE_S3_BUCKET: 'renders',
    SERVICE_S3_ENDPOINT: 'http://127.0.0.1:9000',
    SERVICE_S3_PATH_STYLE: '1',
  };
  expect(objectSettings(env)).toMatchObject({ endpoint: 'http://127.0.0.1:9000', pathStyle: true });
});

test.each([
  [{ SERVICE_S3_PREFIX: 'team' }, 'SERVICE_S3_PREFIX is set, but SERVICE_S3_BUCKET is not'],
  [
    { SERVICE_S3_BUCKET: 'b', SERVICE_S3_ENDPOINT: 'localhost' },
    'SERVICE_S3_ENDPOINT must be an http or https URL (got "localhost")',
  ],
  [
    { SERVICE_S3_BUCKET: 'b', SERVICE_S3_ENDPOINT: 'ftp://x' },
    'SERVICE_S3_ENDPOINT must be an http or https URL (got "ftp://x")',
  ],
  [{ SERVICE_S3_BUCKET: 'b', SERVICE_S3_PATH_STYLE: 'yes' }, 'SERVICE_S3_PATH_STYLE must be true or false (got "yes")'],
])('rejects %j', (env, message) => {
  expect(() => objectSettings(env)).toThrow(message);
});
