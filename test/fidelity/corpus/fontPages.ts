// Pages of text that must have the same pixels on every machine: each way to choose a font, and each script that ships.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A composition of 480 by 270 pixels. `files`: the project; `index.html` is the composition. */
export type FontPage = { name: string; files: Record<string, string | Uint8Array> };

/** A page without any font of its own. */
function page(name: string, css: string, body: string, files: FontPage['files'] = {}): FontPage {
  const html = `<!doctype html>
<html><head><meta charset="utf-8"><style>
html, body { margin: 0; background: #fff; color: #111 }
#root { position: relative; width: 480px; height: 270px; overflow: hidden; font-size: 18px; padding: 6px 10px; box-sizing: border-box }
p { margin: 0 }
${css}
</style></head><body>
<div id="root" data-composition-id="main" data-width="480" data-height="270" data-duration="0.1" data-fps="10">
${body}
</div></body></html>`;
  return { name, files: { 'index.html': html, ...files } };
}

const pangram = 'Sphinx of black quartz 0123';

/** One line for each family. */
const lines = (families: readonly string[], text = pangram): string =>
  families.map((family) => `<p style='font-family:${family}'>${family.replaceAll('"', '')}: ${text}</p>`).join('');

const replaced = ['Arial', 'Helvetica', '"Times New Roman"', '"Courier New"', 'Georgia', 'Calibri', 'Cambria'];

const weights = [100, 200, 300, 400, 500, 600, 700, 800, 900]
  .map((weight) => `<p style="font-weight:${weight}">Weight ${weight} <i>and italic</i></p>`)
  .join('');

const fontFile = (path: string): Uint8Array =>
  readFileSync(fileURLToPath(new URL(`../../../examples/launch-card/fonts/${path}`, import.meta.url)));

const families = [
  page('replaced system fonts', 'p { line-height: normal }', lines([...replaced, 'Times', 'Courier'])),
  page(
    'bold and italic replaced fonts',
    '#root { font-size: 15px; columns: 2 }',
    replaced
      .map(
        (family) =>
          `<p style='font-family:${family}'>Regular <b>Bold</b><br><i>Italic</i> <b><i>Bold italic</i></b></p>`,
      )
      .join(''),
  ),
  page(
    'generic families',
    '',
    lines([
      'serif',
      'sans-serif',
      'monospace',
      'cursive',
      'fantasy',
      'math',
      'ui-serif',
      'ui-sans-serif',
      'ui-monospace',
    ]),
  ),
  page(
    'fonts of user interfaces',
    '',
    lines(
      [
        'system-ui',
        '-apple-system',
        'BlinkMacSystemFont',
        '"Segoe UI"',
        'Roboto',
        'Inter',
        '"Helvetica Neue"',
        'Menlo',
        'Consolas',
      ],
      'Quartz 0123',
    ),
  ),
  page('weights of Roboto', '#root { font-family: Roboto; line-height: 1.4 }', weights),
  page('weights of Inter', '#root { font-family: Inter, sans-serif; line-height: 1.4 }', weights),
  page(
    'no font named',
    'h1, h3, ul { margin: 4px 0 }',
    '<h1>Heading</h1><h3>Smaller heading</h3><p>Text with <b>bold</b>, <i>italic</i>, <small>small</small>, H<sub>2</sub>O and x<sup>2</sup>.</p><ul><li>First<li>Second</ul><table><tr><th>Name<td>Value</table><blockquote>Quoted</blockquote>',
  ),
  page(
    'fonts that no machine has',
    '',
    lines(['Nonexistent', '"Nobody Sans", "Also Missing"', 'Nonexistent, Georgia', 'Nonexistent, monospace']),
  ),
];

