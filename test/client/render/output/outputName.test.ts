// Names of videos.
import { expect, test } from 'vitest';
import { freeName, isInProject, outputName, videosOf } from '../../../../client/render/output/outputName.ts';

const named = (values: Record<string, unknown>, path = 'index.html', set?: string) =>
  outputName({ project: 'launch-card', path, values, set });

test('names a video after the project and its changed values', () => {
  expect(named({})).toBe('launch-card');
  expect(named({ product: 'Halo Two' })).toBe('launch-card-halo-two');
  expect(named({ product: 'Halo Two', price: 19.5, dark: true })).toBe('launch-card-halo-two-price-19_5-dark-true');
  expect(named({ accent: '#ff6347', layout: 'wide' })).toBe('launch-card-accent-ff6347-wide');
  expect(named({ year: '2026' })).toBe('launch-card-year-2026');
  expect(named({ a: 'one', b: 'two', c: 'three', d: 'four' })).toBe('launch-card-one-two-three');
});

test('names a video after the set instead of its values', () => {
  expect(named({ product: 'Halo Two', price: 3 }, 'index.html', 'Customer 12')).toBe('launch-card-customer-12');
});

test('adds the name of a composition that is not index.html', () => {
  expect(named({}, 'cards/title.html')).toBe('launch-card-cards-title');
  expect(named({}, 'cards/index.html')).toBe('launch-card-cards');
  expect(named({}, 'launch-card.HTM')).toBe('launch-card');
});

test('keeps letters of all languages and removes what file names cannot contain', () => {
  expect(outputName({ project: 'Fünf Tage', path: 'index.html', values: { title: 'Größe: 100% / "neu"' } })).toBe(
    'fünf-tage-größe-100-neu',
  );
  expect(outputName({ project: '動画', path: 'index.html', values: { title: '🎬', name: '../../etc' } })).toBe(
    '動画-etc',
  );
  expect(outputName({ project: '..', path: 'index.html', values: {} })).toBe('video');
});

test('shortens long values and long names between words', () => {
  expect(named({ text: 'A sentence that is much too long for the name of a file' })).toBe(
    'launch-card-a-sentence-that-is-much',
  );
  expect(outputName({ project: 'x'.repeat(80), path: 'index.html', values: {} })).toBe('x'.repeat(60));
});

test.each([
  ['renders/card.mp4', '/films/card', true],
  ['a/../../card/b.mp4', '/films/card', true],
  ['/films/card/renders/b.mp4', '/films/card', true],
  ['../../evil.webm', '/films/card', false],
  ['renders\\..\\..\\evil.webm', '/films/card', false],
  ['/films/cards/b.mp4', '/films/card', false],
  ['..', '/films/card', false],
  ['..card.mp4', '/films/card', true],
  ['.', '/films/card', false],
  ['out\\b.mp4', 'C:\\films\\card', true],
  ['C:\\films\\card\\b.mp4', 'c:\\films\\card', true],
  ['..\\b.mp4', 'C:\\films\\card', false],
  ['D:\\b.mp4', 'C:\\films\\card', false],
])('the output %s stays in %s: %s', (path, folder, expected) => {
  expect(isInProject(path, folder)).toBe(expected);
});

test('adds a number to a name that is taken', () => {
  expect(freeName('card', 'mp4', [])).toBe('card.mp4');
  expect(freeName('card', 'mp4', ['Card.mp4'])).toBe('card-2.mp4');
  expect(freeName('card', 'mp4', ['card.mp4', 'card-2.mp4', 'card-3.webm'])).toBe('card-3.mp4');
  expect(freeName('card', '', ['card', 'card.mp4'])).toBe('card-2');
});

test('the name of a render that failed is free again', () => {
  expect(
    videosOf([
      { state: 'completed', output: '/films/intro/renders/intro.mp4' },
      { state: 'failed', output: '/films/intro/renders/intro-2.mp4' },
      { state: 'cancelled', output: '/films/intro/renders/intro-3.mp4' },
    ]),
  ).toEqual(['/films/intro/renders/intro.mp4']);
});
