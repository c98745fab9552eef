// Hover: its text and the range that it covers, for the cursor `|`.
import { describe, expect, test } from 'vitest';
import { hover } from '../../../../server/features/hover/hover.ts';
import { mark } from '../../../support/editor/markup.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';

const durations = { 'city.mp4': 12.48 };

/** The text of the hover, and the file with its range marked. */
function hoverAt(markup: string): { says: string; marked: string } {
  const { file, offset } = fileWithCursor(markup, durations);
  const found = hover(file, offset);
  if (!found?.range) return { says: '', marked: '' };
  const { document } = file;
  const span = { start: document.offsetAt(found.range.start), end: document.offsetAt(found.range.end) };
  const { contents } = found;
  const says = typeof contents === 'object' && 'value' in contents ? contents.value : '';
  return { says, marked: mark(document.getText(), [span]) };
}

/** `range`: a part of the file with the hovered range in «». `said`: parts of the text. */
function check(markup: string, range: string, ...said: readonly string[]) {
  const { says, marked } = hoverAt(markup);
  expect(marked).toContain(range);
  for (const part of said) expect(says).toContain(part);
}

const nothing = (markup: string) => expect(hoverAt(markup)).toEqual({ says: '', marked: '' });

const root = (markup: string) => `<div data-composition-id="main" data-fps="25">${markup}</div>`;

test('shows the description of a variable', () => {
  const declared = '[{"id":"a","type":"string","label":"Name","description":"At most *two* words","default":"x"}]';
  check(
    `<html data-composition-variables='${declared}'>${root('<p data-var-text="|a"></p>')}</html>`,
    '"«a»"',
    '**a** `string` — Name\n\nAt most \\*two\\* words\n\nDefault: `"x"`',
  );
});

test('lists what a file of captions contains', () => {
  check(
    `=== index.html\n${root('<p data-captions-src="ta|lk.vtt"></p>')}\n=== talk.vtt\nWEBVTT\n\n00:01.000 --> 00:02.500\nGood morning\n`,
    '"«talk.vtt»"',
    '**talk.vtt** 1 caption · 1 s – 2.5 s\n\n> Good morning',
  );
});

describe('attributes', () => {
  test('are documented', () => {
    check(
      root('<p data-st|art="0"></p>'),
      '<p «data-start»="0">',
      'When the clip starts',
      '```html\ndata-start="0"\n```',
    );
    check(root('<video mu|ted></video>'), '<video «muted»>');
    expect(hoverAt(root('<video mu|ted></video>')).says).toMatch(/^Excludes the audio/);
    nothing(root('<marquee lo|op></marquee>'));
    nothing(root('<p cla|ss="a"></p>'));
    nothing(root('<p>te|xt</p>'));
  });

  test('show numbers with units', () => {
    check(
      '<div data-composition-id="a" data-width="19|20" data-height="1080">',
      '"«1920»"',
      '**1920 × 1080 pixels**, 16:9',
    );
    check(
      '<div data-composition-id="a" data-fps="30000/10|01">',
      '"«30000/1001»"',
      '**29.97 frames per second**, 33.367 ms each',
    );
    check('<div data-composition-id="a" data-duration="2|">', '"«2»"', '**2 s (60 frames)**');
    check(
      '<div data-composition-id="a" data-sizes="19|20x1080 9x16">',
      '"«1920x1080 9x16»"',
      '**1920 × 1080 pixels**, 16:9\\\n**9 × 16',
    );
    check('<div data-composition-id="a" data-poster-time="2.5|">', '"«2.5»"', '**2.5 s (75 frames)**');
    check(root('<video data-volume="0.|5"></video>'), '"«0.5»"', '**50 %**, -6.021 dB');
    check(root('<video src="city.mp4" data-playback-rate="|2"></video>'), '"«2»"', 'the file plays for 6.24 s');
  });
});

describe('clips', () => {
  const clips = (markup: string) => root(`<p id="a" data-start="1" data-duration="2"></p>${markup}`);

  test('show their times in seconds and frames', () => {
    check(
      clips('<p id="b" data-start="a + 0.5" data-duration="|1">'),
      '"«1»"',
      '**"b"** shows 3.5 s – 4.5 s',
      '- Start: 3.5 s (87.5 frames)',
      '- Duration: 1 s (25 frames)',
      'At 25 frames',
    );
    check(clips('<video data-sta|rt="a" src="city.mp4">'), '«data-start»="a" src', 'shows 3 s – 15.48 s');
    check(clips('<|p id="b" data-start="a"></p>'), '<«p» id="b"', 'shows 3 s – …', '- End: not known');
  });

  test('show the referenced clip first', () => {
    const { says, marked } = hoverAt(clips('<p id="b" data-start="|a + 1" data-duration="1"></p>'));
    expect(marked).toContain('data-start="«a» + 1"');
    expect(says.indexOf('**"a"**')).toBe(0);
    expect(says).toContain('**"b"** shows 4 s – 5 s');
  });

  test('show when they are visible inside others', () => {
    const inner = (start: string) =>
      root(`<div data-start="0" data-duration="2"><|p id="i" data-start="${start}" data-duration="3"></p></div>`);
    check(inner('1'), '<«p» id', '- Visible 1 s – 2 s');
    check(inner('5'), '<«p» id', '- Never visible');
  });

  test('report a start that cannot be resolved', () =>
    check(root('<|p id="x" data-start="missing"></p>'), '<«p»', 'has a start that cannot be resolved'));
});

