// Text that the preview shows, found in the source and changed.

import { describe, expect, test } from 'vitest';
import { changeText, findText } from '../../../../server/features/refactor/shownText.ts';
import type { ShownText } from '../../../../server/protocol.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

type Shown = Partial<ShownText> & { hosts?: { path: string; offset: number }[]; drafts?: Record<string, unknown> };

/** The request for the element that `|` precedes. */
function requestOf(source: string, text: string, { hosts = [], drafts = {}, ...rest }: Shown = {}) {
  const { file, offset } = fileWithCursor(source);
  const shown = { offset, whole: text, run: { text, before: 0 }, keepsLines: false, ...rest };
  return { file, request: { shown, hosts, drafts } };
}

const page = (body: string, variables = '') =>
  `<html${variables === '' ? '' : ` data-composition-variables='${variables}'`}><body><div data-composition-id="main">${body}</div></body></html>`;

/** The body after the change of the text `shown` to `value`, or what is returned instead. */
function changed(body: string, shown: string, value: string, more: Shown = {}) {
  const source = page(body);
  const { file, request } = requestOf(source, shown, more);
  const result = changeText(file, request, value);
  if (!('edits' in result)) return result;
  expect(result.edits).toHaveLength(1);
  const text = applied(source.replace('|', ''), { changes: { [file.uri]: result.edits } });
  return text.slice(page('').indexOf('</div>'), -'</div></body></html>'.length);
}

describe('literal text', () => {
  test.each([
    ['replaces a text', '|<h1>Hello</h1>', 'Hello', 'Hi', '<h1>Hi</h1>'],
    ['encodes what is markup', '|<h1>Hello</h1>', 'Hello', 'A < B & C', '<h1>A &lt; B &amp; C</h1>'],
    ['encodes a reference', '|<h1>x</h1>', 'x', '&lt;', '<h1>&amp;lt;</h1>'],
    ['encodes no-break spaces', '|<h1>x</h1>', 'x', '10\u00a0kg', '<h1>10&nbsp;kg</h1>'],
    ['writes line breaks', '|<h1>One</h1>', 'One', 'One\nTwo', '<h1>One<br>Two</h1>'],
    ['writes line breaks as the file does', '|<p>a<br />b</p>', 'a b', 'a\nb\nc', '<p>a<br />b<br />c</p>'],
    ['joins lines', '|<p>a<br>b</p>', 'a\nb', 'a b', '<p>a b</p>'],
    [
      'keeps the white space around a text',
      '|<p>\n  Hello\n  you\n</p>',
      'Hello you',
      'Hello all',
      '<p>\n  Hello\n  all\n</p>',
    ],
    ['keeps references that do not change', '|<p>a &mdash; b</p>', 'a \u2014 b', 'a \u2014 c', '<p>a &mdash; c</p>'],
    ['appends', '|<p>a &amp; b</p>', 'a & b', 'a & b!', '<p>a &amp; b!</p>'],
    ['removes all', '|<p>a</p>', 'a', '', '<p></p>'],
    ['leaves child elements', '|<p>a <b>b</b> c</p>', 'a', 'x', '<p>x <b>b</b> c</p>'],
    ['keeps comments', '|<p><!-- title --> a <!-- end --></p>', 'a', 'b', '<p><!-- title --> b <!-- end --></p>'],
  ])('%s', (_, body, shown, value, expected) => {
    expect(changed(body, shown, value)).toBe(expected);
  });

  test('changes the text after a child element', () => {
    expect(changed('|<p>a <b>b</b> c</p>', '', 'd', { run: { text: 'c', before: 1 } })).toBe('<p>a <b>b</b> d</p>');
  });
  test('keeps lines where they are shown', () => {
    expect(changed('|<pre>a\nb</pre>', 'a\nb', 'a\nb\nc', { keepsLines: true })).toBe('<pre>a\nb\nc</pre>');
  });
  test('does not delete a comment', () => {
    expect(changed('|<p>a<!-- b -->c</p>', 'ac', '')).toEqual({
      reason: 'A comment is in this text. Edit it in the source.',
    });
  });
  test('is decoded with its lines', () => {
    const { file, request } = requestOf(page('|<p>a &amp;\n b<br>c</p>'), 'a & b\nc');
    expect(findText(file, request)).toEqual({ text: 'a & b\nc', lines: true });
  });
  test('is not what a script has written', () => {
    const { file, request } = requestOf(page('|<p>0</p>'), '42');
    expect(findText(file, request)).toEqual({
      reason: 'A script creates this text. Change the script to edit it.',
    });
  });
  test('is not at an offset of another text', () => {
    const { file, request } = requestOf(page('<p>a|</p>'), 'a');
    expect(findText(file, request)).toEqual({
      reason: 'The preview does not show the current text yet. Try again when it does.',
    });
  });
});

