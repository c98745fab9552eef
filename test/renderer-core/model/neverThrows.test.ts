// Invariant of the model: any text gives a model, and every span in it lies inside the text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attr } from '../../../renderer-core/model/attributes.ts';
import { type Composition, parseComposition } from '../../../renderer-core/model/composition.ts';
import { buildGraph } from '../../../renderer-core/model/graph.ts';
import { extractCompositionMetadata } from '../../../renderer-core/model/metadata.ts';
import { resolveTimeline } from '../../../renderer-core/model/timing.ts';
import { mutationsOf, noise } from '../../support/editor/mutations.ts';

const sample = `<!doctype html><html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hi"},
{"id":"look","type":"enum","options":[{"value":"a","label":"A"}],"default":"a"},{"id":"bad","type":"object"}]'>\r\n<head>
<link rel="stylesheet" href="a.css"><style>@import "b.css"; p{background:url(x.png)}</style></head><body>
<div id="root" data-composition-id="main" data-width="1920" data-height="1080" data-sizes="9x16" data-fps="30" data-duration="5" data-start="0">
<h1 id="a" data-start="0" data-duration="2" data-var-text="title" data-var-if="title">Hi &amp; bye</h1><p data-start="a + 1">x
<video id="v" src="v.mp4" data-start="a" data-volume="0.5" data-color-grading="{&quot;preset&quot;:&quot;$look&quot;}"></video>
<div data-composition-id="c" data-composition-src="c.html" data-variable-values='{"title":"Pro","n":[1,2]}' data-start="v - 1"></div><div data-captions-src="s.vtt"></div>
<svg><image xlink:href="i.png"/></svg><table><tr><td><template><b>t</b></template></table><script>if (a < b) c()</script></div></body></html>`;

/** Every span that can be reached in a model, by a walk that knows nothing of the model's shape. */
function spansOf(model: unknown) {
  const spans: { start: number; end: number }[] = [];
  const seen = new Set<unknown>();
  const pending = [model];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const keys = Object.keys(next);
    if (keys.join() === 'start,end') spans.push(next as { start: number; end: number });
    else if (next instanceof Map) pending.push(...next.values());
    else pending.push(...Object.values(next));
  }
  return spans;
}

function check(text: string): Composition {
  const composition = parseComposition(text);
  const { problems, clips } = resolveTimeline(composition.clips);
  const outside = spansOf([composition, problems]).filter(
    ({ start, end }) => !(start >= 0 && start <= end && end <= text.length),
  );
  expect(outside).toEqual([]);
  for (const { element } of composition.clips) expect(text[element.startTag.start]).toBe('<');
  for (const { start } of clips) expect(Number.isFinite(start)).toBe(true);
  expect(composition.problems.every(({ message }) => message !== '')).toBe(true);
  return composition;
}

test('fills every list of the model with the sample', () => {
  const composition = check(sample);
  const lists = Object.entries(composition).filter(([, value]) => Array.isArray(value) && value.length === 0);
  expect(lists.map(([name]) => name)).toEqual(['inlineCompositions', 'problems']);
  expect(spansOf(composition).length).toBeGreaterThan(150);
});

test('parses every truncation of the sample', () => {
  for (let length = 0; length <= sample.length; length++) check(sample.slice(0, length));
});

test('parses any mutation of the sample', () => {
  fc.assert(
    fc.property(mutationsOf(sample, 6), (text) => void check(text)),
    { numRuns: 500 },
  );
});

const attribute = fc.tuple(
  fc.constantFrom(...Object.values(attr), 'id', 'src', 'style', 'srcset', '__proto__', 'constructor'),
  fc.oneof(noise, fc.json(), fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('a', 'b', 'a + 1', '1')),
);
const tag = fc.constantFrom(
  ...[
    'div',
    'p',
    'b',
    'a',
    'video',
    'img',
    'script',
    'style',
    'template',
    'svg',
    'table',
    'td',
    'html',
    'body',
    'link',
  ],
  ...['constructor', 'select', 'frameset', 'math', 'plaintext'],
);
const element = fc
  .tuple(tag, fc.array(attribute, { maxLength: 4 }), fc.constantFrom('"', "'", ''), fc.boolean(), noise)
  .map(
    ([name, attributes, quote, close, inside]) =>
      `<${name}${attributes.map(([key, value]) => ` ${key}=${quote}${value}${quote}`).join('')}>${inside}${close ? `</${name}>` : ''}`,
  );

test('parses random markup', () => {
  fc.assert(
    fc.property(
      fc.array(element, { maxLength: 8 }).map((parts) => parts.join('')),
      (text) => {
        check(text);
        extractCompositionMetadata(text);
        buildGraph('index.html', (path) => (path.length < 20 ? text : undefined));
      },
    ),
    { numRuns: 1000 },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void check(text)));
});

test('parses extreme nesting and length in linear time', () => {
  check('<div data-composition-id="m">'.repeat(5000));
  check(`<html data-composition-variables='${'['.repeat(100_000)}'>`);
  check(`<p ${'a=1 '.repeat(20_000)}>`);
  check('<template>'.repeat(2000));
});
