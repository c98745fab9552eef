// Parts of the pages: escaping, redirects after sign-in, and client addresses.
import { expect, test } from 'vitest';
import { addressFrom } from '../../../../cloud/service/api/clientAddress.ts';
import { html } from '../../../../cloud/service/pages/html.ts';
import { localPath } from '../../../../cloud/service/pages/pageSecurity.ts';

test('escapes text once and leaves HTML unchanged', () => {
  const name = `<b title="x">Tom & 'Jerry'</b>`;
  const inner = html`<i>${name}</i>`;
  expect(html`<p class="${name}">${inner}${[1, html`<br>`, 'a<b']}${undefined}${null}${false}</p>`.toString()).toBe(
    '<p class="&lt;b title=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;">' +
      '<i>&lt;b title=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;</i>1<br>a&lt;b</p>',
  );
});

test.each([
  '{"html": "<script>"}',
  '{"isEscaped": true, "value": "<script>"}',
  '["<script>"]',
  '{"isEscaped": true, "callbacks": ["<script>"]}',
])('never treats data as HTML: %s', (json) => {
  const data = JSON.parse(json) as never;
  expect(String(html`${data}`)).not.toContain('<script>');
});

test('redirects only to paths of this service after sign-in', () => {
  const paths: Record<string, string> = {
    '/keys?page=2#x': '/keys?page=2',
    '/a/../b': '/b',
    'https://evil.example/': '/',
    '//evil.example': '/',
    '/\\evil.example': '/',
    '\\\\evil.example': '/',
    '/\t/evil.example': '/',
    '/..//evil.example': '/',
    keys: '/',
    '': '/',
  };
  for (const [given, expected] of Object.entries(paths)) {
    expect([given, localPath(given, 'https://render.example')]).toEqual([given, expected]);
  }
  expect(localPath(undefined, 'https://render.example')).toBe('/');
});

test('trusts X-Forwarded-For only from a proxy, and only its last address', () => {
  const cases: [peer: string, forwarded: string | undefined, isBehindTls: boolean, expected: string][] = [
    ['127.0.0.1', '1.1.1.1, 2.2.2.2', false, '2.2.2.2'],
    ['::ffff:127.0.0.1', '2.2.2.2', false, '2.2.2.2'],
    ['::ffff:10.0.0.1', '1.1.1.1', false, '10.0.0.1'],
    ['10.0.0.1', '1.1.1.1, 2.2.2.2', true, '2.2.2.2'],
    ['93.184.216.34', '2.2.2.2', true, '93.184.216.34'],
    ['10.0.0.1', undefined, true, '10.0.0.1'],
    ['10.0.0.1', 'nonsense', true, '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', undefined, false, '2001:db8:1:2::'],
    ['127.0.0.1', '2001:db8:1:2:ffff::1', false, '2001:db8:1:2::'],
  ];
  for (const [peer, forwarded, isBehindTls, expected] of cases)
    expect(addressFrom(peer, forwarded, isBehindTls)).toBe(expected);
});