const elements = [
  page(
    'form elements',
    '#root > * { vertical-align: top; margin: 3px }',
    '<button>Button</button><input value="Input"><input placeholder="Placeholder"><input type="date" value="2026-01-02"><select><option>Option</select><textarea rows="2">Text area</textarea><input type="submit"><input type="file"><fieldset><legend>Legend</legend><label><input type="checkbox" checked> Label</label></fieldset><meter value=".5"></meter><button style="font: inherit">Inherits</button>',
  ),
  page(
    'code elements',
    'pre { margin: 4px 0 }',
    '<pre>pre  with   spaces\n\tand a tab</pre><p><code>code</code> <kbd>Ctrl</kbd> <samp>samp</samp> <tt>tt</tt> <var>var</var></p><pre><code>const nested = "code";</code></pre>',
  ),
  page(
    'the font shorthand',
    '.a { font: 20px serif } .b { font: italic 700 20px/1.4 sans-serif } .c { font: small-caps 1.2em/2 monospace } .d { font: 20px Missing, system-ui } .e { font-family: monospace !important } .f { font: caption } .g { font: initial } .h { font: menu } @supports (display: grid) { @media (min-width: 1px) { .i { font: 20px cursive; &::after { content: " nested"; font-family: serif } } } } @layer a { .j { font: bold 18px monospace } }',
    [...'abcdefghij'].map((name) => `<p class="${name}">Class ${name}</p>`).join(''),
  ),
  page(
    'fonts in custom properties',
    ':root { --font: Missing, sans-serif; --mono: monospace; --whole: italic 24px/1.3 serif; --named: Georgia } .a { font-family: var(--font) } .b { font-family: var(--mono) } .c { font: var(--whole) } .d { font-family: var(--none, monospace) } .e { font: bold 20px var(--named), serif } .f { --font: Courier; font-family: var(--font) } .g { font-family: "Missing", var(--mono) }',
    [...'abcdefg'].map((name) => `<p class="${name}">Class ${name}: ${pangram}</p>`).join(''),
  ),
  page(
    'fonts in attributes',
    '',
    '<p style="font-family: monospace">style</p><p style="font: bold 22px system-ui">style with font</p><p style="--f: sans-serif; font-family: var(--f)">style with a custom property</p><p style="font-family: Missing, &quot;Helvetica Neue&quot;, Helvetica, Arial, sans-serif">a usual list</p><p><font face="monospace">font element</font> <font face="Missing">unknown</font></p>',
  ),
  page(
    'text in SVG',
    'text { font-size: 20px } .c { font-family: monospace }',
    '<svg width="460" height="240"><text y="24">no font</text><text y="50" font-family="sans-serif">attribute</text><text y="76" font-family="Missing, monospace" font-weight="700">attribute with a list</text><text y="102" style="font-family: serif; font-style: italic">style</text><text y="128" class="c">class <tspan font-family="Georgia">tspan</tspan></text><g font-family="Calibri"><text y="154">inherited 中文 ✓ 😀</text></g><path id="p" d="M0 220 Q 200 160 440 220" fill="none"/><text font-family="system-ui"><textPath href="#p">text along a path</textPath></text><foreignObject y="200" x="300" width="150" height="60"><div xmlns="http://www.w3.org/1999/xhtml" style="font-family: monospace">foreign object</div></foreignObject></svg>',
  ),
  page(
    'formulas',
    'math { font-size: 30px }',
    '<math display="block"><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></mrow></math><math display="block"><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mo>∫</mo><mi mathvariant="normal">ℝ</mi></math>',
  ),
];

