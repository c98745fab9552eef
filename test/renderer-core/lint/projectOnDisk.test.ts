// What the linter and the list of compositions find in folders on disk.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeProject } from '../../../renderer-core/describeProject.ts';
import { lintProject } from '../../../renderer-core/lintProject.ts';
import { buildGraph } from '../../../renderer-core/model/graph.ts';
import { differencesFromPage } from '../../../renderer-core/plan/differencesFromPage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'framework-lint-'));
  mkdirSync(join(folder, 'project'));
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other/photo.png'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

const page = (body: string) =>
  `<!doctype html><div data-composition-id="main" data-width="64" data-height="36" data-duration="1">${body}</div>`;

const write = (path: string, text: string) => writeFileSync(join(folder, 'project', path), text);

test('lists and checks compositions, and no page that only mentions an attribute', async () => {
  write('index.html', page(''));
  write('manual.html', '<h1>Manual</h1><code>&lt;div data-composition-id="main"&gt;</code>');
  write('tool.html', `<script>document.querySelector('[data-composition-id]')</script>`);
  expect((await describeProject(join(folder, 'project'))).compositions.map(({ file }) => file)).toEqual(['index.html']);
  expect((await lintProject(join(folder, 'project'))).files).toBe(1);
});

test('reports references that a render refuses because they lead out of the project', async () => {
  symlinkSync('../other/photo.png', join(folder, 'project/link.png'));
  symlinkSync('../other', join(folder, 'project/linked'));
  symlinkSync('photo.png', join(folder, 'project/inside.png'));
  write('photo.png', '');
  write(
    'index.html',
    page(
      '<img src="link.png"><img src="linked/photo.png"><img src="../other/photo.png"><img src="C:\\photo.png"><img src="inside.png">',
    ),
  );
  const { findings } = await lintProject(join(folder, 'project'));
  expect(findings.map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`)).toEqual([
    'error asset-outside-project: link.png is a link to a file outside the project folder; copy the file into the folder',
    'error asset-outside-project: linked/photo.png is a link to a file outside the project folder; copy the file into the folder',
    'error asset-outside-project: ../other/photo.png is outside the project folder; copy the file into the folder',
    'error asset-outside-project: C:\\photo.png is outside the project folder; copy the file into the folder',
  ]);
});

test('warns before a render of what looks or sounds different in the page, with the line', () => {
  const files: Record<string, string> = {
    'index.html': page(
      '\n<iframe src="still.html"></iframe><iframe src="moving.html"></iframe><script src="sound.js"></script>',
    ),
    'still.html': '<p>Map</p>',
    'moving.html': '<style>p { animation: spin 1s }</style>',
    'sound.js': '\nnew Audio("a.mp3").play()',
  };
  const read = (path: string) => files[path];
  expect(differencesFromPage(buildGraph('index.html', read), read)).toEqual([
    'index.html:2:48: The document in <iframe> stands still in the video, and videos in it run in real time; embed a composition with data-composition-src',
    'sound.js:2:1: The sound of new Audio() is missing from the video; use an <audio> element with data-start',
  ]);
});
