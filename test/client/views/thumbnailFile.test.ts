// The thumbnails in tooltips: the command that draws them, and the names of their files.
import { posix } from 'node:path';
import { expect, test, vi } from 'vitest';
import { storedName } from '../../../client/storedFiles.ts';
import { fileNodes } from '../../../client/views/compositionNodes.ts';
import { type Thumbnail, thumbnailCommand, withThumbnail } from '../../../client/views/thumbnailFile.ts';

vi.mock('vscode', async () => ({
  ...(await import('../../support/editor/vscodeWords.ts')),
  Uri: {
    parse: (uri: string) => ({ fsPath: decodeURIComponent(new URL(uri).pathname) }),
    file: (path: string) => ({ fsPath: path }),
    joinPath: ({ fsPath }: { fsPath: string }, part: string) => ({ fsPath: posix.join(fsPath, part) }),
  },
}));

const card: Thumbnail = {
  kind: 'composition',
  uri: 'file:///w/my%20card/index.html',
  projectUri: 'file:///w/my%20card',
  path: 'index.html',
};

test('draws a small poster frame of the composition', () => {
  expect(thumbnailCommand(card, '/cache/a.jpg')).toEqual({
    args: [
      ...['snapshot', '/w/my card', '--composition=index.html', '--at=poster'],
      ...['--max-side=640', '--output=/cache/a.jpg', '--progress=ndjson'],
    ],
    cwd: '/w/my card',
    programs: ['browser', 'ffmpeg'],
  });
});

test('reads the poster frame of a video, at its time if that is known', () => {
  const video = { kind: 'video', file: '/w/renders/card.mp4' } as const;
  const image = ['--max-side=640', '--output=/cache/a.jpg'];
  expect(thumbnailCommand(video, '/cache/a.jpg')).toEqual({
    args: ['thumbnail', '/w/renders/card.mp4', '--at=poster', ...image],
    cwd: '/w/renders',
    programs: ['ffmpeg'],
  });
  expect(thumbnailCommand({ ...video, poster: 2.5 }, '/cache/a.jpg').args).toEqual([
    ...['thumbnail', '/w/renders/card.mp4', '--at=2.5'],
    ...image,
  ]);
});

test('has another file after a change and in another version, and the same one otherwise', async () => {
  const names = await Promise.all([
    storedName([card, 1, '1.0.0'], 'jpg'),
    storedName([card, 1, '1.0.0'], 'jpg'),
    storedName([card, 2, '1.0.0'], 'jpg'),
    storedName([card, 1, '1.1.0'], 'jpg'),
  ]);
  expect(names[0]).toMatch(/^[0-9a-f]{32}\.jpg$/);
  expect(names[1]).toBe(names[0]);
  expect(new Set(names).size).toBe(3);
});

test('is above the text of the tooltip', () => {
  expect(withThumbnail('file:///cache/a.jpg', '**card**')).toBe('![](file:///cache/a.jpg|height=200)\n\n**card**');
  expect(withThumbnail(undefined, '**card**')).toBe('**card**');
});

test('exists for compositions on disk', () => {
  const info = { id: 'main', width: 10, height: 10, duration: 1, fps: null, variables: [] };
  const { uri, projectUri, path } = card;
  const virtual = { uri: 'vscode-vfs://github/a/index.html', projectUri: 'vscode-vfs://github/a', path };
  const [onDisk] = fileNodes([{ ...info, uri, projectUri, path }]);
  const [elsewhere] = fileNodes([{ ...info, ...virtual }]);
  expect([onDisk?.thumbnail, elsewhere?.thumbnail]).toEqual([card, undefined]);
});
