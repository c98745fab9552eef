// A workspace folder in memory, while its files are still being read.
import { expect, test } from 'vitest';
import type { Files } from '../../server/projects/files.ts';
import { createFolder } from '../../server/projects/folder.ts';

const composition = (id: string, body = '') =>
  `<div data-composition-id="${id}" data-width="640" data-height="360" data-duration="5">${body}</div>`;
const texts: Readonly<Record<string, string>> = {
  'index.html': composition('main', '<div data-composition-src="card.html" data-start="0" data-duration="2"></div>'),
  'card.html': composition('card'),
};

/** A folder with these files, and with a file on a disk that never responds. */
const slowDisk: Files = {
  list: async () => ({ paths: [...Object.keys(texts), 'slow.html'], isComplete: true }),
  readText: (uri) => {
    const path = uri.slice('file:///videos/'.length);
    return path === 'slow.html' ? new Promise(() => undefined) : Promise.resolve(texts[path]);
  },
  openBytes: async () => undefined,
};

test.each([
  ['that a file embeds', 'index.html'],
  ['that was opened', 'card.html'],
])('knows a composition %s while another file is still being read', async (_, opened) => {
  const open = new Map<string, string>();
  const openText = (path: string) => open.get(path);
  const folder = createFolder({ uri: 'file:///videos', files: slowDisk, openText, isOwn: () => true, limit: 100 });
  void folder.read();
  // The files of one batch are read at the same time.
  await expect.poll(() => folder.has('card.html')).toBe(true);
  open.set(opened, texts[opened] ?? '');
  folder.setText(opened, texts[opened]);
  await folder.readTargets(opened);
  expect(folder.isReady()).toBe(false);
  expect(folder.projectOf('card.html').project.composition('card.html')).toBeDefined();
});
