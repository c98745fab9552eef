// Completion: the items at the cursor `|`, and the text after choosing one. Long, because the cases are one list of examples
// for every attribute and JSON position.

import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type CompletionItem, InsertTextFormat, TextEdit } from 'vscode-languageserver-types';
import { complete } from '../../../../server/features/completion/completion.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';

/** Durations of the media files in the examples, in seconds. */
const durations = { 'media/city.mp4': 12.48 };

async function itemsAt(markup: string) {
  const { file, offset } = fileWithCursor(markup, durations);
  const { items } = await complete(file, offset);
  const key = ({ sortText, label }: CompletionItem) => sortText ?? label;
  items.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return { file, offset, items };
}

/** The labels in the order that an editor shows, filtered by the typed text. */
async function labels(markup: string): Promise<string[]> {
  const { file, offset, items } = await itemsAt(markup);
  const matching = items.filter(({ textEdit, filterText, label }) => {
    if (!textEdit || !TextEdit.is(textEdit)) return false;
    const typed = file.document.getText({ start: textEdit.range.start, end: file.document.positionAt(offset) });
    return (filterText ?? label).startsWith(typed.trimStart());
  });
  return matching.map(({ label }) => label);
}

const check = async (markup: string, expected: string[]) => expect(await labels(markup)).toEqual(expected);

/** The file after choosing an item, with `|` at its first empty tab stop. */
async function choose(markup: string, label: string): Promise<string> {
  const { file, items } = await itemsAt(markup);
  const item = items.find((each) => each.label === label);
  if (!item?.textEdit || !TextEdit.is(item.textEdit)) throw new Error(`${label} is not offered`);
  const isSnippet = item.insertTextFormat === InsertTextFormat.Snippet;
  const newText = isSnippet ? expand(item.textEdit.newText) : item.textEdit.newText;
  return TextDocument.applyEdits(file.document, [{ ...item.textEdit, newText }]);
}

/** Expands a snippet: placeholders stay, the first empty tab stop becomes the cursor. */
function expand(snippet: string): string {
  const marked = snippet.replace(
    /(?<!\\)\$(?:\{\d+:((?:[^\\}]|\\.)*)\}|(\d))/g,
    (_, text?: string, stop?: string) => text ?? (stop === '1' ? '|' : ''),
  );
  return marked.replace(/\\([\\$}])/g, '$1');
}

const inRoot = (markup: string) => `<div data-composition-id="main">${markup}</div>`;
const chosen = async (markup: string, label: string, expected: string) =>
  expect(await choose(inRoot(markup), label)).toBe(inRoot(expected));