const card = `<html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello","maxLength":9},{"id":"size","type":"number","default":2,"min":1,"unit":"px"}]'>
<div data-composition-id="card" data-width="100" data-height="50" data-duration="4"><p data-var-text="title"></p></div></html>`;

describe('hosts', () => {
  const files = (host: string) => `=== index.html\n${root(host)}\n=== cards/card.html\n${card}`;

  test('show the embedded file and the values of the instance', () => {
    const host = `<div data-composition-src="cards/ca|rd.html" data-variable-values='{"title":"Pro"}'></div>`;
    check(
      files(host),
      '"«cards/card.html»"',
      '[cards/card.html](<file:///project/cards/card.html>) — 100 × 50 · 4 s · 2 variables',
      '- title: `"Pro"`\n- size: `2` (default)',
    );
    check(files(host.replace('|', '').replace('<div', '<d|iv')), '<«div» data-composition-src', '- title: `"Pro"`');
  });

  test('show the variable of a value', () => {
    const host = (values: string) =>
      files(`<div data-composition-src="cards/card.html" data-variable-values='${values}'></div>`);
    check(
      host('{"ti|tle":"Pro"}'),
      '{"«title»":"Pro"}',
      '**title** `string` — Title',
      'Default: `"Hello"`',
      'Maximum length: 9',
      'Declared in [cards/card.html:1](<file:///project/cards/card.html#L1>)',
      'Read in 1 place',
    );
    check(host('{"title":"P|ro"}'), '{"title":"«Pro»"}', 'Here: `"Pro"`');
    check(host('{"si|ze":"Pro"}'), '{"«size»":"Pro"}', 'Default: `2` px', 'Range: from 1', 'Never read');
    nothing(host('{"other|":"Pro"}'));
    nothing(files(`<div data-composition-src="none.html" data-variable-values='{"a|":1}'></div>`));
  });
});

describe('variables', () => {
  const index = root(
    `<div data-composition-src="card.html" data-variable-values='{"title":"Pro"}'></div>\n<div data-composition-src="/card.html" data-variable-values='{"title":"Basic"}'></div>`,
  );
  const files = (text: string) => `=== card.html\n${text}\n=== index.html\n${index}\n`;

  test('show the declaration and overriding values', () => {
    check(
      files(card.replace('"title"', '"ti|tle"')),
      '{"id":"«title»"',
      'Overridden by\n- [index.html:1](<file:///project/index.html#L1>): `"Pro"`\n- [index.html:2](<file:///project/index.html#L2>): `"Basic"`',
    );
    check(files(card.replace('"Hello"', '"He|llo"')), '"default":"«Hello»"', '**title**');
    check(files(card.replace('"maxLength"', '"max|Length"')), '"«maxLength»":9', 'Maximum number of characters');
    check(files(card.replace('"number"', '"numb|er"')), '"type":"«number»"', 'A number, with optional');
  });

  test('show an override once, even if the parser duplicates the element', () => {
    const doubled = `=== card.html\n${card.replace('"title"', '"ti|tle"')}\n=== index.html\n${root(`<p><b data-composition-src="card.html" data-variable-values='{"title":"Pro"}'></p><p>x</b></p>`)}`;
    expect(hoverAt(doubled).says.match(/index\.html:1/g)).toHaveLength(1);
  });

  test('show how often they are read', () => {
    const used = (markup: string) => card.replace('</div>', `${markup}</div>`);
    check(used('<p data-var-text="s|ize"></p>'), 'data-var-text="«size»"', '**size**', 'Read in 1 place');
    check(used('<style>p{width:var(--si|ze)}</style>'), 'var(--«size»)', '**size**');
    check(used('<script>const { si|ze = 2 } = __framework.getVariables()</script>'), '{ «size» = 2 }', '**size**');
    check(
      used('<script>load(__framework.getVariables().si|ze); use(__framework.getVariables())</script>'),
      '.«size»',
      'scripts may also read it dynamically',
    );
    nothing(used('<p data-var-text="miss|ing"></p>'));
  });
});

