// Text: fonts and shaping, lines and columns, text effects, and moving letters.
import { many, page } from '../page.ts';

const letters = (text: string) => [...text].map((letter, i) => `<span style="--i:${i}">${letter}</span>`).join('');

export const text = [
  page(
    'weights and styles',
    'p { margin: 6px 20px } .small { font-size: 11px; letter-spacing: .02em } .caps { font-variant: small-caps } .wide { letter-spacing: .3em; text-transform: uppercase } .tight { letter-spacing: -.06em; font-weight: 900; font-size: 40px }',
    '<p style="font-weight:300">Light weight</p><p style="font-weight:700">Bold weight</p><p><i>Italic</i>, <u>underlined</u>, <s>struck</s>, <mark>marked</mark>, H<sub>2</sub>O, x<sup>2</sup></p><p class="small">Eleven pixels: the quick brown fox jumps over the lazy dog.</p><p class="caps">Small Capitals</p><p class="wide">Wide</p><p class="tight">Tight headline</p>',
  ),
  page(
    'decorations',
    'p { margin: 10px 20px; font-size: 26px } .a { text-decoration: underline wavy #e33 3px; text-underline-offset: 6px } .b { text-decoration: line-through double #39c } .c { text-emphasis: filled circle #e80 } .d { text-shadow: 0 1px 0 #ccc, 0 2px 0 #bbb, 0 3px 0 #aaa, 0 8px 12px #0006 } .e { -webkit-text-stroke: 2px #06c; color: transparent; font: 900 44px sans-serif } .f { paint-order: stroke fill; -webkit-text-stroke: 6px #fff; font-weight: 900 }',
    '<p class="a">Wavy underline</p><p class="b">Crossed out</p><p class="c">Emphasis</p><p class="d">Stacked shadows</p><p class="e">OUTLINE</p><div style="background:#36c"><p class="f">Stroke below fill</p></div>',
    { height: 330 },
  ),
  page(
    'text filled with a gradient',
    '@keyframes shine { from { background-position: 0 0 } to { background-position: 200% 0 } } h1 { margin: 20px; font: 900 70px/1 sans-serif; color: transparent; background: linear-gradient(90deg, #f06, #fc0, #0cf, #f06) 0 0 / 200% 100%; background-clip: text; -webkit-background-clip: text; animation: shine .5s linear both }',
    '<h1>Gradient</h1><h1>type</h1>',
  ),
  page(
    'writing systems',
    'p { margin: 4px 20px; font-size: 24px }',
    '<p lang="zh">视频由网页制成</p><p lang="ja">動画をHTMLで作る</p><p lang="ar" dir="rtl">الفيديو من صفحة ويب</p><p lang="he" dir="rtl">וידאו מדף אינטרנט</p><p lang="hi">वेब पेज से वीडियो</p><p lang="th">วิดีโอจากเว็บเพจ</p><p lang="el">Βίντεο από ιστοσελίδα · Видео · Ünïcödé</p><p>🎬 ✨ 👩‍👩‍👧 🇯🇵 ① ½ ﬁ → ∞</p>',
    { height: 320 },
  ),
  page(
    'writing directions',
    '#root { display: flex; gap: 20px; padding: 10px } .v { writing-mode: vertical-rl; height: 220px } .s { writing-mode: sideways-lr } .u { writing-mode: vertical-lr; text-orientation: upright } .t { transform: rotate(-90deg); align-self: center }',
    '<div class="v">縦書きの文章 with Latin 12</div><div class="s">Sideways</div><div class="u">UPRIGHT</div><div class="t">Rotated</div>',
  ),
  page(
    'paragraphs',
    '.c { columns: 3; column-gap: 16px; column-rule: 1px solid #999; font-size: 12px; text-align: justify; hyphens: auto; padding: 12px } .c::first-letter { font-size: 40px; float: left; color: #c33 } .l { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; width: 200px; margin: 0 12px } .e { width: 180px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; margin: 6px 12px } .w { text-wrap: balance; text-align: center }',
    `<div class="c">${'Justified text in three columns with hyphenation flows from one to the next, as in a newspaper of old. '.repeat(4)}</div><p class="l">A paragraph that is clamped to two lines and ends with an ellipsis because there is more.</p><p class="e">One line that does not fit into its box</p><p class="w">A balanced heading breaks into lines of like length</p>`,
    { height: 360 },
  ),
  page(
    'letters animated one by one',
    '@keyframes rise { from { opacity: 0; transform: translateY(30px) rotate(20deg) } } h1 { margin: 60px 30px; font: 900 52px/1.1 sans-serif } h1 span { display: inline-block; animation: rise .4s cubic-bezier(.2, 1.4, .4, 1) both; animation-delay: calc(var(--i) * .02s) }',
    `<h1>${letters('KINETIC')}<br>${letters('letters')}</h1>`,
    // The browser rotates such layers as bitmaps, but painting rotates their shapes.
    { threshold: 32 },
  ),
  page(
    'scaling letters',
    '@keyframes zoom { from { transform: scale(.6) } to { transform: scale(1.7) } } @keyframes track { from { letter-spacing: 0 } to { letter-spacing: .4em } } h1 { margin: 30px; text-align: center; animation: zoom .5s linear both } p { text-align: center; animation: track .5s linear both } b { display: block; text-align: center; animation: size .5s linear both } @keyframes size { from { font-size: 14px } to { font-size: 40px } }',
    '<h1>Zooming</h1><p>tracking out</p><b>growing</b>',
  ),
  page(
    'captions',
    '.cap { position: absolute; left: 0; right: 0; bottom: 24px; text-align: center; font: 800 30px sans-serif; color: #fff } .cap span { padding: 4px 12px; background: #000c; border-radius: 10px; box-decoration-break: clone; -webkit-box-decoration-break: clone; line-height: 1.6 } .on { color: #fd0; text-shadow: 0 0 10px #fd0 } #root { background: linear-gradient(#69c, #246) }',
    '<div class="cap" data-start="0" data-duration="0.2"><span>first <b class="on">words</b></span></div><div class="cap" data-start="0.2" data-duration="0.3"><span>then a caption that is long enough <b class="on">to break</b></span></div>',
  ),
  page(
    'text along a path',
    '@keyframes along { from { offset-distance: 0% } to { offset-distance: 100% } } .m { position: absolute; width: 30px; height: 20px; background: #e33; offset-path: path("M40 200 C 140 20 320 20 440 200"); animation: along .5s linear both }',
    '<svg width="480" height="270"><path id="p" d="M40 200 C 140 20 320 20 440 200" fill="none" stroke="#999"/><text font-size="26" fill="#06c"><textPath href="#p" startOffset="10%">Letters on a curve of their own</textPath></text></svg><div class="m"></div>',
  ),
  page(
    'counters and generated text',
    'ol { counter-reset: n; list-style: none; margin: 10px; padding: 0 } li { counter-increment: n } li::before { content: counter(n, upper-roman) ". "; color: #c33; font-weight: 700 } li::after { content: " — " attr(data-note); color: #999 } li::marker { color: red } ul { list-style: square inside } q { quotes: "«" "»" }',
    '<ol><li data-note="one">First</li><li data-note="two">Second</li><li data-note="three">Third</li></ol><ul><li>Square <q>quoted</q></li></ul><p style="tab-size:4;white-space:pre;margin:8px 20px">tab\tand   spaces</p>',
  ),
  page(
    'a counting number',
    '@property --n { syntax: "<integer>"; inherits: false; initial-value: 0 } @keyframes count { to { --n: 1000 } } .n { font: 900 90px/1 monospace; margin: 60px; animation: count .5s linear both; counter-reset: n var(--n) } .n::before { content: counter(n) }',
    '<div class="n"></div>',
  ),
  page(
    'formulas',
    'math { font-size: 34px } #root { padding: 30px }',
    '<math display="block"><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></mrow></math>',
  ),
  page(
    'a lot of small text',
    'div.t { float: left; width: 150px; font-size: 9px; line-height: 1.2; margin: 3px }',
    many(6, 't', 'Fine print is where smoothing shows: iiiii lllll wwwww. '.repeat(5)),
  ),
];