describe('attribute names', () => {
  test.each<[string, string, string[]]>([
    [
      'a plain element',
      inRoot('<p |></p>'),
      [
        ...['data-composition-id', 'data-composition-src', 'data-start', 'data-var-text', 'data-var-if'],
        'data-captions-src',
      ],
    ],
    [
      'a clip',
      inRoot('<p data-start="1" |></p>'),
      [
        'data-composition-id',
        'data-composition-src',
        'data-duration',
        'data-track-index',
        'data-has-audio',
        'data-var-text',
        'data-var-if',
        'data-captions-src',
      ],
    ],
    [
      'captions',
      inRoot('<p data-captions-src="a.vtt" |></p>'),
      [
        ...['data-composition-id', 'data-composition-src', 'data-start', 'data-media-start'],
        ...['data-var-text', 'data-var-src', 'data-var-if', 'data-captions-words'],
      ],
    ],
    ['an image', inRoot('<img |>'), ['data-start', 'data-color-grading', 'data-var-src', 'data-var-if']],
    ['a source', inRoot('<video><source |></video>'), ['data-var-src']],
    [
      'a video',
      inRoot('<video data-start="0" data-duration="1" |></video>'),
      [
        'data-track-index',
        'data-has-audio',
        'data-media-start',
        'data-playback-rate',
        ...['data-volume', 'data-fade-in', 'data-fade-out', 'data-duck'],
        'data-color-grading',
        'data-var-src',
        'data-var-if',
      ],
    ],
    [
      'a host',
      inRoot('<div data-composition-src="a.html" |></div>'),
      [
        ...['data-composition-id', 'data-variable-values', 'data-duration', 'data-start', 'data-track-index'],
        'data-var-if',
      ],
    ],
    [
      'the root',
      '<div data-composition-id="main" |></div>',
      [
        ...['data-composition-variables', 'data-width', 'data-height', 'data-sizes', 'data-fps'],
        ...['data-duration', 'data-poster-time', 'data-timezone', 'data-locale', 'data-loudness'],
      ],
    ],
    ['html', '<html |><div data-composition-id="main"></div></html>', ['data-composition-variables']],
    ['a script', inRoot('<script |></script>'), []],
    ['a partly typed name', inRoot('<p data-st|></p>'), ['data-start']],
    ['a tag that swallows the next', inRoot('<p data-st|\n<p data-start="1">'), ['data-start']],
    ['the end of the file', '<div data-composition-id="main"><p data-st|', ['data-start']],
  ])('offers those that apply to %s', (_, markup, expected) => check(markup, expected));

  test('inserts a value to fill in', async () => {
    await chosen('<p data-st|></p>', 'data-start', '<p data-start="|"></p>');
    await chosen('<p data-st|="1"></p>', 'data-start', '<p data-start="1"></p>');
    await chosen('<img |>', 'data-color-grading', "<img data-color-grading='|'>");
  });

  test('includes the documentation', async () => {
    const { items } = await itemsAt(inRoot('<img |>'));
    expect(items[0]?.documentation).toEqual({
      kind: 'markdown',
      value: expect.stringContaining('```html\ndata-start="0"\n```'),
    });
  });
});

describe('data-start', () => {
  const clips = '<p id="a" data-start="0" data-duration="2"></p><p id="b" data-start="a" data-duration="1"></p>';

  test('offers the clips of the same composition, the nearest before it first', async () => {
    await check(inRoot(`${clips}<p id="c" data-start="|"></p><p id="d" data-start="0"></p>`), ['b', 'a', 'd', '0']);
    const other = '<div data-composition-id="inner" data-start="0"><p data-start="0" id="e"></p></div>';
    await check(inRoot(`${clips}${other}<p data-start="|"></p>`), ['inner', 'b', 'a', '0']);
    await check(`<div data-composition-id="main">${clips}<p data-start="|`, ['b', 'a', '0']);
  });

  test('shows the end of each clip', async () => {
    const { items } = await itemsAt(
      inRoot(
        `${clips}<video id="v" data-start="b" src="media/city.mp4"></video><p id="w" data-start="0"></p><p data-start="|"></p>`,
      ),
    );
    expect(items.map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
      'w: end not known yet',
      'v: ends at 15.48 s',
      'b: ends at 3 s',
      'a: ends at 2 s',
      '0: start of the composition',
    ]);
  });

  test('omits clips that would create a cycle', () =>
    check(
      inRoot(
        '<p id="a" data-start="|"></p><p id="b" data-start="a"></p><p id="c" data-start="b + 1"></p><p id="d" data-start="1">',
      ),
      ['d', '0'],
    ));

  test('offers offsets after an ID', async () => {
    await check(inRoot(`${clips}<p data-start="b |"></p>`), ['+ seconds', '- seconds']);
    await chosen(`${clips}<p data-start="b |"></p>`, '- seconds', `${clips}<p data-start="b - 0.5"></p>`);
    await chosen(`${clips}<p data-start="b +| 3"></p>`, '+ seconds', `${clips}<p data-start="b + 0.5"></p>`);
    // An edit cannot replace a sign on another line.
    expect((await itemsAt(inRoot(`${clips}<p data-start="b +\n|"></p>`))).items).toEqual([]);
  });

  test.each([
    [
      '<p id="x&quot;y" data-start="0"></p><p data-start="|">',
      `x"y`,
      '<p id="x&quot;y" data-start="0"></p><p data-start="x&quot;y">',
    ],
    [
      `<p id="x'y" data-start="0"></p><p data-start='|'>`,
      `x'y`,
      `<p id="x'y" data-start="0"></p><p data-start='x&#39;y'>`,
    ],
    ['<p id="x" data-start="0"></p><p data-start=|>', 'x', '<p id="x" data-start="0"></p><p data-start="x">'],
    ['<p id="xy" data-start="0"></p><p data-start=x|>', 'xy', '<p id="xy" data-start="0"></p><p data-start="xy">'],
    ['<p id="x" data-start="0"></p><p data-start="a|bc + 1">', 'x', '<p id="x" data-start="0"></p><p data-start="x">'],
    [
      '<p id="x" data-start="0"></p><p data-start="|></p>\n<p class="a">',
      'x',
      '<p id="x" data-start="0"></p><p data-start="x></p>\n<p class="a">',
    ],
  ])('completes %s with %s', chosen);
});

