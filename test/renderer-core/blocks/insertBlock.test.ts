// Inserting a block: the text of the composition afterwards, the file that is written, and the times.
import { describe, expect, test } from 'vitest';
import { type InsertedBlock, insertBlock } from '../../../renderer-core/blocks/insertBlock.ts';
import { applyEdits } from '../../../renderer-core/lint/applyFixes.ts';
import { lintFile } from '../../../renderer-core/lint/lintFile.ts';
import { defaultSettings } from '../../../renderer-core/lint/settings.ts';
import { memoryProject } from '../../support/editor/memoryProject.ts';

const badge = `<template>
  <div
    data-composition-id="badge"
    data-duration="3"
    data-composition-variables='[
      {"id":"text","type":"string","label":"Text","default":"It&apos;s new"},
      {"id":"color","type":"color","label":"Color","default":"#ff0000"}]'
  ><b data-var-text="text" style="color: var(--color)"></b></div>
</template>
`;

const page = (attributes: string, content: string): string => `<!doctype html>
<html>
  <body>
    <div data-composition-id="main" data-width="640" data-height="360" ${attributes}>
${content}
    </div>
  </body>
</html>
`;

const heading = '      <h1 data-start="0" data-duration="4" data-track-index="0">Hello</h1>';

type Options = { at?: number; duration?: number; path?: string; isCentered?: boolean; isBehind?: boolean };

function insert(source: string, options: Options = {}): InsertedBlock & { text: string; findings: string[] } {
  const { at = 0, duration, path = 'index.html', ...placement } = options;
  const project = memoryProject(source);
  const asked = duration === undefined ? {} : { duration };
  const inserted = insertBlock(project, path, { block: { name: 'badge', ...placement }, text: badge, at, ...asked });
  if ('problem' in inserted) throw new Error(inserted.problem);
  const text = applyEdits(project.composition(path)?.text ?? '', inserted.edits);
  if (inserted.file) project.set(inserted.file.path, inserted.file.text);
  project.set(path, text);
  const findings = lintFile(project, path, defaultSettings).map(({ rule, message }) => `${rule}: ${message}`);
  return { ...inserted, text, findings };
}

describe('the text', () => {
  test('embeds the block after the last visible element, with its texts and without findings', () => {
    const { text, file, findings } = insert(page('data-duration="8"', `${heading}\n      <script>"x"</script>`), {
      at: 2,
    });
    expect(text).toBe(
      page(
        'data-duration="8"',
        `${heading}
      <div
        id="badge"
        data-composition-src="compositions/badge.html"
        data-start="2"
        data-duration="3"
        data-track-index="1"
        data-variable-values='{"text":"It&#39;s new"}'
        style="position: absolute; left: 0; top: 0; width: 100%; height: 100%"
      ></div>
      <script>"x"</script>`,
      ),
    );
    expect(file).toEqual({ path: 'compositions/badge.html', text: badge });
    expect(findings).toEqual([]);
  });

  test('embeds a block that is behind everything before the first visible element', () => {
    const { text } = insert(page('data-duration="8"', `      <style></style>\n${heading}`), { isBehind: true });
    expect(text).toContain('<style></style>\n      <div\n        id="badge"');
    expect(text).toContain('></div>\n      <h1');
  });

  test('fills an empty composition', () => {
    const { text } = insert('<div data-composition-id="main" data-width="64" data-height="36"></div>');
    expect(text).toMatch(
      /^<div data-composition-id="main" data-width="64" data-height="36">\n {2}<div\n {4}id="badge"/,
    );
    expect(text).toMatch(/\n {2}><\/div>\n<\/div>$/);
  });

  test('keeps the line breaks of the file', () => {
    const { text, file } = insert(page('data-duration="8"', heading).replaceAll('\n', '\r\n'));
    expect([text, file?.text].map((one) => /(?<!\r)\n/.test(one ?? ''))).toEqual([false, false]);
  });
});

