// Errors name the line in the source file, also after an embedded file that has changed the line numbers.
import { expect, test } from 'vitest';
import type { UserError } from '../../../../renderer-core/errors.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

test('reports the source line of an exception after an embedded file', core, async () => {
  const card = '<div data-composition-id="card" data-width="8" data-height="8">\n\n\n\n<p>x</p>\n</div>';
  const host = '<div data-composition-src="card.html" data-start="0" data-duration="1"></div>';
  const index = composition(`${host}\n<script>\nnull.x\n</script>`);
  const line = index.slice(0, index.indexOf('null.x')).split('\n').length;
  const render = renderVideo({
    projectDir: project({ 'index.html': index, 'card.html': card }),
    output: `${temporaryFolder()}/a.mp4`,
  });
  await expect(render).rejects.toMatchObject({ code: 'script_error', place: { file: 'index.html', line } });
});

/** The error of a page with this script, on line `line` of its file. */
async function errorOf(script: string) {
  const index = composition(`<script>\n\n${script}\n</script>`);
  const render = renderVideo({ projectDir: project(index), output: `${temporaryFolder()}/a.mp4` });
  const error: UserError = await render.then(
    () => expect.fail('the render should have failed'),
    (reason) => reason,
  );
  return { error, line: index.slice(0, index.indexOf(script)).split('\n').length };
}

test('reports the line and the URL of a fetch that fails', async () => {
  const { error, line } = await errorOf("fetch('http://127.0.0.1:1/data.json').then((response) => response.json())");
  expect(error).toMatchObject({
    code: 'script_error',
    message: 'A script of the composition failed: TypeError: Failed to fetch: http://127.0.0.1:1/data.json',
    place: { file: 'index.html', line, column: 1 },
  });
});

test('reports the line that requests a missing file', async () => {
  const { error, line } = await errorOf("fetch('data/' + 'numbers.json')");
  expect(error).toMatchObject({
    code: 'asset_missing',
    message: 'The file data/numbers.json does not exist',
    place: { file: 'index.html', line, column: 1 },
  });
});

test.each([
  ["throw 'text'", 'text'],
  ['throw { code: 7 }', '{ code: 7 }'],
  ['throw undefined', 'undefined'],
  ["Promise.reject('later')", 'later'],
])('reports the value of %s', async (script, text) =>
  expect((await errorOf(script)).error.message).toBe(`A script of the composition failed: ${text}`));

test('reports the column in the first line, and in a file that is one fragment', async () => {
  const minified =
    '<!doctype html><html><head></head><body><div data-composition-id="m" data-width="8" data-height="8" data-duration="1"></div><script>null.x</script></body></html>';
  const fragment =
    '<div data-composition-id="m" data-width="8" data-height="8" data-duration="1"><script>null.x</script></div>';
  for (const html of [minified, fragment]) {
    const render = renderVideo({ projectDir: project({ 'index.html': html }), output: `${temporaryFolder()}/a.mp4` });
    const place = { file: 'index.html', line: 1, column: html.indexOf('null.x') + 'null.'.length + 1 };
    await expect(render).rejects.toMatchObject({ place });
  }
});

test.each([
  ["location.href = 'other.html'", 'The page must not navigate away from the composition (to other.html)'],
  [
    "if (top !== self) top.location = 'other.html'",
    'The page must not navigate away from the composition (to other.html)',
  ],
  ...["navigation.navigate('other.html')", 'form.submit()', 'form.requestSubmit()'].map((script) => [
    `const form = Object.assign(document.createElement('form'), { action: 'other.html' }); document.body.append(form); ${script}`,
    'The page must not navigate away from the composition (to other.html)',
  ]),
  [
    'const end = Date.now() + 9; while (Date.now() < end);',
    'A script waits for time to pass, but the clock of a composition stands still while a script runs',
  ],
])('ends with the line of %s', async (script = '', message) => {
  const { error, line } = await errorOf(script);
  expect(error).toMatchObject({
    code: 'script_error',
    message: `A script of the composition failed: Error: ${message}`,
    place: { file: 'index.html', line },
  });
});