const declarations = `[{"id":"title","type":"string","label":"Title","default":"Hello"},{"id":"size","type":"number","label":"Size","default":2,"max":9},
{"id":"accent","type":"color","label":"Accent","default":"#ff0000"},{"id":"dark","type":"boolean","label":"Dark","default":false},
{"id":"look","type":"enum","label":"Look","default":"warm","options":[{"value":"warm","label":"Warm"},{"value":"cool","label":"Cool one"}]}]`;
const declaring = (markup: string) => `<html data-composition-variables='${declarations}'>${inRoot(markup)}</html>`;

describe('declarations', () => {
  const inDeclarations = (json: string) => `<html data-composition-variables='${json}'>${inRoot('')}</html>`;
  const fields = (markup: string, expected: string[]) => check(inDeclarations(markup), expected);
  const field = async (json: string, label: string, expected: string) =>
    expect(await choose(inDeclarations(json), label)).toBe(inDeclarations(expected));

  test('offers a complete declaration of each type', async () => {
    const types = ['string variable', 'number variable', 'color variable', 'boolean variable', 'enum variable'];
    await fields('|', types);
    await fields('[|]', types);
    await fields('[{"id":"a"}, |]', types);
    await field('|', 'number variable', '[{"id": "|", "type": "number", "label": "", "default": 0}]');
    await field(
      '[|]',
      'enum variable',
      '[{"id": "|", "type": "enum", "label": "", "options": [{"value": "", "label": ""}], "default": ""}]',
    );
  });

  test('offers the missing fields of the type, required ones first', async () => {
    await fields('[{|}]', ['id', 'type', 'label', 'default', 'description']);
    await fields('[{"id":"a","type":"string",|}]', ['label', 'default', 'placeholder', 'maxLength', 'description']);
    await fields('[{"id":"a","type":"number","label":"A","default":1,|}]', [
      'min',
      'max',
      'step',
      'unit',
      'description',
    ]);
    await fields('[{"type":"enum",|}]', ['id', 'label', 'default', 'options', 'description']);
    await fields('[{"type":"enum","options":[{|}]}]', ['value', 'label']);
  });

  test('offers matching types and defaults', async () => {
    await fields('[{"id":"a","type":"|"}]', ['"string"', '"number"', '"color"', '"boolean"', '"enum"']);
    await fields('[{"id":"a","type":"boolean","default":|}]', ['true', 'false']);
    await fields('[{"id":"a","type":"enum","options":[{"value":"x"},{"value":"y"}],"default":|}]', ['"x"', '"y"']);
    await fields('[{"id":"a","type":"color","default":"#123456"},{"id":"b","type":"color","default":|}]', [
      '"#123456"',
      '"#ffffff"',
      '"#000000"',
    ]);
  });

  const other = '{"id":"b","type":"number","label":"B","default":1}';

  // Each state is reached while a new variable is typed before, between or after others.
  test.each<[string, string, string]>([
    [
      '[|',
      'enum variable',
      '[{"id": "|", "type": "enum", "label": "", "options": [{"value": "", "label": ""}], "default": ""}',
    ],
    ['[{|', 'type', '[{"type": |'],
    ['[{"|', 'type', '[{"type": |'],
    ['[{"id":"a","type":"nu|', '"number"', '[{"id":"a","type":"number"'],
    [`[{|, ${other}]`, 'label', `[{"label": "|", ${other}]`],
    [`[{"|, ${other}]`, 'label', `[{"label": "|", ${other}]`],
    [`[{"id":"a",|, ${other}]`, 'label', `[{"id":"a","label": "A", ${other}]`],
    [`[{"id":"a","|}, ${other}]`, 'label', `[{"id":"a","label": "A"}, ${other}]`],
    [`[{"id":"a","type":|, ${other}]`, '"color"', `[{"id":"a","type":"color", ${other}]`],
    [`[{"id":"a","type":"|, ${other}]`, '"color"', `[{"id":"a","type":"color", ${other}]`],
    [`[{"id":"a","type":"|}, ${other}]`, '"color"', `[{"id":"a","type":"color"}, ${other}]`],
    [`[{"id":"a","type":"co|}, ${other}]`, '"color"', `[{"id":"a","type":"color"}, ${other}]`],
    [`[{"id":"a","type":"|,"label":"A"}, ${other}]`, '"color"', `[{"id":"a","type":"color","label":"A"}, ${other}]`],
    [`[\n {"id":"a","|\n ${other}\n]`, 'label', `[\n {"id":"a","label": "A"\n ${other}\n]`],
    [`[\n {"id":"a","type": |\n ${other}\n]`, '"color"', `[\n {"id":"a","type": "color"\n ${other}\n]`],
    [`[${other}, {"id":"a","type":"|]`, '"enum"', `[${other}, {"id":"a","type":"enum"]`],
    [`[${other} {"|"}]`, 'type', `[${other} {"type": |}]`],
    [`[${other},, {"id":"a",|}]`, 'type', `[${other},, {"id":"a","type": |}]`],
    [`[${other}|]`, 'color variable', `[${other}, {"id": "|", "type": "color", "label": "", "default": "#ffffff"}]`],
    ['[{"id":"a" "|"}]', 'type', '[{"id":"a" , "type": |}]'],
    ['[{"id":"a"\n"|"\n}]', 'type', '[{"id":"a"\n, "type": |\n}]'],
    ['[{"id":"a",, "|"}]', 'type', '[{"id":"a",, "type": |}]'],
    [
      '[{"type":"enum","options":[{"value":"x","label":"X"}],"default":"|}]',
      '"x"',
      '[{"type":"enum","options":[{"value":"x","label":"X"}],"default":"x"}]',
    ],
    ['[{"type":"enum","options":[{"|}]', 'value', '[{"type":"enum","options":[{"value": "|"}]'],
  ])('completes the half-typed %s with %s', field);

  test('offers the fields of the half-typed variable, not those of the next one', async () => {
    const missing = ['label', 'default', 'placeholder', 'maxLength', 'description'];
    await fields(`[{"id":"a","type":"string",|, ${other}]`, missing);
    await fields(`[{"id":"a","type":"string","|, ${other}]`, missing);
    await fields(`[{"id":"a","type":"string",\n  |\n ${other}]`, missing);
  });

  test('suggests IDs that the file reads, and a label for an ID', async () => {
    await check(
      `<html data-composition-variables='[{"id":|}]'>${inRoot('<p data-var-text="headline"></p><script>const { size } = __framework.getVariables()</script>')}`,
      ['"headline"', '"size"'],
    );
    await field('[{"id":"mainTitle","label":|}]', '"Main title"', '[{"id":"mainTitle","label":"Main title"}]');
  });

  test.each([
    [`'[{"id":"a","ty|"}]'`, `'[{"id":"a","type": |}]'`],
    [`'[{"id":"a","type":"st|"}]'`, `'[{"id":"a","type":"string"}]'`],
    [`'[{"id":"a","type":"st|}]'`, `'[{"id":"a","type":"string"}]'`],
    [
      '"[{&quot;id&quot;:&quot;a&quot;,&quot;type&quot;:&quot;st|&quot;}]"',
      '"[{&quot;id&quot;:&quot;a&quot;,&quot;type&quot;:&quot;string&quot;}]"',
    ],
    ['[{&#34;id&#34;:1,&#34;type&#34;:&#34;st|&#34;}]', '[{&#34;id&#34;:1,&#34;type&#34;:&#34;string&#34;}]'],
  ])('encodes the text for the quotes of %s', async (value, expected) => {
    const html = (json: string) => `<html data-composition-variables=${json}>${inRoot('')}</html>`;
    expect(await choose(html(value), value.includes('ty|') ? 'type' : '"string"')).toBe(html(expected));
  });
});

