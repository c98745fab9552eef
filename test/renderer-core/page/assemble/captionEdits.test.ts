// The captions of a file in the markup of a page.
import { expect, test } from 'vitest';
import { parseComposition } from '../../../../renderer-core/model/composition.ts';
import { captionEdits } from '../../../../renderer-core/page/assemble/captionEdits.ts';
import { applyTextEdits } from '../../../../renderer-core/page/assemble/textEdits.ts';

const talk = 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ada>one <00:02.000>two\n<b>3 &lt; 4</b></v>\n';

/** The element after the assembly, at 30 frames per second. */
function assembled(element: string, values: Record<string, unknown> = {}, file = talk): string {
  const text = `<div data-composition-id="main">${element}</div>`;
  const files = {
    exists: (path: string) => path === 'talk.vtt',
    read: (path: string) => (path === 'talk.vtt' ? file : undefined),
  };
  const edits = captionEdits('index.html', parseComposition(text), values, files, { num: 30, den: 1 });
  const [, content = ''] = /^<div[^>]*>(.*)<\/div>$/s.exec(applyTextEdits(text, edits)) ?? [];
  return content;
}

const cue = (start: number, duration: number, content: string) =>
  `<span data-cue data-framework-cue data-framework-hidden data-start="${start}" data-duration="${duration}" style="--cue-seconds:${duration}s">${content}</span>`;
const word = (start: number, seconds: number, content: string) =>
  `<span data-cue-word style="--word-start:${start}s;--word-seconds:${seconds}s">${content}</span>`;
const plain = cue(1, 1.5, '<span data-cue-voice="Ada">one two<br><b>3 &lt; 4</b></span>');

test('replaces the content with the captions', () => {
  expect(assembled('<p data-captions-src="talk.vtt">…</p>')).toBe(`<p data-captions-src="talk.vtt">${plain}</p>`);
});

test('makes elements of words, without the spaces around them', () => {
  expect(assembled('<p data-captions-src="talk.vtt" data-captions-words></p>')).toBe(
    `<p data-captions-src="talk.vtt" data-captions-words>${cue(
      1,
      1.5,
      `<span data-cue-voice="Ada">${word(0, 1, 'one')} ${word(1, 0.5, 'two')}<br><b>${word(1, 0.5, '3 &lt; 4')}</b></span>`,
    )}</p>`,
  );
});

test('leaves captions without times of words as they are', () => {
  const file = 'WEBVTT\n\n00:01.000 --> 00:02.000\none two\n';
  expect(assembled('<p data-captions-src="talk.vtt" data-captions-words></p>', {}, file)).toContain('>one two</span>');
});

test('begins words at frames, as clips do', () => {
  const file = 'WEBVTT\n\n00:00.034 --> 00:01.001\none <00:00.501>two\n';
  const found = assembled('<p data-captions-src="talk.vtt" data-captions-words></p>', {}, file);
  expect(found).toContain('--word-start:0.4667s;--word-seconds:0.5s');
});

test('keeps times of words in order, and in the caption', () => {
  const file = 'WEBVTT\n\n00:01.000 --> 00:03.000\na <00:02.000>b <00:01.500>c <00:09.000>d\n';
  const found = assembled('<p data-captions-src="talk.vtt" data-captions-words></p>', {}, file);
  expect([...found.matchAll(/--word-start:(.*?)s;--word-seconds:(.*?)s/g)].map(([, ...times]) => times.join())).toEqual(
    [...['0,1', '1,0', '1,1', '2,0']],
  );
});

test.each([
  '<table data-captions-src="talk.vtt"></table>',
  '<script data-captions-src="talk.vtt"></script>',
  '<p data-captions-src="talk.vtt" data-var-text="x"></p>',
])('leaves %s as it is', (element) => expect(assembled(element)).toBe(element));

test('skips the seconds of data-media-start', () => {
  expect(assembled('<p data-captions-src="talk.vtt" data-media-start="1.5"></p>')).toContain(
    'data-start="-0.5" data-duration="1.5"',
  );
  expect(assembled('<p data-captions-src="talk.vtt" data-media-start="2.5"></p>')).toContain('"2.5"></p>');
});

test.each<[string, Record<string, unknown>, string]>([
  ['of a variable', { file: 'talk.vtt' }, plain],
  ['of no file', { file: '' }, 'x'],
  ['of a file that does not exist', { file: 'other.vtt' }, 'x'],
])('shows the captions %s', (_, values, expected) => {
  expect(assembled('<p data-captions-src="" data-var-src="file">x</p>', values)).toContain(`"file">${expected}</p>`);
});