describe('values that are passed on', () => {
  const declared = (id: string, value: string) =>
    `data-composition-variables='[{"id":"${id}","type":"string","default":"${value}"}]'`;
  const scene = (values: string) =>
    `<html ${declared('head', 'Scene')}>\n${root(`<div data-composition-src="card.html" data-variable-values='${values}'></div>`)}</html>`;
  const embedding = (values: string) =>
    `<html ${declared('name', 'Top')}>\n${root(`<div data-composition-src="scene.html" data-variable-values='${values}'></div>`)}</html>`;
  const files = (sceneText: string, ...indexes: string[]) =>
    [`=== scene.html\n${sceneText}`, `=== card.html\n${card}`]
      .concat(indexes.map((text, at) => `=== index${at}.html\n${text}`))
      .join('\n');

  test('show the variable, and every value that arrives with its layer', () =>
    check(
      files(scene('{"title":"$he|ad"}'), embedding('{"head":"$name"}'), embedding('{"head":"Given"}'), embedding('{}')),
      '{"title":"«$head»"}',
      '**head** `string`',
      [
        'Passes on',
        '- `"Scene"`: declared default in [scene.html:1](<file:///project/scene.html#L1>)',
        '- `"Top"`: declared default in [index0.html:1](<file:///project/index0.html#L1>); the command line or a batch row can replace it',
        '- `"Given"`: host value in [index1.html:2](<file:///project/index1.html#L2>)',
      ].join('\n'),
    ));

  test('show the value behind a reference where a variable is overridden', () => {
    check(
      files(scene('{"ti|tle":"$head"}'), embedding('{"head":"$name"}')),
      '{"«title»"',
      'Overridden by\n- [scene.html:2](<file:///project/scene.html#L2>): `$head`, `"Top"` (default in index0.html)',
    );
    const host = scene('{"title":"$head"}').replace('<div data-composition-src', '<d|iv data-composition-src');
    check(files(host, embedding('{}'), embedding('{"head":"$name"}')), '<«div»', '- title: `$head`, 2 values');
  });

  test('end in a cycle', () =>
    check(
      `=== a.html\n<html ${declared('x', 'X')}>${root(`<div data-composition-src="a.html" data-variable-values='{"x":"$|x"}'></div>`)}</html>`,
      '"«$x»"',
      'No value is passed on.',
    ));
});

describe('gradings', () => {
  const grading = (value: string) => `${card}<img data-color-grading='${value}'>`;

  test.each([
    ['{"pre|set":"noir"}', '"«preset»"', 'The look to start from'],
    [
      '{"preset":"no|ir"}',
      '"«noir»"',
      'hard contrast, deep blacks.\n\n`contrast 0.35, highlights 0.1, blacks -0.25, saturation -1`',
    ],
    ['{"preset":"$ti|tle"}', '"«$title»"', '**title**'],
    ['{"preset":"$ti|tle', '"«$title»', '**title**'],
    ['{"adjust":{"expo|sure":1}}', '"«exposure»"', '-5 to 5'],
    ['{"adjust":{"exposure":1|}}', ':«1»}', 'Exposure in stops'],
    ['{"colorSpace":"li|near"}', '"«linear»"', 'Linear light'],
  ])('are described in %s', checkGrading);

  function checkGrading(value: string, range: string, says: string) {
    check(grading(value), range, says);
  }

  test('are described after character references', () =>
    check(
      `${card}<img data-color-grading="{&quot;preset&quot;:&quot;no|ir&quot;}">`,
      '&quot;«noir»&quot;',
      'Black and white',
    ));
});

describe('font families', () => {
  const face = (name: string) => `@font-face { font-family: "${name}"; src: url(a.woff2) }`;
  const page = (list: string) =>
    `=== index.html\n${root(`<style>${face('Own')} p { font: 20px ${list} }</style>`)}\n=== fonts/dm.css\n${face('DM Sans')}\n`;

  test.each([
    ['O|wn, serif', '«Own»', '**Own**: declared in this file'],
    ['"DM Sa|ns"', '«"DM Sans"»', '**DM Sans**: declared in `fonts/dm.css`'],
    ['In|ter', '«Inter»', '**Inter** is included with Framework'],
    ['Helv|etica', '«Helvetica»', '**Helvetica**: text uses **Arimo**'],
    ['Own, seri|f', '«serif»', '**serif**: text uses **Tinos**'],
    [
      'Fut|ura, serif',
      '«Futura»',
      '**Futura** is not available: text uses the next family of the list. To add it: `framework fonts add "Futura"`',
    ],
  ])('are described in %s', (list, range, says) => check(page(list), range, says));

  test('are described in style attributes, also if not all style sheets are known', () => {
    const link = '<link rel="stylesheet" href="https://cdn.example.com/a.css">';
    check(root(`${link}<p style="font-family: 'Fut|ura'">`), "«'Futura'»", 'may be declared by a style sheet');
  });
});