describe('values of a host', () => {
  const files = (value: string) =>
    `=== index.html\n${inRoot(`<div data-composition-src="card.html" data-variable-values=${value}></div>`)}\n=== card.html\n${declaring('')}`;

  test('offers the variables of the embedded file that have no value yet', async () => {
    await check(files(`'{|}'`), ['title', 'size', 'accent', 'dark', 'look']);
    await check(files(`'{"size":1,|}'`), ['title', 'accent', 'dark', 'look']);
    await check(files(`'|'`), ['all variables', 'some variables']);
  });

  test('offers values of the type', async () => {
    await check(files(`'{"title":|}'`), ['"Hello"']);
    await check(files(`'{"size":|}'`), ['2', '9']);
    await check(files(`'{"accent":|}'`), ['"#ff0000"']);
    await check(files(`'{"dark":|}'`), ['false', 'true']);
    await check(files(`'{"look":"|"}'`), ['"warm"', '"cool"']);
    const { items } = await itemsAt(files(`'{"look":"|"}'`));
    expect(items.map(({ detail, labelDetails }) => `${detail}, ${labelDetails?.description}`)).toEqual([
      'enum · Look · default "warm", Warm',
      'enum · Look · default "warm", Cool one',
    ]);
  });

  test.each([
    [`'{|}'`, 'title', `'{"title": "Hello"}'`],
    [`"{|}"`, 'title', `"{&quot;title&quot;: &quot;Hello&quot;}"`],
    [`{|}`, 'title', `{&#34;title&#34;:&#32;&#34;Hello&#34;}`],
    [`'|'`, 'all variables', `'{"title": "Hello", "size": 2, "accent": "#ff0000", "dark": false, "look": "warm"}'`],
    ['|', 'all variables', `'{"title": "Hello", "size": 2, "accent": "#ff0000", "dark": false, "look": "warm"}'`],
    [`"{&quot;ti|&quot;:1}"`, 'title', `"{&quot;title&quot;:1}"`],
  ])('completes %s with %s', async (value, label, expected) => {
    const text = (given: string) => files(given).split('=== card.html')[0]?.replace('=== index.html\n', '');
    expect(await choose(files(value), label)).toBe(text(expected));
  });

  test.each([
    [`'{"look":"|, "size":1}'`, '"cool"', `'{"look":"cool", "size":1}'`],
    [`'{"size":1 "|"}'`, 'dark', `'{"size":1 , "dark": false}'`],
    [`'{"|, "size":1}'`, 'dark', `'{"dark": false, "size":1}'`],
    [
      `"{&quot;look&quot;:&quot;|, &quot;size&quot;:1}"`,
      '"cool"',
      `"{&quot;look&quot;:&quot;cool&quot;, &quot;size&quot;:1}"`,
    ],
  ])('completes the half-typed %s with %s', async (value, label, expected) => {
    const text = (given: string) => files(given).split('=== card.html')[0]?.replace('=== index.html\n', '');
    expect(await choose(files(value), label)).toBe(text(expected));
  });

  test('escapes an apostrophe between single quotes', async () => {
    const card = (value: string) => `<div data-composition-id="a" data-variable-values='${value}'></div>`;
    const markup = `<html data-composition-variables='[{"id":"t","type":"string","default":"it&apos;s"}]'>${inRoot(card('{|}'))}`;
    expect(await choose(markup, 't')).toContain(card('{"t": "it&#39;s"}'));
  });

  test('offers the variables of the embedding file whose values fit', async () => {
    const own = `[{"id":"text","type":"string"},{"id":"n","type":"number"},{"id":"tint","type":"color"},{"id":"my look","type":"enum","options":[{"value":"cool"}]}]`;
    const passing = (value: string) => {
      const host = `<div data-composition-src="card.html" data-variable-values='${value}'></div>`;
      return `=== index.html\n<html data-composition-variables='${own}'>${inRoot(host)}</html>\n=== card.html\n${declaring('')}`;
    };
    await check(passing('{"title":|}'), ['"$text"', '"$tint"', `"\${my look}"`, '"Hello"']);
    await check(passing('{"size":|}'), ['"$n"', '2', '9']);
    await check(passing('{"size":"$|"}'), ['"$n"']);
    await check(passing('{"accent":"$|"}'), ['"$tint"']);
    await check(passing('{"dark":|}'), ['false', 'true']);
    await check(passing('{"look":"$|"}'), [`"\${my look}"`]);
    expect(await choose(passing('{"size":|}'), '"$n"')).toContain(`'{"size":"$n"}'`);
    expect(await choose(passing('{"look":"$|"}'), `"\${my look}"`)).toContain(`'{"look":"\${my look}"}'`);
  });

  test('offers nothing for a host without a file', () =>
    check(inRoot(`<div data-composition-src="no.html" data-variable-values='{|}'></div>`), []));

  test('offers files for a variable that is bound to src', async () => {
    const host = (value: string) =>
      `<div data-composition-src="photo/card.html" data-variable-values='${value}'></div>`;
    const project = (value: string) =>
      `=== index.html\n${inRoot(host(value))}\n=== photo/card.html\n<html data-composition-variables='[{"id":"photo","type":"string"}]'>${inRoot('<img data-var-src="photo">')}\n=== photo/a b.png\n=== photo/big/c.jpg\n=== photo/d.mp4\n=== e.png\n`;
    await check(project('{"photo":"|"}'), ['a b.png', 'big/', '../']);
    await check(project('{"photo":"../|"}'), ['e.png', 'photo/']);
    expect(await choose(project('{"photo":"big/|"}'), 'c.jpg')).toContain(`'{"photo":"big/c.jpg"}'`);
    expect(await choose(project('{"photo":|}'), 'a b.png')).toContain(`'{"photo":"a b.png"}'`);
  });
});

