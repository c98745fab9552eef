// When a browser is kept for the next render, and when not. renderHost.test.ts uses real ones.
import { expect, test } from 'vitest';
import { type LaunchedBrowser, usualSettings } from '../../../../renderer-core/capture/launch.ts';
import { createWarmPrograms } from '../../../../renderer-core/render/warmPrograms.ts';

/** A browser whose pages are always empty. */
function emptyBrowser(): { launched: LaunchedBrowser; closed: () => number } {
  let closed = 0;
  const session = { send: async () => ({}), detach: async () => undefined };
  const page = {
    url: () => 'about:blank',
    target: () => ({ opener: () => undefined }),
    createCDPSession: async () => session,
  };
  const browser = { connected: true, pages: async () => [page], newPage: async () => page };
  const processes = { hasLost: async () => false, onPageDeath: () => () => undefined };
  const launched = { browser, processes, graphics: 'plain', ...usualSettings, close: async () => void closed++ };
  return { launched: launched as unknown as LaunchedBrowser, closed: () => closed };
}

test('keeps a browser with an empty page for a render with the same needs', async () => {
  const warm = createWarmPrograms();
  const { launched, closed } = emptyBrowser();
  warm.keep(launched);
  expect(await warm.take(['plain'], usualSettings)).toBe(launched);
  expect(launched.spare).toHaveLength(1);
  expect(closed()).toBe(0);
  warm.keep(launched);
  expect(await warm.take(['plain'], { ...usualSettings, timezone: 'Asia/Tokyo' })).toBeUndefined();
  expect(closed()).toBe(1);
});

test('replaces a browser after 200 renders', async () => {
  const warm = createWarmPrograms();
  const { launched, closed } = emptyBrowser();
  let renders = 0;
  do {
    warm.keep(launched);
    renders++;
  } while ((await warm.take(['plain'], usualSettings)) === launched);
  expect([renders, closed()]).toEqual([200, 1]);
});
