// contextAt in each kind of context, in complete files and in tags that are being typed.
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../renderer-core/model/text/spans.ts';
import { contextAt } from '../../../server/features/cursorContext.ts';
import { fileWithCursor } from '../../support/editor/sourceFile.ts';

/** Describes the context in a few words: its kind and its distinguishing texts. */
function describeContext(markup: string): string {
  const { file, offset } = fileWithCursor(markup);
  const context = contextAt(file, offset);
  const show = (span: { start: number; end: number }) => `"${textOf(file.composition.text, span)}"`;
  switch (context.kind) {
    case 'name':
      return `name ${show(context.span)} of ${context.element.tag}`;
    case 'json': {
      const { json } = context;
      if (!json) return `${context.of}, no JSON`;
      const token = json.token ? ` ${show(json.token.span)}` : '';
      return `${json.isKey ? 'key' : 'value'} ${json.path.join('.')} of ${context.of}${token}`;
    }
    case 'start':
      return `start at ${context.at}${context.reference ? ` in ${show(context.reference.span)}` : ''}`;
    case 'script':
      return `${context.isPattern ? 'destructured' : 'read'} ${show(context.span)}`;
    case 'customProperty':
      return `customProperty ${show(context.span)}`;
    case 'fontFamily':
      return `fontFamily ${show(context.span)}, quote ${context.quote}`;
    case 'none':
      return 'none';
    default:
      return `${context.kind} ${context.key} at ${context.at} of "${context.text.text}"`;
  }
}

const around = (markup: string) => `<div data-composition-id="main">${markup}</div>`;
const check = (markup: string, expected: string) => expect(describeContext(around(markup))).toBe(expected);

describe('attributes', () => {
  test.each([
    ['<p data-st|art="1">', 'name "data-start" of p'],
    ['<p |>', 'name "" of p'],
    ['<p data-start="1" |/>', 'name "" of p'],
    ['<p data-start="1"|>', 'none'],
    ['<p|>', 'none'],
    ['<p>|</p>', 'none'],
    ['<p class="a |b">', 'none'],
    ['<p class="a" class="b |c">', 'none'],
    ['<p data-start="|">', 'start at 0'],
    ['<p data-start="a &quot;|">', 'start at 3'],
    ['<p data-start="intro| + 1">', 'start at 5 in "intro"'],
    ['<p data-start="intro + 1|">', 'start at 9'],
    ["<p data-start='|a'>", 'start at 0 in "a"'],
    ['<p data-start=a|>', 'start at 1 in "a"'],
    ['<p data-start=|>', 'start at 0'],
    ['<p data-start=| class="a">', 'start at 0'],
    ['<p data-composition-src="a/|b.html">', 'path compositionSrc at 2 of "a/b.html"'],
    ['<p data-var-text="t|i">', 'binding varText at 1 of "ti"'],
    ['<p data-duration="5|">', 'value duration at 1 of "5"'],
    ['<table><p data-start="|"><tr><td data-start="1">', 'start at 0'],
  ])('recognizes %s', check);
});

describe('JSON', () => {
  test.each([
    [`<p data-variable-values='|'>`, 'values, no JSON'],
    [`<p data-variable-values='{|}'>`, 'key  of values'],
    [`<p data-variable-values='{"ti|tle":1}'>`, 'key title of values ""title""'],
    [`<p data-variable-values='{"title":|}'>`, 'value title of values'],
    [`<p data-variable-values="{&quot;title&quot;:&quot;a|b">`, 'value title of values "&quot;ab"'],
    [`<p data-color-grading='{"adjust":{"exposure":0.|2}}'>`, 'value adjust.exposure of grading "0.2"'],
    [`<p data-color-grading='${'['.repeat(300)}|'>`, 'grading, no JSON'],
    [`<p data-composition-variables='[{"id":"a"},{"type":"|"}]'>`, 'value 1.type of declarations """"'],
  ])('recognizes %s', check);
});

describe('code', () => {
  test.each([
    ['<script>const { ti|tle } = __framework.getVariables()</script>', 'destructured "title"'],
    ['<script>const { title, | } = __framework.getVariables()</script>', 'destructured ""'],
    ['<script>const { title = [1, |] } = __framework.getVariables()</script>', 'none'],
    ['<script>const { | } = other()</script>', 'none'],
    ['<script>__framework.getVariables().ti|</script>', 'read "ti"'],
    ['<script>__framework.getVariables().|</script>', 'read ""'],
    ['<script>let a = 1;|</script>', 'none'],
    ['<style>p { color: var(--ac|cent, red) }</style>', 'customProperty "accent"'],
    ['<style>p { col|or: red }</style>', 'none'],
    ['<p style="color: var(--|)">', 'customProperty ""'],
    ['<style>p { font-family: |}</style>', 'fontFamily "", quote "'],
    ['<style>p { font-family: Arial, Op|en Sans , serif }</style>', 'fontFamily "Open Sans", quote "'],
    [`<style>p { font-family: Arial, 'Op|en Sans', serif }</style>`, `fontFamily "'Open Sans'", quote '`],
    [`<style>p { font-family: "A|; color: red }</style>`, `fontFamily ""A", quote "`],
    ['<style>p { font-family: "Arial"| }</style>', 'none'],
    ['<style>p { font-family: Arial; col|or: red }</style>', 'none'],
    ['<style>p { font-family: var(--|) }</style>', 'customProperty ""'],
    ['<p style="font-family: A|">', `fontFamily "A", quote '`],
    ["<p style='color: red; font-family:|'>", 'fontFamily "", quote "'],
    ['<p title="font-family: |">', 'none'],
  ])('recognizes %s', check);
});

describe('an unclosed tag at the end of the file', () => {
  test.each([
    ['<p data-composition-id="a"><b data-st|', 'name "data-st" of b'],
    ['<p data-composition-id="a"><b |', 'name "" of b'],
    ['<p data-composition-id="a"><b data-start="|', 'start at 0'],
    ['<p data-composition-id="a"><b data-start="in|tro + 1', 'start at 2 in "intro"'],
    [`<p data-composition-id="a"><b class="a" data-variable-values='{"a":|`, 'value a of values'],
    ['<p data-composition-id="a"><!-- <b data-st|', 'none'],
    ['<p data-composition-id="a"><script>a <b |', 'none'],
    ['<p data-composition-id="a"></p> <|', 'none'],
    ['|<p data-composition-id="a">', 'none'],
  ])('recognizes %s', (markup, expected) => expect(describeContext(markup)).toBe(expected));
});