const scripts = [
  page(
    'text on a canvas',
    '',
    `<canvas id="c" width="460" height="250"></canvas><script>
    const brush = c.getContext('2d');
    brush.fillText('default font', 0, 12);
    ['20px sans-serif', 'bold 20px Georgia', 'italic 20px monospace', '20px Missing', '600 20px Inter, system-ui', '20px "Segoe UI"'].forEach((font, i) => {
      brush.font = font; brush.fillText(font + ' ' + Math.round(brush.measureText('Width').width), 0, 40 + i * 26);
    });
    brush.save(); brush.font = '24px serif'; brush.restore(); brush.strokeText('restored', 0, 200);
    brush.font = 'invalid'; brush.fillText(brush.font, 120, 200);
    c.style.fontFamily = 'monospace'; brush.font = '2em Arial'; brush.fillText(brush.font, 120, 240);
    const other = document.createElement('canvas').getContext('2d');
    other.font = '20px serif'; other.reset(); other.fillText('after reset', 0, 20); brush.drawImage(other.canvas, 0, 220);
    </script>`,
  ),
  page(
    'scripts of the world on canvases',
    '',
    `<canvas id="c" width="460" height="125"></canvas><canvas id="d" width="460" height="120"></canvas><script>
    const draw = (brush) => {
      brush.font = '24px sans-serif'; brush.fillText('中文字 日本語 한국어 Ωжğ', 0, 30);
      brush.font = '24px Georgia, serif'; brush.fillText('שלום مرحبا नमस्ते ไทย', 0, 66);
      brush.font = '24px Missing'; brush.fillText('😀 👍🏽 → ✓ ∑', 0, 102);
    };
    draw(c.getContext('2d'));
    const off = new OffscreenCanvas(460, 120); draw(off.getContext('2d')); d.getContext('2d').drawImage(off, 0, 0);
    </script>`,
  ),
  page(
    'fonts that scripts set',
    '',
    `<p id="a">style.fontFamily</p><p id="b">setAttribute</p><p class="c">insertRule</p><p class="d">adoptedStyleSheets</p><div id="e"></div><p class="f">new style element</p><p class="g">text of a style element</p><p id="h">style.font</p><p class="i">rule.style</p><p class="j">replaced text</p><style id="s">.i { color: teal }</style><style id="t">.j { color: red }</style><script>
    a.style.fontFamily = 'Missing, monospace';
    b.setAttribute('style', 'font: 20px sans-serif');
    document.styleSheets[0].insertRule('.c { font-family: monospace }', 0);
    const sheet = new CSSStyleSheet(); sheet.replaceSync('.d { font: bold 18px sans-serif }'); document.adoptedStyleSheets = [sheet];
    e.innerHTML = '<p style="font-family: cursive">innerHTML</p><style>.x { font-family: monospace }</style><p class="x">style in innerHTML</p>';
    document.head.append(Object.assign(document.createElement('style'), { textContent: '.f { font-family: sans-serif }' }));
    const text = document.createElement('style'); document.head.append(text); text.append('.g { font-family: monospace }');
    h.style.font = 'italic 20px system-ui';
    s.sheet.cssRules[0].style.fontFamily = 'monospace';
    t.textContent = '.j { font-family: sans-serif }';
    </script>`,
  ),
  page(
    'a web component',
    '',
    `<my-card>slotted</my-card><x-open></x-open><div><template shadowrootmode="open"><style>p { font-family: monospace; margin: 0 }</style><p>declarative root</p></template></div><p>after</p><script>
    customElements.define('my-card', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<style>p { font-family: sans-serif; margin: 0 }</style><p>In a shadow root</p><p style="font-family: monospace">style in a root 中 ✓</p><slot></slot><button>Button</button><code>code</code>';
    } });
    customElements.define('x-open', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: 'closed' }); const sheet = new CSSStyleSheet(); sheet.replaceSync('p { font: 20px cursive; margin: 0 }');
      root.adoptedStyleSheets = [sheet]; root.innerHTML = '<p>adopted in a closed root</p>';
    } });
    </script>`,
  ),
];

