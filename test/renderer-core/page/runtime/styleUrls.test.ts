// The files in the values of CSS properties.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceUrls, urlsIn } from '../../../../renderer-core/page/runtime/styleUrls.ts';

const base = 'http://localhost/styles/main.css';
const replaced = (css: string) =>
  replaceUrls(css, base, (url) => (url.endsWith('.gif') ? `var(${new URL(url).pathname})` : undefined));

test.each([
  ['url("a.gif")', 'var(/styles/a.gif)'],
  ["url('a.gif') no-repeat", 'var(/styles/a.gif) no-repeat'],
  ['url( ../a.gif )', 'var(/a.gif)'],
  ['url("a\\"b.gif"), url(/c.gif)', 'var(/styles/a%22b.gif), var(/c.gif)'],
  ['image-set(url("a.gif") 1x, url("b.png") 2x)', 'image-set(var(/styles/a.gif) 1x, url("b.png") 2x)'],
  ['url("a(1).gif") 0 0', 'var(/styles/a(1).gif) 0 0'],
  ['image-set("a.gif" 1x, "b.png" 2x)', 'image-set(var(/styles/a.gif) 1x, "b.png" 2x)'],
  ['url(b.png), image-set("a.gif" 1x)', 'url(b.png), image-set(var(/styles/a.gif) 1x)'],
  ['URL( "a.gif" )', 'var(/styles/a.gif)'],
  ['url(a.gif', 'url(a.gif'],
  ['url(a.png)', 'url(a.png)'],
  ['url(#a.gif)', 'url(#a.gif)'],
  ['url()', 'url()'],
  ['linear-gradient(red, blue)', 'linear-gradient(red, blue)'],
])('%s becomes %s', (css, expected) => expect(replaced(css)).toBe(expected));

test('files are listed with absolute URLs, without blobs and references to elements', () => {
  expect(urlsIn('url(a.gif), url("blob:x"), url(#b), url("http://a.example/c.svg#d")', base)).toEqual([
    'http://localhost/styles/a.gif',
    'http://a.example/c.svg#d',
  ]);
});

test('a file that is embedded as a long URL can be replaced', () => {
  const url = `data:image/gif;base64,${'A'.repeat(10_000_000)}`;
  expect(replaceUrls(`url("${url}") 0 0`, base, () => 'x')).toBe('x 0 0');
});

test('nothing changes without a replacement', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const css = `url(${text})`;
      expect(replaceUrls(css, base, () => undefined)).toBe(css);
    }),
  );
});
