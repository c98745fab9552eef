// The credentials file: precedence of credentials, errors, and lossless updates.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CredentialsFile,
  credentialsPath,
  environmentCredential,
  fileCredential,
  maskSecret,
  withRefreshed,
  withTokens,
} from '../../../../cloud/client/auth/credentials.ts';
import { readCredentials, updateCredentials as update } from '../../../../cloud/client/auth/credentialsFile.ts';
import { findCredential } from '../../../../cloud/client/auth/session.ts';
import { errorToJson, UserError } from '../../../../renderer-core/errors.ts';
import { makeHome } from '../home.ts';

const oauth = { access_token: 'access', refresh_token: 'refresh', expires_at: 2_000_000_000 };
const isPosix = process.platform !== 'win32';

async function fault(action: () => unknown) {
  try {
    await action();
  } catch (error) {
    if (error instanceof UserError) return errorToJson(error);
    throw error;
  }
  throw new Error('expected a UserError');
}

const updateCredentials = (path: string, change: Parameters<typeof update>[1], signal?: AbortSignal) =>
  update(path, change, { now: Date.now, signal });

test('prefers two variables to the file, ignores empty ones, and trims keys', async () => {
  const { env, path } = makeHome({ api_key: 'of-the-file' });
  const found = async (more: NodeJS.ProcessEnv) => findCredential({ ...env, ...more });
  const key = (value: string, name: string) => ({ kind: 'api_key', key: value, source: { kind: 'environment', name } });
  expect(await found({ SERVICE_API_KEY: 'a', FRAMEWORK_API_KEY: 'b' })).toEqual(key('a', 'SERVICE_API_KEY'));
  expect(await found({ SERVICE_API_KEY: '', FRAMEWORK_API_KEY: ' b\n' })).toEqual(key('b', 'FRAMEWORK_API_KEY'));
  expect(await found({ SERVICE_API_KEY: ' ' })).toEqual({
    kind: 'api_key',
    key: 'of-the-file',
    source: { kind: 'file', path },
  });
  expect(await findCredential(makeHome().env)).toBeUndefined();
});

test('prefers tokens to a key in the same file', () => {
  expect(fileCredential({ api_key: 'k', oauth }, 'f')).toMatchObject({ kind: 'oauth', tokens: oauth });
  expect(fileCredential({ api_key: '' }, 'f')).toBeUndefined();
});

test('rejects a key that no header can contain, without showing it', async () => {
  const error = await fault(() => environmentCredential({ SERVICE_API_KEY: 'se cret' }));
  expect(error).toMatchObject({ code: 'authentication_failed', message: expect.stringContaining('SERVICE_API_KEY') });
  expect(JSON.stringify(error)).not.toContain('cret');
});

test('masks all but the first characters of a secret, and short secrets completely', () => {
  expect(maskSecret('fw_0123456789abcdef')).toBe('fw_012…');
  expect(maskSecret('0123456789')).toBe('…');
});

test('reports line and column of an error in the file without quoting it', async () => {
  const check = async (text: string, message: string, line?: number, column?: number) => {
    const { path } = makeHome(text);
    const error = await fault(() => readCredentials(path));
    expect(error).toEqual({
      code: 'credentials_invalid',
      message: `The credentials file ${path} ${message}.`,
      hint: 'Fix it, or delete it and run framework auth login.',
      place: { file: path, ...(line === undefined ? {} : { line, column }) },
    });
  };
  await check('', 'is not valid JSON', 1, 1);
  await check('{\n  "api_key": sk_secret\n}', 'is not valid JSON', 2, 14);
  await check('{"api_key": "a",}', 'is not valid JSON', 1, 17);
  await check('[]', 'must contain a JSON object');
  await check('{"api_key": 1}', 'is invalid: api_key must be a string');
  await check('{"oauth": {}}', 'is invalid: oauth.access_token must be a non-empty string');
  await check('{"oauth": {"access_token": "a", "expires_at": "1"}}', 'is invalid: oauth.expires_at must be a number');
  await check('{"user": []}', 'is invalid: user must be an object');
});