describe('gradings', () => {
  const grading = (value: string) => declaring(`<img data-color-grading='${value}'>`);

  test('offers fields, presets and references', async () => {
    await check(grading('|'), ['preset', 'preset and intensity', 'adjust']);
    await check(grading('{"preset":"noir",|}'), ['intensity', 'adjust', 'colorSpace']);
    await check(grading('{"colorSpace":"|"}'), [
      '"$title"',
      '"$look"',
      '"srgb"',
      '"rec709"',
      '"linear"',
      '"$size"',
      '"$accent"',
      '"$dark"',
    ]);
    await check(grading('{"preset":"$|"}'), ['"$title"', '"$look"', '"$size"', '"$accent"', '"$dark"']);
    await check(grading('{"adjust":{"exposure":|}}'), [
      '"$size"',
      '-1',
      '-0.4',
      '0.4',
      '1',
      '"$title"',
      '"$accent"',
      '"$dark"',
      '"$look"',
    ]);
    await check(grading('{"preset":"cine|"}'), ['"cinematic"']);
  });

  test('encodes the text for the surrounding quotes', async () => {
    expect(await choose(grading('{"preset":"$|"}'), '"$look"')).toContain(`'{"preset":"$look"}'`);
    const doubled = declaring('<img data-color-grading="{&quot;preset&quot;:&quot;$|&quot;}">');
    expect(await choose(doubled, '"$look"')).toContain('"{&quot;preset&quot;:&quot;$look&quot;}"');
    expect(await choose(grading('{|}'), 'preset')).toContain(`'{"preset": "|"}'`);
    expect(await choose(grading('{"adjust":{|}}'), 'exposure')).toContain(`'{"adjust":{"exposure": 0}}'`);
  });

  test('describes a preset', async () => {
    const { items } = await itemsAt(grading('{"preset":"noir|"}'));
    expect(items.find(({ label }) => label === '"noir"')?.documentation).toEqual({
      kind: 'markdown',
      value: 'Black and white, hard contrast, deep blacks.',
    });
  });
});

