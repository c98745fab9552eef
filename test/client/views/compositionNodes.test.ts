// The rows of the Compositions view, built from the data of the language server.
import { expect, test, vi } from 'vitest';
import { accessibilityLabel } from '../../../client/views/accessibilityLabels.ts';
import { fileNodes, outlineNodes, projectFileNodes, projectNodes } from '../../../client/views/compositionNodes.ts';
import type { ViewNode } from '../../../client/views/viewNode.ts';
import { outline } from '../../../server/features/navigation/outline.ts';
import type { CompositionInfo } from '../../../server/protocol.ts';
import { fileWithCursor } from '../../support/editor/sourceFile.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const composition = (
  path: string,
  project = 'file:///w/one',
  more: Partial<CompositionInfo> = {},
): CompositionInfo => ({
  uri: `${project}/${path}`,
  path,
  projectUri: project,
  id: 'main',
  width: 1920,
  height: 1080,
  duration: 5,
  fps: null,
  variables: [],
  ...more,
});

const lines = (nodes: readonly ViewNode[], indent = ''): string[] =>
  nodes.flatMap(({ label, description, icon, children = [] }) => [
    `${indent}${icon?.name} ${label}: ${description}`,
    ...lines(children, `${indent}  `),
  ]);

test('lists the files of a project, the main one first and with the name of the project', () => {
  const files = ['parts/a.html', 'z.html', 'index.html'].map((path) => composition(path));
  expect(lines(fileNodes(files))).toEqual([
    'device-camera-video one: 1920 × 1080, 5 s',
    'device-camera-video z.html: 1920 × 1080, 5 s',
    'device-camera-video parts/a.html: 1920 × 1080, 5 s',
  ]);
});

test('names the main file below the row of its project by its title', () => {
  const files = [composition('index.html', undefined, { title: 'Speaker cards' }), composition('card.html')];
  expect(lines(projectFileNodes(files))).toEqual([
    'device-camera-video Speaker cards: index.html · 1920 × 1080, 5 s',
    'device-camera-video card.html: 1920 × 1080, 5 s',
  ]);
  expect(lines(projectFileNodes([composition('index.html')]))).toEqual(['device-camera-video one: 1920 × 1080, 5 s']);
});

test('lists several projects with unique names, and a project with one file as that file', () => {
  const intro = composition('index.html', 'file:///w/old/intro', { width: null, duration: null });
  const part = composition('part.html', 'file:///w/parts');
  const projects = [
    { uri: 'file:///w/my%20films/intro', compositions: 3 },
    { uri: 'file:///w/old/intro', compositions: 1, only: intro },
    { uri: 'file:///w/cards', compositions: 2 },
    { uri: 'file:///w/parts', compositions: 1, only: part },
  ];
  expect(lines(projectNodes(projects))).toEqual([
    'folder cards: 2 compositions',
    'folder my films/intro: 3 compositions',
    'device-camera-video old/intro: ',
    'device-camera-video parts/part.html: 1920 × 1080, 5 s',
  ]);
});

test('expands projects if there are at most ten', () => {
  const projects = Array.from({ length: 11 }, (_, index) => ({ uri: `file:///w/${index}`, compositions: 2 }));
  expect(new Set(projectNodes(projects.slice(1)).map(({ fold }) => fold))).toEqual(new Set(['open']));
  expect(new Set(projectNodes(projects).map(({ fold }) => fold))).toEqual(new Set(['closed']));
});

test('shows the properties of the video in the tooltip and escapes Markdown', () => {
  const variables = [{ id: 'title', type: 'string', label: 'Title' } as CompositionInfo['variables'][number]];
  const [node] = fileNodes([composition('[a](b).html', undefined, { id: null, variables })]);
  expect(node?.tooltip?.split('\n')).toEqual([
    '**\\[a\\]\\(b\\)\\.html**',
    '',
    '- File: \\[a\\]\\(b\\)\\.html',
    '- Composition: not specified',
    '- Size: 1920 × 1080',
    '- Duration: 5 s',
    '- Frames per second: 30 \\(default\\)',
    '- Variables: title',
  ]);
});

const source = `=== index.html
<html data-composition-variables='[{"id":"accent","type":"color","default":"#ff0000"}]'>
<div data-composition-id="main" data-width="640" data-height="360" data-duration="5">
<p id="late" data-start="2" data-duration="1" data-track-index="3">a</p><p data-start="0" data-duration="1">Hi</p><p data-start="1" data-duration="1">Hi</p>
<i data-composition-src="parts/card.html" data-start="4" data-duration="1"></i>
</div></html>
=== parts/card.html
<div data-composition-id="card"></div>
`;

test('shows variables and clips of a file, and opens the element on click', () => {
  const { file } = fileWithCursor(source);
  const nodes = outlineNodes(file.uri, outline(file));
  expect(lines(nodes)).toEqual([
    'symbol-variable Variables: 1',
    '  symbol-color accent: color = "#ff0000"',
    'layers Hi: 0 – 1 s',
    'layers Hi: 1 – 2 s',
    'layers late: 2 – 3 s, track 3',
    'references card.html: 4 – 5 s, → card.html',
  ]);
  expect(nodes.at(-1)).toMatchObject({
    context: 'host embedded',
    uri: 'file:///project/parts/card.html',
    opens: { uri: file.uri, range: { start: { line: 3, character: 0 } } },
  });
  // Accessibility labels include the meaning of the icons.
  expect([nodes[0]?.children?.[0], ...nodes.slice(-2)].map((node) => node && accessibilityLabel(node))).toEqual([
    'accent, variable, color = "#ff0000"',
    'late, clip, 2 – 3 s, track 3',
    'card.html, embedded composition, 4 – 5 s, → card.html',
  ]);
  expect(nodes[3]?.opens?.range?.start).toEqual({ line: 2, character: 0 });
});

test('keeps the ids of rows after an edit above them', () => {
  const ids = (nodes: readonly ViewNode[]): string[] =>
    nodes.flatMap(({ id, children = [] }) => [id, ...ids(children)]);
  const before = fileWithCursor(source).file;
  const after = fileWithCursor(
    source.replace('<html', '<!-- a comment\n-->\n<html').replace('data-start="2"', 'data-start="2.5"'),
  ).file;
  const known = ids(outlineNodes(before.uri, outline(before)));
  expect(new Set(known).size).toBe(known.length);
  expect(ids(outlineNodes(after.uri, outline(after)))).toEqual(known);
  expect(outlineNodes(before.uri, [])).toEqual([]);
});
