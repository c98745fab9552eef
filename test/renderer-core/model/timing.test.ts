// When clips show.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import {
  addSeconds,
  containsTime,
  type NaturalDuration,
  resolveTimeline,
} from '../../../renderer-core/model/timing.ts';
import { mark } from '../../support/editor/markup.ts';

const root = (body: string) => `<div data-composition-id="main">${body}</div>`;

/** Each clip as `name start..end`, with `shows start..end` where that is less. */
function timesOf(body: string, natural?: NaturalDuration): string[] {
  const { clips } = resolveTimeline(parseComposition(root(body)).clips, natural);
  return clips.map(({ clip, start, end, shows }) => {
    const own = `${start}..${end ?? ''}`;
    const shown = `${shows.start}..${shows.end ?? ''}`;
    return `${clip.ids[0] ?? clip.element.tag} ${own}${own === shown ? '' : ` shows ${shown}`}`;
  });
}

function check(body: string, expected: string[], natural?: NaturalDuration) {
  expect(timesOf(body, natural)).toEqual(expected);
}

/** Problems as `code: message`; the marked ranges are their places. */
function checkProblems(body: string, expected: string[]) {
  const text = root(body).replace(/[«»]/g, '');
  const composition = parseComposition(text);
  const problems = [...composition.problems, ...resolveTimeline(composition.clips).problems];
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual(expected);
  expect(
    mark(
      text,
      problems.map(({ span }) => span),
    ),
  ).toBe(root(body));
}

test('reads seconds, with and without a duration', () => {
  check('<p id=a data-start="1.5" data-duration="2"></p><p id=b data-start=" 3 "></p>', ['a 1.5..3.5', 'b 3..']);
});

test('resolves an id to the end of the clip and applies offsets', () => {
  check(
    `<p id=b data-start="a" data-duration=1></p><p id=a data-start=1 data-duration=2></p>
     <p id=c data-start="b + 0.5" data-duration=1></p><p id=d data-start="c - .25" data-duration=1></p><p id=e data-start="a+1"></p>`,
    ['b 3..4', 'a 1..3', 'c 4.5..5.5', 'd 5.25..6.25', 'e 4..'],
  );
});

test('treats a hyphen without whitespace before it as part of the id', () => {
  check(
    '<p id=a-roll-2 data-start=0 data-duration=2></p><p id=b data-start="a-roll-2"></p><p id=c data-start="a-roll-2 -1"></p>',
    ['a-roll-2 0..2', 'b 2..', 'c 1..'],
  );
});

test('adds decimals without rounding errors', () => {
  check('<p id=a data-start=0.1 data-duration=0.2></p><p id=b data-start="a"></p>', ['a 0.1..0.3', 'b 0.3..']);
  expect(addSeconds(0.1, 0.2)).toBe(0.3);
});

test('hides a clip by the times of its ancestors, without shifting it', () => {
  check(
    '<div id=out data-start=2 data-duration=3><p id=in data-start=1 data-duration=9></p><p id=late data-start=7></p></div>',
    ['out 2..5', 'in 1..10 shows 2..5', 'late 7.. shows 7..5'],
  );
});

test('shifts the content of an inline composition that is a clip', () => {
  check(
    `<div id=scene data-composition-id=s data-start=10 data-duration=5><p id=in data-start=1 data-duration=2></p>
       <div data-composition-id=deep><p id=deeper data-start=3></p></div></div>
     <p id=after data-start="in"></p>`,
    ['scene 10..15', 'in 11..13', 'deeper 13.. shows 13..15', 'after 13..'],
  );
});

test('refers to a host by its composition id, and uses natural durations', () => {
  const body = `<div data-composition-id=intro data-composition-src="i.html" data-start=1></div><p id=a data-start="intro"></p>
    <video id=v data-start=0></video><p id=b data-start="v + 1"></p>`;
  check(body, ['intro 1..4', 'a 4..', 'v 0..3', 'b 4..'], (clip) => (clip.isHost || clip.media ? 3 : undefined));
});

test('prefers a clip of the same composition among equal ids', () => {
  check(
    `<p id=x data-start=0 data-duration=1></p>
     <div data-composition-id=s data-start=10><p id=x data-start=0 data-duration=2></p><p id=in data-start=x></p></div><p id=out data-start=x></p>`,
    ['x 0..1', 's 10..', 'x 10..12', 'in 12..', 'out 1..'],
  );
});

test('does not treat the root as a clip', () => {
  const { clips, problems } = parseComposition('<div data-composition-id="m" data-start="0" data-duration="3"></div>');
  expect([clips, problems]).toEqual([[], []]);
  expect(parseComposition('<div data-composition-id="m" data-start="2"></div>').problems).toMatchObject([
    { code: 'root-start' },
  ]);
});

test('reports unknown ids', () => {
  checkProblems('<p id=intro data-start=0></p><p data-start="«intor» + 1"></p>', [
    'unknown-id: No clip has the id "intor"; did you mean "intro"?',
  ]);
  checkProblems('<p id=a data-start=0 data-duration=1></p><p data-start="«a-0.5»"></p>', [
    'unknown-id: No clip has the id "a-0.5"; write "a - 0.5", with spaces, to start 0.5 s before the end of "a"',
  ]);
  checkProblems('<p data-start="«5s»"></p>', ['unknown-id: No clip has the id "5s"; write seconds without a unit']);
});