describe('paths of compositions', () => {
  const others = (at: string) => `=== scenes/${at}
=== scenes/a.html
<div data-composition-id="a" data-width="100" data-height="50" data-duration="2"></div>
=== scenes/deep/b.html
<div data-composition-id="b"></div>
=== index.html
<div data-composition-id="i"><div data-composition-src="scenes/main.html"></div></div>
=== top.html
<div data-composition-id="t"></div>
=== scenes/picture.png
`;
  const host = (src: string) => `main.html\n${inRoot(`<div data-composition-src="${src}"></div>`)}`;

  test('offers one folder level at a time, without files that would create a cycle', async () => {
    await check(others(host('|')), ['a.html', 'deep/', '../']);
    await check(others(host('deep/|')), ['b.html']);
    await check(others(host('../|')), ['top.html', 'scenes/']);
    await check(others(host('/|')), ['top.html', 'scenes/']);
    await check(others(host('scenes/|')), ['a.html', 'deep/']);
    await check(others(host('nowhere/|')), []);
  });

  test('shows size and duration', async () => {
    const { items } = await itemsAt(others(host('|')));
    expect(items[0]?.detail).toBe('100 × 50 · 2 s');
  });

  test('replaces the text after the last slash', async () => {
    expect(await choose(others(host('../t|')), 'top.html')).toContain('"../top.html"');
    expect(await choose(others(host('x|yz')), 'a.html')).toContain('"a.html"');
    expect(await choose(others(host('')).replace('src=""', 'src=|'), 'deep/')).toContain('src="deep/"');
  });
});

