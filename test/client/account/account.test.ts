// The account state, from the output of `framework auth status` to the texts.
import { expect, test, vi } from 'vitest';
import { type AccountState, type AuthStatus, accountState, accountText } from '../../../client/account/accountState.ts';
import { createApiKey } from '../../../client/account/apiKey.ts';
import { expiryText } from '../../../client/account/deviceCode.ts';
import { keyProblem } from '../../../client/account/promptForKey.ts';
import type { Host } from '../../../client/host.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const apiUrl = 'https://api.example.com';
const status = (more: Partial<AuthStatus>): AuthStatus => ({
  signedIn: true,
  apiUrl,
  file: '/home/ada/.service/credentials',
  kind: 'oauth',
  source: { kind: 'file', path: '/home/ada/.service/credentials' },
  user: { user_id: 'u1', email: 'ada@example.com', name: 'Ada' },
  billing: null,
  ...more,
});
const billing = { plan: 'free', credits_remaining: 593, resets_at: null };
const unknown: AccountState = { kind: 'unknown' };
const known = accountState({ status: 0, value: status({ billing }) }, unknown);

test('combines the stored credentials with the data of the service', () => {
  const stored = accountState({ status: 0, value: status({}) }, unknown);
  expect(accountText(stored)).toEqual({ text: 'Signed in as ada@example.com', detail: apiUrl });
  expect(accountText(known)).toEqual({ text: 'Signed in as ada@example.com', detail: '593 credits left.' });
  // Credits are kept until the service returns new ones.
  expect(accountState({ status: 0, value: status({}) }, known)).toEqual(known);
  const other = status({ user: { user_id: 'u2', email: 'bo@example.com' } });
  expect(accountText(accountState({ status: 0, value: other }, known)).detail).toBe(apiUrl);
});

test('names the environment variable that contains the API key', () => {
  const answer = status({ kind: 'api_key', source: { kind: 'environment', name: 'FRAMEWORK_API_KEY' }, user: null });
  const state = accountState({ status: 0, value: answer }, known);
  expect(state).toMatchObject({ environment: 'FRAMEWORK_API_KEY', label: 'API key in FRAMEWORK_API_KEY' });
  const confirmed = accountState({ status: 0, value: { ...answer, user: status({}).user, billing } }, state);
  expect(accountText(confirmed)).toEqual({
    text: 'Signed in as ada@example.com',
    detail: '593 credits left. Uses the API key in FRAMEWORK_API_KEY.',
  });
});

test('does not take the key of the editor for one in the environment', () => {
  const answer = status({ kind: 'api_key', source: { kind: 'environment', name: 'SERVICE_API_KEY' } });
  const state = accountState({ status: 0, value: answer }, unknown, true);
  expect(state).toMatchObject({ label: 'ada@example.com', credential: 'api_key' });
  expect(state).not.toHaveProperty('environment');
});

test('keeps the API key in the secret storage, and reads it again when another window changes it', async () => {
  const stored = new Map<string, string>();
  let changed: (event: { key: string }) => unknown = () => undefined;
  const secrets = {
    get: async (name: string) => stored.get(name),
    store: async (name: string, key: string) => void stored.set(name, key),
    delete: async (name: string) => void stored.delete(name),
    onDidChange: (listener: typeof changed) => {
      changed = listener;
      return { dispose: () => undefined };
    },
  };
  let passed: string | undefined;
  const apiKey: Host['apiKey'] = { set: (key) => (passed = key), isUsed: () => passed !== undefined };
  const context = { secrets } as unknown as Parameters<typeof createApiKey>[0];
  const isShown = vi.fn();
  const key = createApiKey(context, { apiKey } as unknown as Host, isShown);
  await key.ready;
  expect(key.isUsed()).toBe(false);
  await key.store('fk_1');
  expect([passed, ...stored.values()]).toEqual(['fk_1', 'fk_1']);
  stored.set('framework.apiKey', 'fk_2');
  changed({ key: 'framework.apiKey' });
  await expect.poll(() => isShown.mock.calls.length).toBe(1);
  expect(passed).toBe('fk_2');
  await key.remove();
  expect([passed, stored.size]).toEqual([undefined, 0]);
});

test('reports text that cannot be an API key', () => {
  expect(keyProblem(' fk_1\n')).toBeUndefined();
  expect(keyProblem('fk 1')).toBe('The key must not contain spaces.');
  expect(keyProblem('fk_1…')).toBe('The key contains characters that keys do not have.');
});

test('handles being signed out, a rejected key, and a program that did not start', () => {
  const error = { code: 'signed_out', message: 'You are not signed in.' };
  const signedOut = status({ kind: null, source: null, user: null });
  const out = accountState({ status: 1, error, printed: signedOut }, known);
  expect(out).toEqual({ kind: 'signedOut' });
  expect(accountText(out).text).toBe('Signed out');
  const rejected = { code: 'authentication_failed', message: 'The service rejected the key.' };
  const state = accountState({ status: 1, error: rejected, printed: status({}) }, known);
  expect(accountText(state).detail).toBe('The service rejected the key. 593 credits left.');
  expect(accountState({ status: null, error: { code: 'not_started', message: 'x' } }, known)).toBe(known);
});

test('shows when a code expires', () => {
  expect([600, 61, 60, 1, 0, -5].map(expiryText)).toEqual([
    'The code expires in 10 minutes.',
    'The code expires in 2 minutes.',
    'The code expires in 1 minute.',
    'The code expires in 1 minute.',
    'The code has expired.',
    'The code has expired.',
  ]);
});
