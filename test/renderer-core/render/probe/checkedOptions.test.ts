// Options are checked first: their errors are reported although the project does not exist.
import { expect, test } from 'vitest';
import { planBatch, planRender, renderVideo, takeSnapshot } from '../../../../sdk/renders.ts';

const projectDir = 'nowhere';

test.each([
  [{ fps: '0' }, 'fps must be a number or a fraction from 1 to 240 (got "0")'],
  [{ hdr: true, codec: 'vp9' }, 'HDR requires H.265 or AV1 in mp4, or H.265 in mov (got the codec "vp9" in mp4)'],
  [{ format: 'webm', output: 'a.mp4' }, "--format webm contradicts the output's extension .mp4"],
  [{ crf: 18, bitrate: '8M' }, '--crf and --bitrate cannot be used together'],
  [{ format: 'gif', bitrate: '8M' }, '--bitrate cannot be used with gif'],
  [{ format: 'mov', crf: 18 }, '--crf cannot be used with ProRes'],
  [{ codec: 'h265', crf: 52 }, 'crf must be a whole number from 1 to 51 for H.265 (got 52)'],
  [{ format: 'webm', crf: 1.5 }, 'crf must be a whole number from 1 to 63 for VP9 (got 1.5)'],
  [{ crf: 0 }, 'crf must be a whole number from 1 to 51 for H.264 (got 0)'],
  [{ bitrate: '9k' }, 'bitrate must be a rate such as 8M or 4500k, from 10k to 1000M (got "9k")'],
  [{ loudness: Number.NaN }, 'loudness must be a number of LUFS from -50 to -5 (got no number)'],
  [{ bitrate: '8' }, 'bitrate must be a rate such as 8M or 4500k, from 10k to 1000M (got "8")'],
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
