// Where `render-batch -o` writes the videos.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { videoPath } from '../../../serverless/renders/batchVideos.ts';

describe('the file of a video', () => {
  test.each([
    ['a.mp4', '/videos/a.mp4'],
    ['de/a.mp4', '/videos/de/a.mp4'],
    ['de/../a.mp4', '/videos/a.mp4'],
    ['..a/b.mp4', '/videos/..a/b.mp4'],
  ])('%s', (outputKey, expected) => {
    expect(videoPath('/videos', outputKey)).toBe(resolve(expected));
  });

  test.each(['../a.mp4', '/a.mp4', '/videos', '.', '../videos2/a.mp4'])('rejects %s', (outputKey) => {
    expect(() => videoPath('/videos', outputKey)).toThrow(`The output key ${outputKey} is not a path in /videos`);
  });
});