const writing = [
  page(
    'Latin, Greek and Cyrillic',
    '',
    lines(
      ['sans-serif', 'serif', 'monospace', 'Georgia', 'Calibri', 'Inter'],
      'Ünïçødé Žluťoučký ąęłńśż Ελληνικά Жизнь ґєї Việt',
    ),
  ),
  page(
    'Arabic and Hebrew',
    '#root { font-size: 24px }',
    '<p dir="rtl" lang="ar">الفيديو من صفحة ويب</p><p dir="rtl" lang="ar" style="font: 700 24px sans-serif">مرحبا بالعالم ١٢٣</p><p dir="rtl" lang="fa">زبان فارسی گچپژ</p><p dir="rtl" lang="he">וידאו מדף אינטרנט</p><p dir="rtl" lang="he" style="font: 700 24px sans-serif">שָׁלוֹם עולם</p>',
  ),
  page(
    'Devanagari and Thai',
    '#root { font-size: 24px }',
    '<p lang="hi">वेब पेज से वीडियो क्षत्रज्ञ</p><p lang="hi" style="font: 700 24px sans-serif">नमस्ते दुनिया १२३</p><p lang="th">วิดีโอจากเว็บเพจ น้ำผึ้ง</p><p lang="th" style="font: 700 24px sans-serif">สวัสดีชาวโลก ๑๒๓</p>',
  ),
  page(
    'simplified and traditional Chinese',
    '#root { font-size: 24px }',
    '<p lang="zh">视频由网页制成，骨直门。</p><p lang="zh" style="font: 700 24px sans-serif">视频由网页制成，骨直门。</p><p lang="zh-TW">視頻由網頁製成，骨直門。</p><p lang="zh-TW" style="font: 300 24px sans-serif">視頻由網頁製成，骨直門。</p><p lang="zh-Hant-HK">視頻由網頁製成，骨直門。</p>',
  ),
  page(
    'Japanese and Korean',
    '#root { font-size: 24px }',
    '<p lang="ja">動画をHTMLで作る、骨直。</p><p lang="ja" style="font: 900 24px sans-serif">カタカナ「かぎ」１２３</p><p lang="ko">웹 페이지로 만든 영상</p><p lang="ko" style="font: 700 24px monospace">안녕하세요 骨直 abc</p>',
  ),
  page(
    'scripts without a language',
    '',
    `<p>骨直 漢字 English 中文 Ελλάδα Россия</p><p style="font-family: sans-serif">עברית عربى हिन्दी ไทย 한국어 日本語</p><p style="font-family: monospace">a中b文c ｆｕｌｌ ＷＩＤＴＨ</p><p style="font-family: 'PingFang SC', 'Microsoft YaHei', sans-serif">苹方 微软雅黑</p><p style="font-family: 'Hiragino Sans', Meiryo, sans-serif">ヒラギノ メイリオ</p><p style="font-family: Arial">mixed 中 ✓ 😀 é → end</p>`,
  ),
  page(
    'vertical text',
    '#root { display: flex; gap: 20px } p { height: 240px; font-size: 20px } .a { writing-mode: vertical-rl } .b { writing-mode: vertical-rl; font-family: sans-serif; text-orientation: upright } .c { writing-mode: vertical-lr } .d { writing-mode: sideways-lr }',
    '<p class="a" lang="ja">縦書きの「文章」、とLatin 12。ー</p><p class="b" lang="ja">縦書きABC。</p><p class="c" lang="zh">竖排（文字），数字１２。</p><p class="c" lang="ko">세로쓰기 한국어</p><p class="d">Sideways text</p><p class="a" style="font-family: monospace">横 mono 😀</p>',
  ),
  page(
    'emoji',
    'p { font-size: 28px; line-height: 1.35 }',
    '<p>😀 🎬 ✨ ❤️ ☀️ 🥹 🫠</p><p>👍🏻👍🏿 🤌🏽 👩🏽‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🧑🏾‍🤝‍🧑🏻</p><p>🇯🇵 🇩🇪 🇧🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ #️⃣ *️⃣</p><p>❤︎ ☎︎ ☀︎ ✔︎ ⏏︎ | ❤️ ☎️ ☀️ ✔️ ⏏️</p><p style="font: 28px sans-serif">©® ™ ‼ 0123 #* A😀B</p><p style="font-family: Apple Color Emoji, Segoe UI Emoji">🚀 text</p>',
  ),
  page(
    'symbols, arrows and math',
    'p { font-size: 20px; line-height: 1.4 }',
    '<p>← ↑ → ↓ ↔ ⇒ ⇔ ➜ ➤ ⟶ ⤴ ⬆ ↻ ⏎ ⌘ ⌥ ⇧ ⌫</p><p style="font-family: sans-serif">← ↑ → ↓ ↔ ⇒ ⇔ ➜ ➤ ⟶ ⤴ ⬆ ↻ ⏎ ⌘ ⌥ ⇧ ⌫</p><p>∀∃∅∈∑∏√∞∫≈≠≤≥⊂⊕ ℝℕℤ 𝒜𝔹𝐱 ½ ⅓ x² ₂ ‰</p><p style="font-family: sans-serif">✓ ✔ ✗ ★ ☆ ● ○ ■ □ ▲ ▶ ◆ ♠ ♥ ♪ ♫ ☐ ☑</p><p style="font-family: monospace">─│┌┐└┘├┤═║ █▓▒░ ▁▃▅▇ ⠋⠙⠹</p><p>€ £ ¥ ₹ ₽ ₿ ₩ § ¶ † ‡ • … “” „ « » – — № ℃ ① ② Ⅳ</p>',
  ),
  page(
    'characters in no font',
    'p { font-size: 26px }',
    '<p>Cuneiform: 𒀀𒀁 end</p><p style="font-family: sans-serif">Rohingya: 𐴀𐴁 end</p><p style="font: bold 26px monospace">Private: \u{e000}\u{f8ff} end</p><p style="font-family: Missing">Unassigned: \u{378} end</p><p style="font: italic 26px Georgia">Linear B: 𐀀𐀁 end</p>',
  ),
];

