// Copies of finished videos whose sound is FLAC.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import { probeMedia } from '../../../renderer-core/media/probeMedia.ts';
import { copyVideo } from '../../../renderer-core/render/finishedVideo/copyVideo.ts';
import { project, temporaryFolder } from '../../support/project.ts';
import { page } from '../../support/renders/frames.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';
import { silence } from '../../support/renders/wav.ts';

const renderVideo = warmRenderer();

test('copies the frames, and the sound as FLAC', async () => {
  const folder = temporaryFolder();
  const files = {
    'index.html': page('<audio src="tone.wav" data-start="0" data-duration="2"></audio><p>Hi</p>', { duration: 2 }),
    'tone.wav': silence(2),
  };
  const video = join(folder, 'tone.mp4');
  await renderVideo({ projectDir: project(files), fps: '10', output: video });
  const report = await copyVideo({ env: process.env, video, output: join(folder, 'copy.mp4') });
  const ffmpeg = await findFfmpeg({ env: process.env });
  const [before, after] = [await probeMedia(ffmpeg, video), await probeMedia(ffmpeg, report.output ?? '')];
  expect([before.audio?.codec, after.audio?.codec]).toEqual(['aac', 'flac']);
  expect(after.video).toEqual(before.video);
  expect(after.duration).toBeCloseTo(2, 1);
});

test('does not copy a video without sound, and rejects other formats', async () => {
  const folder = temporaryFolder();
  const [video, output] = [join(folder, 'silent.mp4'), join(folder, 'copy.mp4')];
  await renderVideo({ projectDir: project({ 'index.html': page('<p>Hi</p>') }), fps: '10', output: video });
  expect(await copyVideo({ env: process.env, video, output })).toEqual({ output: null, bytes: 0 });
  await expect(copyVideo({ env: process.env, video, output: join(folder, 'copy.webm') })).rejects.toThrow(
    'must be an .mp4 file',
  );
  expect(existsSync(output)).toBe(false);
});