test('never replaces an invalid file', async () => {
  const { path } = makeHome('{"api_key": ');
  await expect(updateCredentials(path, () => ({ api_key: 'new' }))).rejects.toThrow('is not valid JSON');
  await expect(readCredentials(path)).rejects.toThrow('is not valid JSON');
});

test('preserves unknown members at every level', async () => {
  // Both are a key's own in JSON, and nothing more.
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'));
  const others = (known: string[]) =>
    fc.dictionary(
      key.filter((name) => !known.includes(name)),
      fc.jsonValue(),
    );
  const shape = fc.record({
    file: others(['api_key', 'oauth', 'user']),
    oauth: others(['access_token', 'refresh_token', 'expires_at', 'scope', 'token_type']),
    user: others([]),
  });
  const { path, read } = makeHome({});
  await fc.assert(
    fc.asyncProperty(shape, async ({ file, oauth: more, user }) => {
      const text = (known: object) => JSON.stringify({ ...file, oauth: { ...more, ...known }, user });
      writeFileSync(path, text({ access_token: 'a', scope: 'old' }));
      const tokens = { access_token: 'b', refresh_token: 'r' };
      await updateCredentials(path, (current) => withTokens(current, tokens));
      expect(read()).toEqual(JSON.parse(text(tokens)));
    }),
    { numRuns: 40 },
  );
});

test('keeps tokens that a refresh does not return, but none after a new sign-in', () => {
  const file = { oauth: { ...oauth, scope: 'renders' } };
  const tokens = { access_token: 'b', token_type: 'bearer' };
  expect(withRefreshed(file, tokens)).toEqual({ oauth: { ...tokens, refresh_token: 'refresh', scope: 'renders' } });
  expect(withTokens(file, tokens)).toEqual({ oauth: tokens });
});

test.runIf(isPosix)('restricts folder and file to their owner', async () => {
  const fresh = makeHome();
  await updateCredentials(fresh.path, () => ({ api_key: 'k' }));
  const modes = (path: string) => [dirname(path), path].map((one) => (statSync(one).mode & 0o777).toString(8));
  expect(modes(fresh.path)).toEqual(['700', '600']);
  const wide = makeHome({ api_key: 'k' });
  chmodSync(dirname(wide.path), 0o755);
  await updateCredentials(wide.path, (current) => ({ ...current, more: 1 }));
  expect(modes(wide.path)).toEqual(['700', '600']);
});

test.runIf(isPosix).each([
  [0o644, '644'],
  [0o660, '660'],
  [0o602, '602'],
])('rejects a file that other users can access, as ssh does: mode %o', async (mode, shown) => {
  const { path, env } = makeHome({ api_key: 'k' });
  chmodSync(path, mode);
  const expected = {
    code: 'credentials_invalid',
    message: `Other users can access the credentials file ${path} (mode ${shown}).`,
    hint: `Run: chmod 600 ${path}`,
    place: { file: path },
  };
  expect(await fault(() => findCredential(env))).toEqual(expected);
  expect(await fault(() => updateCredentials(path, () => ({ api_key: 'new' })))).toEqual(expected);
  expect(readFileSync(path, 'utf8')).toBe('{"api_key":"k"}');
  chmodSync(path, 0o600);
  expect(await findCredential(env)).toMatchObject({ kind: 'api_key', key: 'k' });
  // A variable takes precedence, so the file is not read.
  chmodSync(path, mode);
  expect(await findCredential({ ...env, SERVICE_API_KEY: 'own' })).toMatchObject({ key: 'own' });
});

test('deletes the file for an empty object', async () => {
  const { path } = makeHome({ api_key: 'k' });
  writeFileSync(`${path}.0123456789ab.tmp`, 'of a process that was killed');
  await updateCredentials(path, () => ({}));
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(dirname(path))).toEqual([]);
});

