// Options are checked first: their errors are reported although the project does not exist.
import { expect, test } from 'vitest';
import { planBatch, planRender, renderVideo, takeSnapshot } from '../../../../sdk/renders.ts';

const projectDir = 'nowhere';

test.each([
  [{ fps: '0' }, 'fps must be a number or a fraction from 1 to 240 (got "0")'],
  [{ hdr: true, codec: 'vp9' }, 'HDR requires H.265 in mp4 (got the codec "vp9")'],
  [{ format: 'webm', output: 'a.mp4' }, "--format webm contradicts the output's extension .mp4"],
  [{ workers: 0 }, 'workers must be a whole number from 1 (got 0)'],
  [{ aspectRatio: '16/9' }, 'The aspect ratio must be <width>:<height>, from 1:20 to 20:1 (got "16/9")'],
])('a render rejects %j', async (options, message) => {
  const error = { code: 'usage', message };
  await expect(renderVideo({ projectDir, ...options })).rejects.toMatchObject(error);
  await expect(planRender({ projectDir, ...options })).rejects.toMatchObject(error);
  await expect(planBatch({ projectDir, rows: 'nowhere.json', ...options })).rejects.toMatchObject(error);
});

test.each([
  [{ at: ['5x'] }, '"5x" is not a valid time'],
  [{ fps: 'x' }, 'fps must be a number or a fraction from 1 to 240 (got "x")'],
  [{ timezone: 'Berlin' }, '--timezone must be the name of a time zone, such as Europe/Berlin (got "Berlin")'],
])('a snapshot rejects %j', (options, message) =>
  expect(takeSnapshot({ projectDir, ...options })).rejects.toMatchObject({ code: 'usage', message }));