const features = [
  page(
    'font features',
    'p { font: 22px/1.4 Inter } .a { font-feature-settings: "tnum" } .b { font-feature-settings: "ss01", "cv11" } .c { font-variant-numeric: tabular-nums slashed-zero } .d { font-feature-settings: "frac" } .e { font: 22px/1.4 Roboto; font-feature-settings: "smcp" } .f { font: 22px/1.4 Calibri; font-variant-ligatures: none } .g { font: 22px/1.4 Calibri } .h { font-family: Arial; font-kerning: none }',
    [...'abcdefgh'].map((name) => `<p class="${name}">${name} 1110 agl 1/2 office AVATAR</p>`).join(''),
  ),
  page(
    'variable fonts',
    'p { font-family: Inter; line-height: 1.35 } .r { font-family: Roboto } .s { font-family: "Noto Sans JP" }',
    '<p style="font-weight:350">Weight 350</p><p style="font-weight:650">Weight 650</p><p style="font-variation-settings:\'wght\' 820">wght 820</p><p class="r" style="font-weight:350">Roboto 350</p><p class="r" style="font-stretch:75%">Roboto 75 % wide</p><p class="r" style="font-weight:650;font-style:italic">Roboto 650 italic</p><p class="s" style="font-weight:250">可変フォント 250</p><p class="s" style="font-weight:850">可変フォント 850</p><p style="font:650 18px Arial">Arial 650</p>',
  ),
  page(
    'small caps, spacing and generated text',
    'p { line-height: 1.3 } .a { font-variant: small-caps } .b { font-variant-caps: all-small-caps; font-family: sans-serif } .c { text-transform: uppercase; letter-spacing: .2em; font-family: monospace } .d { text-transform: capitalize; word-spacing: 1em } .e::before { content: "→ before 中 "; font-family: monospace } .e::after { content: " ✓" } .f::first-letter { font: 36px sans-serif } .g { font-synthesis: none; font-family: Inter; font-style: oblique 20deg } .h { text-transform: full-width } ol { margin: 0; list-style: korean-hangul-formal } .k { display: list-item; list-style: "★ " inside }',
    `${[...'abcdefgh'].map((name) => `<p class="${name}">Mixed case ß ${name}</p>`).join('')}<ol><li>item</ol><p class="k">marker</p>`,
  ),
  page(
    'fonts of the page',
    `@font-face { font-family: Own; src: url(fonts/serif.woff2) } @font-face { font-family: Ranged; src: url(fonts/sans.woff2); font-weight: 100 900; unicode-range: U+41-5A }
    @font-face { font-family: Arial; src: url(fonts/serif.woff2) } @font-face { font-family: Local; src: local("DejaVu Sans"), local("Arial"), url(fonts/sans.woff2) } p { font-size: 24px }`,
    '<p style="font-family: Own">Own: Instrument Serif ✓ 中</p><p style="font-family: Ranged, monospace">Ranged: CAPITALS only</p><p style="font: 700 24px Ranged">RANGED without more</p><p style="font-family: Arial">Arial is replaced by the page</p><p style="font-family: sans-serif">Sans-serif is not</p><p style="font-family: Local">A local font</p>',
    {
      'fonts/serif.woff2': fontFile('instrument-serif-latin-400-normal.woff2'),
      'fonts/sans.woff2': fontFile('geist-latin-wght-normal.woff2'),
    },
  ),
  page(
    'an embedded composition',
    'p { font-family: sans-serif }',
    '<p>In the entry</p><div data-composition-src="card.html" data-start="0" data-duration="0.1"></div><p style="font-family: Own">Own in the entry</p>',
    {
      'card.html': `<template><div data-composition-id="card" data-width="480" data-height="120" data-duration="0.1"><style>
        @font-face { font-family: Own; src: url(fonts/serif.woff2) }
        h2 { font: 28px Own, serif; margin: 4px 0 } p { font-family: monospace } em { font-family: Calibri }
        </style><h2>Own font in the card</h2><p>monospace in the card 日本 <em>Calibri</em></p><script>document.querySelector('h2').append(' ✓');</script></div></template>`,
      'fonts/serif.woff2': fontFile('instrument-serif-latin-400-normal.woff2'),
    },
  ),
];

export const fontPages: readonly FontPage[] = [...families, ...elements, ...scripts, ...writing, ...features];
