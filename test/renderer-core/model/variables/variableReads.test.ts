// Every place of a file that reads a variable.
import { expect, test } from 'vitest';
import { parseComposition } from '../../../../renderer-core/model/composition.ts';
import { variableReads } from '../../../../renderer-core/model/variables/variableReads.ts';
import { mark, marked } from '../../../support/editor/markup.ts';

/** The marked ranges are the reads; `by` says what reads, in their order. */
function check(markup: string, by: string, isComplete = true) {
  const { text } = marked(markup);
  const found = variableReads(parseComposition(text));
  expect(
    mark(
      text,
      found.reads.map(({ span }) => span),
    ),
  ).toBe(markup);
  expect(found.reads.map((read) => read.by).join(' ')).toBe(by);
  expect(found.isComplete).toBe(isComplete);
}

const declared = `<html data-composition-variables='[{"id":"title","type":"string"},{"id":"my-color","type":"color"}]'>`;
const root = '<div data-composition-id="m">';

test('finds variables in bindings', () => {
  check(`${root}<p data-var-text=" «title» "></p><img data-var-src=«photo»>`, 'text src');
});

test('finds variables in color gradings', () => {
  check(
    `${root}<img data-color-grading='{"preset":"$«look»","adjust":{"exposure":"\${ «light» }"}}'><img data-color-grading="{&quot;preset&quot;:&quot;$«look»&quot;}">`,
    'grading grading grading',
  );
});

test('finds custom properties of declared variables', () => {
  check(
    `${declared}<style>p { color: var(--«my-color»); margin: var(--gap) } i { color: var( --«title», red) }</style>${root}<p style="color:var(--«my-color»)"></p></html>`,
    'style style style',
  );
  check(`${declared}${root}<script>style.getPropertyValue('--«title»'); i--title</script></html>`, 'style');
});

test('finds variables in scripts', () => {
  check(
    `${root}<script>const { «a» } = getVariables()</script><script type="module">getVariables().«b»</script>`,
    'script script',
  );
});

test('ignores scripts that no browser runs', () => {
  check(
    `${root}<script type="application/json">{"a": "getVariables().a"}</script><script type="x-shader">getVariables().a</script>`,
    '',
  );
});

test('detects reads that may be missing', () => {
  check(`${root}<script src="code.js"></script>`, '', false);
  check(`${root}<script src="gsap.min.js"></script><script src="https://example.com/code.js"></script>`, '');
  check(`${root}<script>start(getVariables())</script>`, '', false);
  check(`${root}<link rel="stylesheet" href="style.css">`, '', false);
  check(`${root}<link rel="stylesheet" href="https://example.com/style.css">`, '');
  check(`${root}<template><script>getVariables().a</script></template>`, '', false);
});
