// Stress tests of the server's process: it answers for every document, keeps running, and does not leak memory.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LanguageClient, OpenFile } from '../support/editor/languageClient.ts';
import { workspace } from '../support/editor/workspace.ts';

const sample = `<!doctype html>
<html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello"},{"id":"look","type":"enum","label":"Look","default":"warm","options":[{"value":"warm","label":"Warm"}]}]'>
<style>h1 { color: var(--title) }</style>
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5">
  <h1 id="intro" data-var-text="title" data-start="0" data-duration="2"></h1>
  <p data-start="intro + 0.5" data-duration="1">a &amp; b</p>
  <video src="a.mp4" data-start="0" data-color-grading='{"preset":"$look","adjust":{"exposure":0.1}}'></video>
  <div data-composition-src="index.html" data-variable-values='{"title":"Pro"}' data-start="0"></div>
</div>
<script>const { title = "Hello" } = window.__framework.getVariables();</script>
</html>
`;

/** Sends every request that an editor sends automatically. */
async function askAll(file: OpenFile, offset: number): Promise<void> {
  const position = file.position(offset);
  const range = { start: { line: 0, character: 0 }, end: position };
  await Promise.all([
    file.diagnostics(),
    file.ask('textDocument/completion', { position }),
    file.ask('textDocument/hover', { position }),
    file.ask('textDocument/definition', { position }),
    file.ask('textDocument/references', { position, context: { includeDeclaration: true } }),
    file.ask('textDocument/prepareRename', { position }),
    file.ask('textDocument/documentSymbol'),
    file.ask('textDocument/documentLink'),
    file.ask('textDocument/documentColor'),
    file.ask('textDocument/foldingRange'),
    file.ask('textDocument/semanticTokens/full'),
    file.ask('textDocument/inlayHint', { range }),
    file.ask('textDocument/codeLens'),
    file.ask('textDocument/codeAction', { range, context: { diagnostics: [] } }),
  ]);
}

/** The errors that the server has logged. */
const failures = (client: LanguageClient) =>
  client.received<{ type: number; message: string }>('window/logMessage').filter(({ type }) => type === 1);

test('answers for corrupted and binary texts', async () => {
  const client = await workspace('=== other.html\n<p></p>\n');
  const file = await client.openPath('index.html', sample);
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('"', "'", '<', '&quot;', '{', '\0', '\r', '\uFEFF', '\uD800'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.nat(sample.length),
      fc.nat(60),
      piece,
      fc.nat(sample.length),
      async (at, length, text, offset) => {
        await file.setText(sample.slice(0, at) + text + sample.slice(at + length));
        await askAll(file, offset);
      },
    ),
    { numRuns: 60 },
  );
  expect(failures(client)).toEqual([]);
});

test('answers after every edit while a document is typed', async () => {
  const client = await workspace('=== other.html\n<p></p>\n');
  const file = await client.openPath('index.html', '');
  for (let end = 0; end < sample.length; end += 7) {
    const position = file.position(end);
    const text = sample.slice(end, end + 7);
    await file.apply([{ range: { start: position, end: position }, newText: text }]);
    await askAll(file, end);
  }
  expect(failures(client)).toEqual([]);
  // A document that was typed in parts gives the same diagnostics as one that was opened complete.
  const whole = await client.openPath('copy.html', sample.replace('index.html', 'copy.html'));
  expect((await file.diagnostics()).map(({ code }) => code)).toEqual(
    (await whole.diagnostics()).map(({ code }) => code),
  );
});

test('answers for ten megabytes on one line', async () => {
  const client = await workspace('=== other.html\n<p></p>\n');
  const inlined = `<img src="data:image/png;base64,${'QUJD'.repeat(2_500_000)}">`;
  const file = await client.openPath(
    'index.html',
    sample.replaceAll('\n', ' ').replace('<style>', `${inlined}<style>`),
  );
  await askAll(file, 40);
  await file.replace('data-duration="2"', 'data-duration="3"');
  await askAll(file, 40);
  expect(failures(client)).toEqual([]);
});

test('answers for thousands of nested levels', async () => {
  const client = await workspace('=== other.html\n<p></p>\n');
  const deep = `<div data-composition-id="main" data-width="9" data-height="9" data-duration="1" data-composition-variables='${'['.repeat(5000)}'>${'<div>'.repeat(5000)}<script>${'('.repeat(5000)}getVariables</script>`;
  const file = await client.openPath('index.html', deep);
  await askAll(file, 100);
  expect(failures(client)).toEqual([]);
});

test('does not leak memory while a large file is edited', async () => {
  // If the process kept what it derives from each text (30 MB), or only the texts, it would run out of memory.
  const nodeArguments = ['--max-old-space-size=160'];
  const client = await workspace('=== other.html\n<p></p>\n', { nodeArguments });
  const clip = (index: number) =>
    `<p id="c${index}" data-start="${index}" data-duration="1" title="a title that is long">a text that is long enough</p>\n`;
  const clips = Array.from({ length: 9000 }, (_, index) => clip(index));
  const text = `<div data-composition-id="main" data-width="9" data-height="9" data-duration="9999">\n${clips.join('')}</div>\n`;
  expect(text.length).toBeGreaterThan(900_000);
  const file = await client.openPath('index.html', text);
  for (let edit = 0; edit < 200; edit++) {
    await file.replace(clip(edit), clip(edit).replace('a title that is long', `another title that is long, ${edit}`));
    await file.diagnostics();
    if (edit % 10 === 0) await file.askAt('textDocument/completion', ' data-width');
  }
  expect(await file.askAt('textDocument/hover', 'data-width')).not.toBeNull();
}, 240_000);
