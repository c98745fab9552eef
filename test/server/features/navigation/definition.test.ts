// Go to definition: from the cursor to the marked target, several files in one string.

import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LocationLink } from 'vscode-languageserver-types';
import { definition } from '../../../../server/features/navigation/definition.ts';
import { filesOf, mark, marked } from '../../../support/editor/markup.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';

/** `source` contains the cursor as `|` and the expected target in marks; without marks, nothing must be found. */
function check(source: string): void {
  const isProject = source.startsWith('=== ');
  const { text } = marked(source.replace('|', ''));
  const { file, offset } = fileWithCursor(source.replaceAll(/[«»]/g, ''));
  const links = definition(file, offset);
  expect(links.length).toBeLessThanOrEqual(1);
  const files = isProject ? filesOf(text) : new Map([['index.html', text]]);
  const shown = [...files].map(([path, content]) => {
    const spans = links
      .filter(({ targetUri }) => targetUri.endsWith(`/project/${path}`))
      .map((link) => target(link, content));
    return `${isProject ? `=== ${path}\n` : ''}${mark(content, spans)}`;
  });
  expect(shown.join('')).toBe(source.replace('|', ''));
}

function target({ targetSelectionRange }: LocationLink, text: string) {
  const document = TextDocument.create('', 'html', 1, text);
  return { start: document.offsetAt(targetSelectionRange.start), end: document.offsetAt(targetSelectionRange.end) };
}

const page = (rest: string, id = '«title»') =>
  `<html data-composition-variables='[{"id":"${id}","type":"string"}]'><div data-composition-id="main">${rest}</div></html>`;

describe('of a variable', () => {
  test.each([
    page('<p data-var-text="ti|tle"></p>'),
    page('<video data-color-grading=\'{"preset":"$ti|tle"}\'></video>'),
    page('<p style="color: var(--ti|tle)"></p>'),
    page('<script>const { ti|tle } = __framework.getVariables()</script>'),
    page('<div data-composition-id="part" data-variable-values=\'{"ti|tle":1}\'></div>'),
    page('<p data-composition-src="a.html" data-variable-values=\'{"text":"${ti|tle}"}\'></p>'),
    page('', '«tit|le»'),
    page('<p data-var-text="oth|er"></p>', 'title'),
  ])('is found from %s', check);

  test('is found in the file that a host embeds', () => {
    check(`=== index.html
<div data-composition-id="main"><div data-composition-src="a/card.html" data-variable-values='{"ti|tle":"x"}'></div></div>
=== a/card.html
${page('')}
`);
  });
});

describe('of a clip', () => {
  test('is found from a start, by ID or composition ID', () => {
    check('<div data-composition-id="m"><p id="«a»" data-start="0"></p><p data-start="|a + 1"></p></div>');
    check(
      '<div data-composition-id="m"><p data-composition-id="«a»" data-start="0"></p><p data-start="a| + 1"></p></div>',
    );
  });

  test('is the clip in the same composition', () => {
    check(`<div data-composition-id="m"><div data-composition-id="n"><p id="a" data-start="0"></p></div>
<p id="«a»" data-start="0"></p><p data-start="a|"></p></div>`);
  });

  test('is found from a style or script', () => {
    check('<div data-composition-id="m"><p id="«a»" data-start="0"></p></div><style>#a| {}</style>');
    check('<div data-composition-id="m"><p id="«a»" data-start="0"></p></div><script>gsap.to("#a|", {})</script>');
  });
});

describe('of a file', () => {
  test('is the root of the composition that a host embeds', () => {
    check(`=== index.html
<div data-composition-id="main"><div data-composition-src="a/ca|rd.html?x"></div></div>
=== a/card.html
<p>before</p><div data-composition-id="«card»"></div>
`);
  });

  test('is the root whose ID a host repeats', () => {
    check(`=== index.html
<div data-composition-id="main"><div data-composition-id="ca|rd" data-composition-src="card.html"></div></div>
=== card.html
<div data-composition-id="«card»"></div>
`);
  });

  test('is the start of an asset', () => {
    check(`=== index.html
<div data-composition-id="main"><img src="img/my%20|photo.png"></div>
=== img/my photo.png
«»binary
`);
    check(`=== index.html
<html data-composition-variables='[{"id":"p","type":"string","default":"img/p|.png"}]'><div data-composition-id="main"></div>
=== img/p.png
«»binary
`);
  });

  test('is empty if the file does not exist', () => {
    check('<div data-composition-id="m"><img src="no|ne.png"><img src="https://example.com/a.png"></div>');
  });
});