describe('plain values', () => {
  test.each<[string, string[]]>([
    ['<p data-start="0" data-has-audio="|"></p>', ['true', 'false']],
    ['<p data-start="0" data-track-index="2"></p><p data-start="0" data-track-index="|"></p>', ['2', '3']],
    ['<video data-volume="0|"></video>', ['0.75', '0.5', '0.25', '0']],
    ['<video src="media/city.mp4" data-duration="|"></video>', ['12.48', '1', '2', '3', '5', '10', '30']],
    ['<p class="|"></p>', []],
    ['<video loop="|"></video>', []],
  ])('are offered in %s', (markup, expected) => check(inRoot(markup), expected));

  test('are offered on the root', async () => {
    await check('<div data-composition-id="|"></div>', ['main']);
    await check('<div data-composition-id="a" data-fps="3|"></div>', ['30', '30000/1001']);
    await check(
      '<div data-composition-id="a" data-duration="8" data-poster-time="|"><p data-start="1" data-duration="2"></p></div>',
      ['4', '2'],
    );
  });

  test('are offered on a host', () =>
    check(
      '=== index.html\n<div data-composition-id="a"><div data-composition-src="b.html" data-composition-id="|"></div></div>\n=== b.html\n<div data-composition-id="bee"></div>',
      ['bee'],
    ));
});

test('offers files of captions', async () => {
  const files = '=== talks/a.vtt\nWEBVTT\n=== talks/b.srt\n=== c.html\n';
  const typed = (value: string) => `=== index.html\n${inRoot(`<p data-captions-src="${value}"></p>`)}\n${files}`;
  await check(typed('|'), ['talks/']);
  await check(typed('talks/|'), ['a.vtt', 'b.srt']);
});