test('reports references to clips of unknown duration', () => {
  checkProblems('<p id=a data-start=0></p><p data-start="«a»"></p>', [
    'unknown-duration: The end of "a" is unknown because it has no data-duration',
  ]);
  checkProblems('<video id=v data-start=0></video><p data-start="«v»"></p>', [
    'unprobed-duration: The end of "v" is unknown because it has no data-duration',
  ]);
  checkProblems('<video id=v data-start=0 data-duration="«x»"></video><p data-start="«v»"></p>', [
    'not-a-number: data-duration must be a number (got "x")',
    'unknown-duration: The end of "v" is unknown because its data-duration is invalid',
  ]);
});

test('reports a cycle once for each of its clips and leaves out dependent clips', () => {
  const body = `<p id=a data-start="«b»" data-duration=1></p><p id=b data-start="«a + 1»" data-duration=1></p><p id=c data-start="a"></p>`;
  checkProblems(body, [
    'cycle: These clips depend on each other: "a" → "b" → "a"',
    'cycle: These clips depend on each other: "b" → "a" → "b"',
  ]);
  check(body.replace(/[«»]/g, ''), []);
  checkProblems('<p id=a data-start="«a»" data-duration=1></p>', ['cycle: "a" starts at its own end']);
  checkProblems(
    '<div data-composition-id=s data-start="«in»" data-duration=1><p id=in data-start="«1»" data-duration=1></p></div>',
    [
      'cycle: These clips depend on each other: "s" → "in" → "s"',
      'cycle: These clips depend on each other: "in" → "s" → "in"',
    ],
  );
});

test('reports invalid starts and durations', () => {
  checkProblems('<p data-start="«»"></p>', [
    'invalid-start: data-start must be a number of seconds or the id of a clip (got an empty value)',
  ]);
  checkProblems('<p data-start="«1 2»"></p>', [
    'invalid-start: data-start must be seconds, an id, id + seconds or id - seconds (got "1 2")',
  ]);
  checkProblems('<p data-start="«a + b»"></p>', ['invalid-start: Expected a number of seconds after "a +" (got "b")']);
  checkProblems('<p data-start="«a - -1»"></p>', [
    'invalid-start: Expected a number of seconds after "a -" (got "-1")',
  ]);
  checkProblems('<p data-start=0 data-duration="«0»"></p>', [
    'out-of-range: data-duration must be a number greater than 0 (got 0)',
  ]);
  checkProblems('<p data-start=0 data-duration="«-1»"></p>', [
    'out-of-range: data-duration must be a number greater than 0 (got -1)',
  ]);
  checkProblems('<p data-start=0 data-duration="«5s»"></p>', [
    'not-a-number: data-duration must be a number (got "5s"); leave out the unit',
  ]);
  checkProblems('<p id=a data-start="«-1»"></p>', [
    'negative-start: "a" starts 1 s before the composition; that part is never visible',
  ]);
});

test('resolves a chain that is longer than the call stack', () => {
  const length = 20_000;
  const body = Array.from(
    { length },
    (_, i) => `<p id=c${i} data-start=${i ? `c${i + 1 < length ? i + 1 : 0}` : 0} data-duration=1>`,
  ).join('');
  const { clips, problems } = resolveTimeline(parseComposition(root(body)).clips);
  expect(problems).toEqual([]);
  expect(Math.max(...clips.map(({ start }) => start))).toBe(length - 1);
});

test('includes the start of a time span and excludes its end', () => {
  expect([1, 2, 3].map((t) => containsTime({ start: 1, end: 3 }, t))).toEqual([true, true, false]);
  expect(containsTime({ start: 1, end: null }, 1e9)).toBe(true);
});

test('adds up a chain of references in any order', () => {
  const tenths = fc.integer({ min: 1, max: 50 }).map((n) => n / 10);
  fc.assert(
    fc.property(
      fc.array(fc.record({ duration: tenths, gap: tenths, key: fc.nat() }), { minLength: 1, maxLength: 8 }),
      (parts) => {
        let at = 0;
        const expected = new Map<string, string>();
        const markup = parts.map(({ duration, gap, key }, i) => {
          const start = i === 0 ? gap : at + gap;
          at = start + duration;
          expected.set(`c${i}`, `${start.toFixed(1)}..${at.toFixed(1)}`);
          return {
            key,
            html: `<p id=c${i} data-start="${i === 0 ? gap : `c${i - 1} + ${gap}`}" data-duration="${duration}"></p>`,
          };
        });
        const shuffled = markup.toSorted((a, b) => a.key - b.key).map(({ html }) => html);
        const { clips } = resolveTimeline(parseComposition(root(shuffled.join(''))).clips);
        for (const { clip, start, end } of clips) {
          expect(`${start.toFixed(1)}..${end?.toFixed(1)}`).toBe(expected.get(clip.ids[0] ?? ''));
          expect(Math.round(start * 10) / 10).toBe(start);
        }
        expect(clips).toHaveLength(parts.length);
      },
    ),
  );
});
