// Which of the files that the extension can make again are deleted.
import { expect, test, vi } from 'vitest';
import type { Uri } from 'vscode';
import { removeSurplus, surplusFiles } from '../../client/storedFiles.ts';

/** Names of the files in the folder. The file `gone` was deleted by another window after the folder was read. */
const folder = vi.hoisted(() => new Map<string, number>());

vi.mock('vscode', async () => {
  const nameIn = ({ path }: { path: string }) => {
    const name = path.split('/').at(-1) ?? '';
    if (name === 'gone') throw new Error('ENOENT');
    return name;
  };
  return {
    Uri: (await import('../support/editor/vscodeUris.ts')).Uri,
    FileType: { File: 1 },
    workspace: {
      fs: {
        readDirectory: async ({ path }: { path: string }) => {
          if (path !== '/cache') throw new Error('ENOENT');
          return [...folder.keys()].map((name) => [name, 1]);
        },
        stat: async (uri: { path: string }) => ({ mtime: folder.get(nameIn(uri)) }),
        delete: async (uri: { path: string }) => {
          const name = nameIn(uri);
          folder.delete(name);
          if (name === 'slow') throw new Error('ENOENT');
        },
      },
    },
  };
});

const { Uri: Uris } = await import('vscode');
const at = (path: string): Uri => Uris.file(path);
const dayMs = 86_400_000;
/** Files that are this many days old. */
const daysOld = (...ages: number[]) => ages.map((age) => ({ name: `${age} days`, mtime: (1000 - age) * dayMs }));

test('keeps the newest files', () => {
  expect(surplusFiles(daysOld(0, 3, 1, 2), 2)).toEqual(['2 days', '3 days']);
  expect(surplusFiles(daysOld(0, 3, 1, 2), 4)).toEqual([]);
});

test('keeps files that may be shown, unless there are many', () => {
  expect(surplusFiles(daysOld(0, 0.1, 0.2, 0.9, 2, 3), 1)).toEqual(['2 days', '3 days']);
  expect(surplusFiles(daysOld(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6), 1)).toEqual(['0.5 days', '0.6 days']);
  expect(surplusFiles(daysOld(0, 2, 3, 4), 1, new Set(['3 days']))).toEqual(['2 days', '4 days']);
});

test('does not fail when another window deletes the same files', async () => {
  for (const [name, age] of [
    ['new', 0],
    ['slow', 2],
    ['old', 3],
    ['gone', 4],
  ] as const)
    folder.set(name, (1000 - age) * dayMs);
  await removeSurplus(at('/cache'), 1);
  expect([...folder.keys()]).toEqual(['new', 'gone']);
  await removeSurplus(at('/missing'), 1);
});
