// Who is signed in, from what the command line prints to the words in the status.
import { expect, test, vi } from 'vitest';
import { type AccountState, type AuthStatus, accountState, accountText } from '../../client/account/accountState.ts';
import { leftText } from '../../client/account/deviceCode.ts';

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
const known = accountState({ status: 0, answer: status({ billing }) }, unknown);

test('what is stored, and what the service adds', () => {
  const stored = accountState({ status: 0, answer: status({}) }, unknown);
  expect(accountText(stored)).toEqual({ text: 'Signed in as ada@example.com', detail: apiUrl });
  expect(accountText(known)).toEqual({ text: 'Signed in as ada@example.com', detail: '593 credits left.' });
  // What was told before stays until it is told anew.
  expect(accountState({ status: 0, answer: status({}) }, known)).toEqual(known);
  const other = status({ user: { user_id: 'u2', email: 'bo@example.com' } });
  expect(accountText(accountState({ status: 0, answer: other }, known)).detail).toBe(apiUrl);
});

test('a key in the environment is called that', () => {
  const answer = status({ kind: 'api_key', source: { kind: 'environment', name: 'FRAMEWORK_API_KEY' }, user: null });
  const state = accountState({ status: 0, answer }, known);
  expect(state).toMatchObject({ environment: 'FRAMEWORK_API_KEY', label: 'API key in FRAMEWORK_API_KEY' });
  const told = accountState({ status: 0, answer: { ...answer, user: status({}).user, billing } }, state);
  expect(accountText(told)).toEqual({
    text: 'Signed in as ada@example.com',
    detail: '593 credits left. By the key in FRAMEWORK_API_KEY.',
  });
});

test('signed out, refused, and a program that did not start', () => {
  const error = { code: 'signed_out', message: 'You are not signed in.' };
  const nobody = status({ kind: null, source: null, user: null });
  const out = accountState({ status: 1, error, printed: nobody }, known);
  expect(out).toEqual({ kind: 'signedOut' });
  expect(accountText(out).text).toBe('Signed out');
  const refused = { code: 'authentication_failed', message: 'The service refuses the key.' };
  const state = accountState({ status: 1, error: refused, printed: status({}) }, known);
  expect(accountText(state).detail).toBe('The service refuses the key. 593 credits left.');
  expect(accountState({ status: null, error: { code: 'not_started', message: 'x' } }, known)).toBe(known);
});

test('how long a code holds', () => {
  expect([600, 61, 60, 1, 0, -5].map(leftText)).toEqual([
    'It holds for 10 minutes.',
    'It holds for 2 minutes.',
    'It holds for another minute.',
    'It holds for another minute.',
    'It has run out.',
    'It has run out.',
  ]);
});
