// The spelling of e-mail addresses, by which accounts and limits know their recipients.
import { expect, test } from 'vitest';
import { normalEmail } from '../../../../cloud/service/auth/accounts.ts';

test.each([
  [' Ann@Example.COM ', 'ann@example.com'],
  ['ann+video@example.com', 'ann+video@example.com'],
  ['ann@\uff45xample\u3002com', 'ann@example.com'],
  ['ann@mu\u0308ller.de', 'ann@m\u00fcller.de'],
  ['ann@xn--mller-kva.de', 'ann@m\u00fcller.de'],
  ['a\u0308nn@example.com', '\u00e4nn@example.com'],
])('%j is the address %s', (text, address) => {
  expect(normalEmail(text)).toBe(address);
  expect(normalEmail(address)).toBe(address);
});

test.each([
  'ann',
  'ann@example',
  'ann@example.',
  'ann@example..com',
  '@example.com',
  'ann@@example.com',
  'ann@example.com>',
  '<ann@example.com',
  'ann@example.com,bob@example.com',
  '"ann"@example.com',
  'ann(me)@example.com',
  'ann@example.com\u200b.',
  'a\u200bnn@example.com',
  'ann@exam\u00adple.com',
  `${'a'.repeat(250)}@example.com`,
])('%j is not an address', (text) => {
  expect(normalEmail(text)).toBeUndefined();
});