describe('the file', () => {
  const index = page('data-duration="8"', heading);

  test('is reused if it is the same block', () => {
    const { file, path } = insert(`=== index.html\n${index}=== compositions/badge.html\n${badge}`);
    expect([file, path]).toEqual([null, 'compositions/badge.html']);
  });

  test('gets another name if a different file exists, which is never overwritten', () => {
    const changed = badge.replace('#ff0000', '#00ff00');
    const { file, text } = insert(`=== index.html\n${index}=== compositions/badge.html\n${changed}`);
    expect(file?.path).toBe('compositions/badge-2.html');
    expect(text).toContain('data-composition-src="compositions/badge-2.html"');
  });

  test('never embeds itself', () => {
    const { file, text } = insert(`=== compositions/badge.html\n${badge}`, { path: 'compositions/badge.html' });
    expect(file?.path).toBe('compositions/badge-2.html');
    expect(text).toContain('data-composition-src="badge-2.html"');
  });

  test('is found from a composition in another folder', () => {
    const { text } = insert(`=== scenes/one/a.html\n${index}`, { path: 'scenes/one/a.html' });
    expect(text).toContain('data-composition-src="../../compositions/badge.html"');
  });
});

describe('the times', () => {
  const times = (attributes: string, options: Options, content = heading) => {
    const { start, duration, compositionDuration, track, id } = insert(page(attributes, content), options);
    return { start, duration, compositionDuration, track, id };
  };

  test.each<[string, Options, ReturnType<typeof times>]>([
    [
      'lasts as long as it declares',
      { at: 4 },
      { start: 4, duration: 3, compositionDuration: null, track: 0, id: 'badge' },
    ],
    [
      'ends with the composition',
      { at: 5.5 },
      { start: 5.5, duration: 2.5, compositionDuration: null, track: 0, id: 'badge' },
    ],
    [
      'makes the composition longer near its end',
      { at: 7.5 },
      { start: 7.5, duration: 3, compositionDuration: 10.5, track: 0, id: 'badge' },
    ],
    [
      'makes the composition longer for a given duration',
      { at: 2, duration: 9 },
      { start: 2, duration: 9, compositionDuration: 11, track: 1, id: 'badge' },
    ],
    [
      'has its middle at the time',
      { at: 4, isCentered: true },
      { start: 2.5, duration: 3, compositionDuration: null, track: 1, id: 'badge' },
    ],
    [
      'does not start before 0',
      { at: 0.5, isCentered: true },
      { start: 0, duration: 3, compositionDuration: null, track: 1, id: 'badge' },
    ],
    [
      'lasts until the end if it is behind everything',
      { at: 1, isBehind: true },
      { start: 1, duration: 7, compositionDuration: null, track: 1, id: 'badge' },
    ],
  ])('%s', (_, options, expected) => {
    expect(times('data-duration="8"', options)).toEqual(expected);
  });

  test('writes the new duration of the composition', () => {
    expect(insert(page('data-duration="8"', heading), { at: 8 }).text).toContain(
      'data-height="360" data-duration="11"',
    );
  });

  test('uses a track and an id that are free', () => {
    const content = `${heading}\n      <i id="badge" data-start="1" data-track-index="1"></i><b data-start="9" data-track-index="2"></b>`;
    expect(times('', { at: 2 }, content)).toEqual({
      start: 2,
      duration: 3,
      compositionDuration: null,
      track: 2,
      id: 'badge-2',
    });
  });
});

test('gives the reason if the block cannot be inserted', () => {
  const request = { block: { name: 'badge' }, text: badge, at: 0 };
  expect(insertBlock(memoryProject('<p>Hello</p>'), 'index.html', request)).toEqual({
    problem: 'index.html is not a composition: no element has data-composition-id.',
  });
  const host = '<div data-composition-id="a" data-composition-src="b.html"></div>';
  expect(insertBlock(memoryProject(host), 'index.html', request)).toEqual({
    problem: 'The root element of index.html embeds another file; insert the block there.',
  });
});