describe('reads of variables', () => {
  test('are completed in bindings, strings first for src', async () => {
    await check(declaring('<p data-var-text="|"></p>'), ['title', 'size', 'accent', 'dark', 'look']);
    await check(declaring('<img data-var-src="|">'), ['title', 'size', 'accent', 'dark', 'look']);
    await check(declaring('<p data-var-if="|">'), [
      ...['title', '!title', 'size', '!size', 'accent', '!accent', 'dark', '!dark', 'look=warm', 'look=cool'],
    ]);
    await check(declaring('<p data-var-if="look=|">'), ['look=warm', 'look=cool']);
    expect(await choose(declaring('<p data-var-text="ti|x"></p>'), 'title')).toContain('data-var-text="title"');
  });

  test('are completed in the destructuring of getVariables()', async () => {
    const script = (pattern: string) =>
      declaring(`<script>const { ${pattern} } = window.__framework.getVariables();</script>`);
    await check(script('|'), ['title', 'size', 'accent', 'dark', 'look']);
    await check(script('title, size: s = 2, |'), ['accent', 'dark', 'look']);
    await check(script('title = "|"'), []);
    expect(await choose(script('ti|'), 'title')).toBe(script('title = "Hello"'));
    expect(await choose(script('title, s|'), 'size')).toBe(script('title, size = 2'));
    expect(await choose(script('sz|: s = 2'), 'size')).toBe(script('size: s = 2'));
    await check(declaring('<script>const all = getVariables().|</script>'), [
      'title',
      'size',
      'accent',
      'dark',
      'look',
    ]);
    const held = (code: string) => declaring(`<script>const vars = __framework.getVariables();\n${code}</script>`);
    await check(held('vars.|'), ['title', 'size', 'accent', 'dark', 'look']);
    await check(held('other.|'), []);
    expect(await choose(held("use(vars['ti|'])"), 'title')).toBe(held("use(vars['title'])"));
    expect(await choose(declaring('<script>use(getVariables().ti|)</script>'), 'title')).toContain(
      'getVariables().title)',
    );
  });

  test('are completed as custom properties', async () => {
    await check(declaring('<style>p { color: var(--ac|) }</style>'), ['--accent']);
    expect(await choose(declaring('<p style="color: var(--a|b, red)"></p>'), '--accent')).toContain(
      'var(--accent, red)',
    );
  });
});

describe('font families', () => {
  const page = (style: string) =>
    `=== index.html\n${inRoot(`<style>@font-face { font-family: Own; src: url(o.woff2) }</style>${style}`)}\n=== fonts/dm.css\n@font-face { font-family: "DM Sans" }\n`;
  const sheet = (list: string) => page(`<style>p { font-family: ${list} }</style>`);

  test('are declared ones, included ones, system fonts and generic ones', async () => {
    const { items } = await itemsAt(sheet('|'));
    const shown = items.map(({ label, detail }) => `${label} (${detail})`);
    expect(shown.slice(0, 3)).toEqual(['Own (this file)', 'DM Sans (fonts/dm.css)', 'Arimo (pinned)']);
    expect(shown).toContain('Helvetica Neue (pinned: Arimo)');
    expect(shown).toContain('SF Mono (pinned: Cousine)');
    expect(shown).toContain('-apple-system (pinned: Inter)');
    expect(shown.at(-9)).toBe('sans-serif (pinned: Arimo)');
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('are filtered by what is typed', async () => {
    await check(sheet('Arial, D|'), ['DM Sans']);
    await check(sheet('"D|'), ['DM Sans']);
    await check(page('<style>p { font-weight: | }</style>'), []);
  });

  test('have quotes if necessary', async () => {
    expect(await choose(sheet('Arial, |'), 'DM Sans')).toContain('font-family: Arial, "DM Sans" }');
    expect(await choose(sheet("'D|', serif"), 'DM Sans')).toContain("font-family: 'DM Sans', serif }");
    expect(await choose(sheet('A|b, serif'), 'Own')).toContain('font-family: Own, serif }');
    expect(await choose(page('<p style="font-family: |">'), 'DM Sans')).toContain(`style="font-family: 'DM Sans'">`);
    expect(await choose(sheet('|'), 'sans-serif')).toContain('font-family: sans-serif }');
  });
});
