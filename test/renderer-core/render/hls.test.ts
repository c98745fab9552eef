// HLS streams: the playlist, segments that begin with key frames, and what players get from them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { decodeSound, loudest, makeSound } from '../../support/renders/sound.ts';
import { describeVideo } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';

const renderVideo = warmRenderer();

/** Still in its second half, and a click after 7 seconds. */
const page = `<i style="position:absolute;width:20px;height:20px;background:#f40;animation:go 7s linear both"></i>
  <style>@keyframes go { to { transform: translate(40px, 20px) } }</style>
  <audio src="click.wav" data-start="7"></audio>`;

async function render(request: Partial<RenderRequest>, output = join(temporaryFolder(), '50% off')) {
  const projectDir = project({ 'index.html': composition(page, { duration: 14, height: 64 }) });
  makeSound(referenceFfmpeg, join(projectDir, 'click.wav'), '0.9*eq(n\\,0)', 1);
  return renderVideo({ projectDir, output, format: 'hls', capture: 'paint', ...request });
}

type Packet = { time: string; isKey: boolean };

/** The frames of a stream, with their times in seconds. */
function framesOf(playlist: string): Packet[] {
  const args = ['-v', 'error', '-i', playlist, '-map', '0:v', '-c', 'copy', '-f', 'framecrc', '-'];
  const lines = execFileSync(referenceFfmpeg, args, { encoding: 'utf8' }).split('\n');
  const [, num = 0, den = 1] = /^#tb 0: (\d+)\/(\d+)$/m.exec(lines.join('\n'))?.map(Number) ?? [];
  return lines
    .filter((line) => line.startsWith('0,'))
    .map((line) => ({
      time: ((Number(line.split(',')[2]) * num) / den).toFixed(3),
      isKey: !line.includes('F=0x0'),
    }));
}

test.each([
  { codec: 'h264', quality: 'standard', stream: /^h264 .*\(avc1 / },
  { codec: 'h264', quality: 'high', stream: /^h264 .*\(avc1 / },
  { codec: 'h265', quality: 'draft', stream: /^hevc .*\(hvc1 / },
])('a playlist of segments of six seconds: $codec in $quality quality', async ({ stream, ...request }) => {
  const { output, bytes, frames } = await render(request);
  const files = ['index.m3u8', 'init.mp4', 'segment-0000.m4s', 'segment-0001.m4s', 'segment-0002.m4s'];
  expect(readdirSync(output).sort()).toEqual(files);
  expect(files.reduce((sum, name) => sum + readFileSync(join(output, name)).length, 0)).toBe(bytes);
  expect(readFileSync(join(output, 'index.m3u8'), 'utf8')).toBe(`#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:6
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init.mp4"
#EXTINF:6.000000,
segment-0000.m4s
#EXTINF:6.000000,
segment-0001.m4s
#EXTINF:2.000000,
segment-0002.m4s
#EXT-X-ENDLIST
`);
  const playlist = join(output, 'index.m3u8');
  expect((await describeVideo(playlist)).stream).toMatch(stream);
  const packets = framesOf(playlist);
  expect(packets).toHaveLength(frames);
  const keys = packets.filter(({ isKey }) => isKey).map(({ time }) => Number(time));
  expect(keys).toEqual(expect.arrayContaining([0, 2, 4, 6, 8, 10, 12]));
  // AAC blurs a click, but its loudest sample keeps its position.
  expect(loudest(decodeSound(referenceFfmpeg, playlist).left)).toBe(7 * 48_000);
});

test('at broadcast rates, the segments do not drift away from the key frames', async () => {
  const { output, frames } = await render({ fps: '23.976', quality: 'draft' });
  const playlist = readFileSync(join(output, 'index.m3u8'), 'utf8');
  expect(playlist.match(/#EXTINF:[\d.]+/g)).toEqual(['#EXTINF:6.006000', '#EXTINF:6.006000', '#EXTINF:2.002000']);
  expect(framesOf(join(output, 'index.m3u8'))).toHaveLength(frames);
});

test('no segment is longer than the playlist says, also in a very short video', async () => {
  const { output } = await render({ fps: '5', to: '0.4' });
  const playlist = readFileSync(join(output, 'index.m3u8'), 'utf8');
  expect(playlist.match(/#EXT(?:-X-TARGETDURATION|INF):.*/g)).toEqual(['#EXT-X-TARGETDURATION:1', '#EXTINF:0.400000,']);
});

test.each(['a%03d', 'a%v', 'a%%d'])('ffmpeg does not replace anything in the name of the folder: %j', async (name) => {
  const { output } = await render({ fps: '5', to: '1' }, join(temporaryFolder(), name, name));
  expect(readdirSync(output).sort()).toEqual(['index.m3u8', 'init.mp4', 'segment-0000.m4s']);
});

test('replaces an earlier stream, but no other folder', async () => {
  const folder = temporaryFolder();
  const { output } = await render({ fps: '5' }, join(folder, 'stream'));
  writeFileSync(join(output, 'segment-0003.m4s'), '');
  await render({ fps: '5', to: '1' }, output);
  expect(readdirSync(output).sort()).toEqual(['index.m3u8', 'init.mp4', 'segment-0000.m4s']);
  expect(readdirSync(folder)).toEqual(['stream']);
  mkdirSync(join(folder, 'mine'));
  writeFileSync(join(folder, 'mine', 'notes.txt'), '');
  const message = `${join(folder, 'mine')} contains other files than an HLS stream (notes.txt)`;
  await expect(render({ fps: '5' }, join(folder, 'mine'))).rejects.toMatchObject({ message });
});

test.each([
  [{ output: 'a.mp4' }, "--format hls contradicts the output's extension .mp4"],
  [{ output: 'a/index.m3u8' }, "--format hls contradicts the output's extension .m3u8"],
  [{ codec: 'av1' }, 'hls does not support the codec "av1"'],
])('rejects %j', (request, message) => expect(render(request)).rejects.toMatchObject({ code: 'usage', message }));
