// The URLs that a document loads.
import { expect, test } from 'vitest';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { findCssUrls } from '../../../renderer-core/model/text/cssUrls.ts';
import { mark } from '../../support/editor/markup.ts';

/** Each reference as `tag attribute url`; the marked ranges are their places, in order. */
function check(markup: string, expected: string[]) {
  const text = markup.replace(/[«»]/g, '');
  const found = parseComposition(text).assetReferences;
  expect(found.map(({ tag, attribute, url }) => `${tag} ${attribute} ${url}`)).toEqual(expected);
  expect(
    mark(
      text,
      found.map(({ span }) => span),
    ),
  ).toBe(markup);
}

test('finds the files that elements load', () => {
  check(
    '<img src="«a b.png»"><video src=«v.mp4» poster="«p.jpg»"><source src="«v.webm»"></video><audio src="«s.mp3»"></audio>',
    ['img src a b.png', 'video src v.mp4', 'video poster p.jpg', 'source src v.webm', 'audio src s.mp3'],
  );
  check('<script src="«https://cdn.example/gsap.js»"></script><iframe src="«f.html»"></iframe><track src="«t.vtt»">', [
    'script src https://cdn.example/gsap.js',
    'iframe src f.html',
    'track src t.vtt',
  ]);
  check('<link rel="Stylesheet" href="«a.css»"><link rel=icon href=«i.ico»><link rel=canonical href=x><link href=y>', [
    'link href a.css',
    'link href i.ico',
  ]);
  check('<svg><image href="«a.png»"/><image xlink:href="«b.png»"/><use href="«s.svg#x»"/><use href="#here"/></svg>', [
    'image href a.png',
    'image xlink:href b.png',
    'use href s.svg#x',
  ]);
  check('<img src="« a.png »">', ['img src a.png']);
  check('<img src="«a.png?x=1&amp;y=2»">', ['img src a.png?x=1&y=2']);
});

test('ignores links, embedded data and fragments', () => {
  check(
    '<a href="x.html"></a><img src="data:image/png;base64,AAAA"><img src=""><img src="#a"><img><script src="javascript:1"></script>',
    [],
  );
  check('<template><img src="inert.png"></template><div data-composition-id="m"></div>', []);
  check('<div data-composition-id="m"><div data-composition-src="c.html"></div></div>', []);
});

test('finds each file of a srcset', () => {
  check('<img srcset="«a.png» 1x, «b.png» 2x">', ['img srcset a.png', 'img srcset b.png']);
  check('<img srcset="«a.png», «b,c.png» 100w,«d.png»">', [
    'img srcset a.png',
    'img srcset b,c.png',
    'img srcset d.png',
  ]);
  check('<img srcset="data:image/png;base64,AA 1x, «b&amp;c.png» 2x">', ['img srcset b&c.png']);
  check('<img srcset=" , ">', []);
});

test('finds files in style elements and style attributes', () => {
  check(
    '<style>@import "«a.css»"; .a{background:url(«b.png»)} @font-face{src:url("«f.woff2»") format("woff2")}</style>',
    ['style null a.css', 'style null b.png', 'style null f.woff2'],
  );
  check(`<p style="background:url(&quot;«a&amp;b.png»&quot;), url('«c.png»')">`, ['p style a&b.png', 'p style c.png']);
});

function checkCss(css: string, expected: string[]) {
  expect(findCssUrls(css).map(({ url }) => url)).toEqual(expected);
}

test('skips comments and strings in CSS and resolves escapes', () => {
  checkCss('/* url(no.png) */ a{content:"url(no.png)";b:url( yes.png )}', ['yes.png']);
  checkCss("@import url('a.css') screen; @import 'b.css';", ['a.css', 'b.css']);
  checkCss('a{b:image-set( "a.png" 1x, url(b.png) 2x)}', ['a.png', 'b.png']);
  checkCss('a{b:url(a\\ b.png);c:url("\\61 .png")}', ['a b.png', 'a.png']);
  checkCss('a{b:url();c:url("")}', []);
  checkCss('a{b:URL(a.png)}', ['a.png']);
});

// Otherwise they would take minutes, and the reporter of the suite rejects tests that take long.
test('reads long unclosed CSS in linear time', () => {
  for (const css of ['/*', '"', "'", 'url(', 'url("', 'url( ', '@import ', '@import\n"', '\\', 'image-set(']) {
    expect(findCssUrls(css.repeat(50_000)).length).toBeLessThan(50_001);
  }
});

test('reads a font of many megabytes in a data URL', () => {
  const font = `data:font/woff2;base64,${'A'.repeat(20_000_000)}`;
  for (const url of [`"${font}"`, `'${font}'`, font]) {
    expect(
      findCssUrls(`@font-face { src: url(${url}) } p { background: url(a.png) }`).map((found) => found.url.length),
    ).toEqual([font.length, 'a.png'.length]);
  }
});

test('reads more URLs in one attribute than a call allows arguments', () => {
  const { assetReferences } = parseComposition(
    `<div data-composition-id="m"><img srcset="${'a.png 1x,'.repeat(200_000)}">`,
  );
  expect(assetReferences).toHaveLength(200_000);
});
