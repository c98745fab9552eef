// Files are on disk unless a bucket is named; half a choice is an error.
import { expect, test } from 'vitest';
import { objectSettings } from '../../renderer-core/service/objectSettings.ts';

test('files are on disk unless a bucket is named', () => {
  expect(objectSettings({})).toEqual({ kind: 'disk' });
  expect(objectSettings({ SERVICE_S3_BUCKET: '' })).toEqual({ kind: 'disk' });
});

test('a name is enough for a bucket', () => {
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
])('the prefix "%s" is "%s"', (given, prefix) => {
  expect(objectSettings({ SERVICE_S3_BUCKET: 'renders', SERVICE_S3_PREFIX: given })).toMatchObject({ prefix });
});

test('other servers have an endpoint and may want the bucket in the path', () => {
  const env = {
    SERVICE_S3_BUCKET: 'renders',
    SERVICE_S3_ENDPOINT: 'http://127.0.0.1:9000',
    SERVICE_S3_PATH_STYLE: '1',
  };
  expect(objectSettings(env)).toMatchObject({ endpoint: 'http://127.0.0.1:9000', pathStyle: true });
});

test.each([
  [{ SERVICE_S3_PREFIX: 'team' }, 'SERVICE_S3_PREFIX is set, but SERVICE_S3_BUCKET is not'],
  [{ SERVICE_S3_BUCKET: 'b', SERVICE_S3_ENDPOINT: 'localhost' }, 'SERVICE_S3_ENDPOINT is "localhost", which is no URL'],
  [{ SERVICE_S3_BUCKET: 'b', SERVICE_S3_ENDPOINT: 'ftp://x' }, 'SERVICE_S3_ENDPOINT is "ftp://x", which is no URL'],
  [{ SERVICE_S3_BUCKET: 'b', SERVICE_S3_PATH_STYLE: 'yes' }, 'SERVICE_S3_PATH_STYLE is "yes"'],
])('%j is refused', (env, message) => {
  expect(() => objectSettings(env)).toThrow(message);
});
