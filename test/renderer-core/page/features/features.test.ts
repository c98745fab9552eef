// What the files of a project show about its page.
import { expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { expectedOf } from '../../../../renderer-core/page/features/features.ts';

const composition = (content: string, duration = 'data-duration="20"') =>
  `<div data-composition-id="main" data-width="1920" data-height="1080" data-start="0" ${duration}>${content}</div>`;

const expected = (files: Record<string, string>) => expectedOf(buildGraph('index.html', (path) => files[path]));
const keeps = (files: Record<string, string>): boolean => expected(files).needs.displayRate;

test.each([
  ['no video', false, '<audio src="a.mp3"></audio>'],
  ['a video without times', true, '<video src="a.mp4"></video>'],
  [
    'a video that is shown for a fifth of the time',
    false,
    '<video src="a.mp4" data-start="9" data-duration="4"></video>',
  ],
  [
    'a video that is shown for a quarter of the time',
    true,
    '<video src="a.mp4" data-start="9" data-duration="5"></video>',
  ],
  ['a video that is shown to the end', true, '<video src="a.mp4" data-start="10"></video>'],
  [
    'two videos that follow each other',
    true,
    '<video id="a" src="a.mp4" data-start="0" data-duration="3"></video><video src="b.mp4" data-start="a" data-duration="3"></video>',
  ],
  [
    'a video in a short clip',
    false,
    '<div class="clip" data-start="0" data-duration="2"><video src="a.mp4" data-start="0" data-duration="20"></video></div>',
  ],
  ['a view transition', true, '<script>document.startViewTransition(() => {})</script>'],
])('keeps the frame rate of a display with %s: %s', (_, isKept, content) => {
  expect(keeps({ 'index.html': composition(content) })).toBe(isKept);
});

test('counts a video in an embedded file once for each instance', () => {
  const card = composition('<video src="a.mp4"></video>', 'data-duration="3"');
  const host = '<div data-composition-id="card" data-composition-src="card.html" data-start="0"></div>';
  expect(keeps({ 'index.html': composition(host), 'card.html': card })).toBe(false);
  expect(keeps({ 'index.html': composition(host.repeat(2)), 'card.html': card })).toBe(true);
});

test('keeps the frame rate for a video in a composition without a length', () => {
  expect(keeps({ 'index.html': composition('<video src="a.mp4"></video>', '') })).toBe(true);
});

test.each([
  ['a WebGL context', true, "<script>c.getContext('webgl2')</script>"],
  ['a library that draws with WebGL', true, '<script src="https://cdn.example/three.module.min.js"></script>'],
  ['a 2D canvas', false, "<script>c.getContext('2d')</script>"],
])('needs graphics in 3D for %s: %s', (_, isNeeded, content) => {
  expect(expected({ 'index.html': composition(content) }).needs.graphics3d).toBe(isNeeded);
});

test.each([
  ['a modal dialog', 'always', '<script>d.showModal()</script>'],
  ['a popover', 'always', '<p popover>Hi</p>'],
  ['a view transition', 'always', '<script>document.startViewTransition(() => {})</script>'],
  ['a dialog that is not modal', 'never', '<dialog open>Hi</dialog>'],
])('looks ahead because of %s: %s', (_, lookAhead, content) => {
  expect(expected({ 'index.html': composition(content) }).traits.lookAhead).toBe(lookAhead);
});
