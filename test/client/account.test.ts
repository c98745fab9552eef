// The account state, from the output of `framework auth status` to the texts.
import { expect, test, vi } from 'vitest';
import { type AccountState, type AuthStatus, accountState, accountText } from '../../client/account/accountState.ts';
import { expiryText } from '../../client/account/deviceCode.ts';

vi.mock('vscode', () => import('../support/vscodeWords.ts'));

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
