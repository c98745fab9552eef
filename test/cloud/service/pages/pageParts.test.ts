// What the pages are made of: escaping, paths to go on at, and addresses of clients.
import { expect, test } from 'vitest';
import { addressFrom } from '../../renderer-core/service/clientAddress.ts';
import { html, htmlText } from '../../renderer-core/service/html.ts';
import { localPath } from '../../renderer-core/service/pageSecurity.ts';

test('text is escaped once, HTML is not', () => {
  const name = `<b title="x">Tom & 'Jerry'</b>`;
  const inner = html`<i>${name}</i>`;
  expect(htmlText(html`<p class="${name}">${inner}${[1, html`<br>`, 'a<b']}${undefined}${null}${false}</p>`)).toBe(
    '<p class="&#60;b title=&#34;x&#34;&#62;Tom &#38; &#39;Jerry&#39;&#60;/b&#62;">' +
      '<i>&#60;b title=&#34;x&#34;&#62;Tom &#38; &#39;Jerry&#39;&#60;/b&#62;</i>1<br>a&#60;b</p>',
  );
});

test('what looks like HTML in data is text', () => {
  const data = JSON.parse('{"html": "<script>"}') as never;
  expect(() => htmlText(html`${data}`)).toThrow();
});

test('a path to go on at is one of this service', () => {
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

test('an address that a request names is believed from a proxy alone, and only the last', () => {
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
