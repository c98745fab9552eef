import { expect, test } from 'vitest';
import { hostPattern, isAllowedHost } from '../../../renderer-core/model/hostPatterns.ts';
import { readProjectConfig } from '../../../renderer-core/model/projectConfig.ts';

test.each([
  [' CDN.Example.com ', 'cdn.example.com'],
  ['*.example.com', '*.example.com'],
  ['m\u00fcller.de', 'xn--mller-kva.de'],
  ['127.0.0.1', '127.0.0.1'],
  ['https://example.com', undefined],
  ['example.com/a', undefined],
  ['example.com:443', undefined],
  ['*', undefined],
  ['cdn.*.com', undefined],
  ['', undefined],
])('%j is the host %j', (text, pattern) => {
  expect(hostPattern(text)).toBe(pattern);
});

test.each([
  [[], 'example.com', true],
  [[['example.com']], 'example.com', true],
  [[['example.com']], 'www.example.com', false],
  [[['*.example.com']], 'a.b.example.com', true],
  [[['*.example.com']], 'example.com', false],
  [[['*.example.com']], 'badexample.com', false],
  [
    [
      ['a.com', 'b.com'],
      ['b.com', 'c.com'],
    ],
    'b.com',
    true,
  ],
  [
    [
      ['a.com', 'b.com'],
      ['b.com', 'c.com'],
    ],
    'a.com',
    false,
  ],
  [[[]], 'a.com', false],
])('the lists %j and the host %s: %s', (lists, host, isAllowed) => {
  expect(isAllowedHost(lists, host)).toBe(isAllowed);
});

test.each([
  ['{}', undefined, []],
  ['{"allowHosts": ["CDN.example.com", "*.b.de"]}', ['cdn.example.com', '*.b.de'], []],
  ['{"allowHosts": []}', [], []],
  ['{"allowHosts": "b.de"}', [], ['"allowHosts" must be a JSON array of hosts, such as ["cdn.example.com"]']],
  [
    '{"allowHosts": ["https://b.de", 5, "c.de"]}',
    ['c.de'],
    Array(2).fill('A host must be a name such as "cdn.example.com" or "*.example.com", without https://'),
  ],
])('%s allows %j', (text, hosts, messages) => {
  const { allowHosts, problems } = readProjectConfig(text);
  expect(allowHosts).toEqual(hosts);
  expect(problems.map(({ message }) => message)).toEqual(messages);
});