const variables = '[{"id":"title","type":"string","default":"Halo"},{"id":"price","type":"number","default":149}]';

describe('text of a variable', () => {
  test('is the draft value of a binding', () => {
    const source = page('|<h1 data-var-text="title">fallback</h1>', variables);
    const { file, request } = requestOf(source, 'Nova', { drafts: { title: 'Nova' } });
    expect(findText(file, request)).toEqual({ text: 'Nova', lines: false, variable: 'title' });
    expect(changeText(file, request, 'Vega')).toEqual({ draft: { id: 'title', value: 'Vega' } });
  });
  test('is a number in a number variable', () => {
    const { file, request } = requestOf(page('|<b data-var-text="price"></b>', variables), '149');
    expect(changeText(file, request, '99.5')).toEqual({ draft: { id: 'price', value: 99.5 } });
    expect(changeText(file, request, 'free')).toEqual({
      reason: 'Variable "price" must be a number (got "free")',
    });
  });
  test('is found by its value if a script writes it', () => {
    const source = page('|<h1></h1><script>show(__framework.getVariables().title)</script>', variables);
    const { file, request } = requestOf(source, 'Halo');
    expect(findText(file, request)).toMatchObject({ text: 'Halo', variable: 'title' });
  });
  test.each([
    ['From $149', 'A script creates this text from the variable "price". Change it in the form.'],
    ['Halo: 1,49', 'A script creates this text from the variables "title" and "price". Change them in the form.'],
    ['Sold out', 'A script creates this text. Change the script to edit it.'],
  ])('is named if a script writes it into "%s"', (text, reason) => {
    const script = '<script>const { title, price } = __framework.getVariables(); show(title, price)</script>';
    const { file, request } = requestOf(page(`|<h1></h1>${script}`, variables), text);
    expect(findText(file, request)).toEqual({ reason });
  });
  test('counts before an equal literal only if a script reads it', () => {
    const read = page('|<h1>Halo</h1><script>show(__framework.getVariables().title)</script>', variables);
    const other = requestOf(read, 'Halo');
    expect(findText(other.file, other.request)).toMatchObject({ variable: 'title' });
    const { file, request } = requestOf(page('|<h1>Halo</h1>', variables), 'Halo');
    expect(findText(file, request)).toEqual({ text: 'Halo', lines: true });
  });
  test('is not edited if two variables have it', () => {
    const { file, request } = requestOf(page('|<h1></h1>', variables), 'Same', { drafts: { title: '149' } });
    expect(findText(file, { ...request, shown: { ...request.shown, whole: '149' } })).toEqual({
      reason: 'title and price have this value. Change one of them in the form.',
    });
  });
});

describe('text of an embedded file', () => {
  const card = `=== card.html\n${page('|<h1 data-var-text="title"></h1>', variables)}\n`;
  /** The project after the change, or the draft value. */
  function changedHost(host: string, given = 'Vega') {
    const source = `${card}=== index.html\n${page(host)}\n`;
    const offset = page(host).indexOf('<section');
    const { file, request } = requestOf(source, 'x', { hosts: [{ path: 'index.html', offset }] });
    const result = changeText(file, request, given);
    if (!('edits' in result)) return result;
    const text = applied(source.replace('|', ''), { changes: { [result.uri]: result.edits } });
    return /<section[^>]*>/.exec(text)?.[0];
  }
  test.each([
    [
      'is the value of its host',
      `<section data-composition-src="card.html" data-variable-values='{"title": "A"}'></section>`,
      `<section data-composition-src="card.html" data-variable-values='{"title": "Vega"}'>`,
    ],
    [
      'becomes a value of its host',
      `<section data-composition-src="card.html" data-variable-values='{"price": 1}'></section>`,
      `<section data-composition-src="card.html" data-variable-values='{"price": 1, "title": "Vega"}'>`,
    ],
    [
      'becomes the first value of its host',
      `<section data-composition-src="card.html"></section>`,
      `<section data-composition-src="card.html" data-variable-values='{"title":"Vega"}'>`,
    ],
  ])('%s', (_, host, expected) => {
    expect(changedHost(host)).toBe(expected);
  });
  test('is the draft value that the host passes on', () => {
    const host = `<section data-composition-src="card.html" data-variable-values='{"title": "$headline"}'></section>`;
    expect(changedHost(host)).toEqual({ draft: { id: 'headline', value: 'Vega' } });
  });
  test('is not changed in invalid values', () => {
    const host = `<section data-composition-src="card.html" data-variable-values='{"title"'></section>`;
    expect(changedHost(host)).toEqual({
      reason: 'The data-variable-values of card.html contain an error. Fix it first.',
    });
  });
});