test.runIf(isPosix)('writes through a link, also to a file that does not exist yet', async () => {
  const { path, read } = makeHome({});
  const elsewhere = join(dirname(dirname(path)), 'dotfiles');
  mkdirSync(elsewhere, { mode: 0o755 });
  symlinkSync(join('..', 'dotfiles', 'credentials'), `${path}.link`);
  const link = `${path}.link`;
  await updateCredentials(link, () => ({ api_key: 'first' }));
  await updateCredentials(link, (current) => ({ ...current, more: true }));
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(await readCredentials(join(elsewhere, 'credentials'))).toEqual({ api_key: 'first', more: true });
  expect(readdirSync(elsewhere)).toEqual(['credentials']);
  expect((statSync(elsewhere).mode & 0o777).toString(8)).toBe('755');
  expect(read()).toEqual({});
});

test('loses no update when many run at once', async () => {
  const { path, read } = makeHome();
  const names = Array.from({ length: 20 }, (_, index) => `change${index}`);
  await Promise.all(names.map((name) => updateCredentials(path, (current) => ({ ...current, [name]: true }))));
  expect(Object.keys(read()).sort()).toEqual([...names].sort());
});

test('lets only one waiting process take over the lock of a killed one', async () => {
  for (let round = 0; round < 4; round++) {
    const { path, read } = makeHome({});
    for (const left of [`${path}.lock`, `${path}.lock.removing`]) {
      mkdirSync(left);
      utimesSync(left, 0, 0);
    }
    let inside = 0;
    const change = async (index: number) =>
      updateCredentials(path, async (current) => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
        return { ...current, [`change${index}`]: true };
      });
    await Promise.all([0, 1, 2, 3, 4, 5].map(change));
    expect(Object.keys(read())).toHaveLength(6);
    expect(readdirSync(dirname(path))).toEqual(['credentials']);
  }
});

test('preserves unchanged text, also numbers that JavaScript cannot represent', async () => {
  const check = async (before: string, change: (file: CredentialsFile) => CredentialsFile, after: string) => {
    const { path } = makeHome(before);
    await updateCredentials(path, change);
    expect(readFileSync(path, 'utf8')).toBe(after);
  };
  const before = '{\n    "id": 12345678901234567890,\n    "api_key": "old",\n    "user": { "n": 1.0 }\n}\n';
  await check(before, (file) => ({ ...file, api_key: 'new' }), before.replace('old', 'new'));
  await check(before, ({ api_key: _, ...file }) => file, before.replace('    "api_key": "old",\n', ''));
  await check(
    before,
    ({ user, ...file }) => ({ ...file, user: { ...user, email: 'a' } }),
    before.replace('{ "n": 1.0 }', '{\n      "n": 1.0,\n      "email": "a"\n    }'),
  );
  await check('{"a":1e400}', (file) => ({ ...file, api_key: 'k' }), '{\n  "a": 1e400,\n  "api_key": "k"\n}\n');
  // The last of duplicate names applies, and is written once.
  await check('{"api_key":"a","api_key":"b"}', ({ api_key: _, ...file }) => ({ ...file, c: 1 }), '{\n  "c": 1\n}\n');
});

test('can be cancelled while waiting for the lock, and releases it after a failed change', async () => {
  const { path, read } = makeHome({ api_key: 'k' });
  mkdirSync(`${path}.lock`);
  expect(await fault(() => updateCredentials(path, () => ({}), AbortSignal.timeout(50)))).toMatchObject({
    code: 'cancelled',
  });
  utimesSync(`${path}.lock`, 0, 0);
  await expect(updateCredentials(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(read()).toEqual({ api_key: 'k' });
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('is in the home folder', () => {
  expect(credentialsPath({ HOME: '/home/ada' })).toBe(join('/home/ada', '.service', 'credentials'));
});
