// The size at which an embedded composition without its own size is previewed.
import { expect, test } from 'vitest';
import { overlayFiles } from '../../preview/overlay.ts';
import { readPreview } from '../../preview/shownComposition.ts';
import { readInside } from '../../renderer-core/project/readInside.ts';
import { project } from '../support/project.ts';

const scene = '<div data-composition-id="scene" data-duration="2"></div>';
const host = '<div data-composition-src="parts/scene.html" data-start="0" data-duration="2"></div>';
const page = (width: number, height: number) =>
  `<!doctype html><div data-composition-id="main" data-width="${width}" data-height="${height}" data-duration="2">${host}</div>`;

function sizeIn(files: Record<string, string>, unsaved: Record<string, string> = {}) {
  const root = project(files);
  const overlay = overlayFiles(readInside(root));
  for (const [path, text] of Object.entries(unsaved)) overlay.set(path, text);
  const shown = { composition: 'parts/scene.html', values: {}, source: undefined, size: '' };
  const { page: read, problems } = readPreview(root, shown, overlay, { systemFonts: false });
  if (!read) return problems;
  const [, { width, height }] = JSON.parse(read.content);
  return { width, height };
}

test('previews an embedded composition at the size of its host', () => {
  const files = { 'parts/scene.html': scene, 'index.html': page(640, 800) };
  expect(sizeIn(files)).toEqual({ width: 640, height: 800 });
  // The unsaved text of the editor counts.
  expect(sizeIn(files, { 'index.html': page(320, 240) })).toEqual({ width: 320, height: 240 });
  expect(sizeIn(files, { 'other/new.html': 'unrelated' })).toEqual({ width: 640, height: 800 });
});

test('previews a composition without a host at 1920 × 1080', () => {
  expect(sizeIn({ 'parts/scene.html': scene })).toEqual({ width: 1920, height: 1080 });
});

test('reports a page without a size that nothing embeds', () => {
  expect(sizeIn({ 'parts/scene.html': `<!doctype html>${scene}` })).toMatchObject([
    { message: 'The composition has no width and height' },
  ]);
});
