// Where a file reads its variables: the marked ids.
import { expect, test } from 'vitest';
import { parseComposition } from '../../renderer-core/model/composition.ts';
import { variableReads } from '../../renderer-core/model/variableReads.ts';
import { mark, marked } from '../support/markup.ts';

/** `body` with its reads of the variables `title` and `tint` marked. */
function check(body: string): void {
  const page = `<html data-composition-variables='[{"id":"title","type":"string"},{"id":"tint","type":"color"}]'><div data-composition-id="m">${body}</div></html>`;
  const { text } = marked(page);
  const { reads } = variableReads(parseComposition(text));
  expect(
    mark(
      text,
      reads.map(({ span }) => span),
    ),
  ).toBe(page);
}

test.each([
  '<p data-var-text="«title»"></p><img data-var-src=«title»>',
  `<video data-color-grading='{"preset":"$«title»","intensity":"\${ «tint» }"}'></video>`,
  '<style>p { color: var( --«tint», red); top: var(--other) }</style><p style="color: var(--«tint»)"></p>',
  '<svg><path stroke="var(--«tint»)" data-note="var(--tint)"/></svg>',
  '<script>const { «title», "«tint»": t = "x" } = __framework.getVariables();</script>',
  '<script>style.getPropertyValue("--«tint»")</script>',
  '<script type="application/json">{"x": "var(--tint)"}</script>',
])('%s', check);
