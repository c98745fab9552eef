// The embedded ffmpeg: its command line, and frames whose format changes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../renderer-core/media/embedded/commandLine.ts';
import { ffmpegCommand } from '../../../renderer-core/media/ffmpeg.ts';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import { temporaryFolder } from '../../support/project.ts';

const { path: ffmpeg } = await findFfmpeg({ env: { PATH: '' } });

const withoutFrames = '-af atrim=start_sample=100';

function run(args: string, input?: Uint8Array) {
  return spawnSync(...ffmpegCommand(ffmpeg, ['-loglevel', 'error', ...args.split(' ')]), { input });
}

test('parses options of inputs and of the output', () => {
  const args = '-y -f f32le -ar 48000 -i a -i b -map 0:v:0 -map 1:a:0 -c copy -c:a aac out'.split(' ');
  expect(parseCommand(args)).toEqual({
    inputs: [
      { url: 'a', options: { y: '', f: 'f32le', ar: '48000' } },
      { url: 'b', options: {} },
    ],
    output: { url: 'out', options: { map: '0:v:0 1:a:0', c: 'copy', 'c:a': 'aac' } },
    options: {},
  });
  expect(parseCommand(['-encoders'])).toEqual({ inputs: [], output: undefined, options: { encoders: '' } });
});

test('continues when opaque frames follow transparent ones', () => {
  const image = (colorType: 2 | 6) =>
    PNG.sync.write(Object.assign(new PNG({ width: 2, height: 2 }), { data: Buffer.alloc(16, 200) }), { colorType });
  const raw = '-vf format=rgba -f rawvideo pipe:1';
  const frames = Buffer.concat([image(6), image(2), image(6)]);
  const { status, stdout } = run(`-f image2pipe -c:v png -framerate 10 -i pipe:0 ${raw}`, frames);
  expect(status).toBe(0);
  // The opaque one is on white.
  const [open, opaque] = [Buffer.alloc(16, 200), Buffer.from('d4d4d4ff'.repeat(4), 'hex')];
  expect(stdout).toEqual(Buffer.concat([open, opaque, open]));
});

test.each(['-f f32le', '-c:a flac -f flac'])('may write nothing to its standard output with %s', (encoder) => {
  const { status, stdout } = run(
    `-f f32le -i pipe:0 -map 0:a:0 ${withoutFrames} ${encoder} pipe:1`,
    new Uint8Array(80),
  );
  expect({ status, bytes: stdout.length }).toEqual({ status: 0, bytes: 0 });
});

describe('fails', () => {
  test.each([
    ['-i none.mp4 -f null x', /No such file or directory/],
    ['-i broken.mp4 -f mp4 x.mp4', /Invalid data found when processing input/],
    ['-f f32le -i pipe:0 -map 0:a:0 -c:a nothing x.mp4', /Encoder nothing not found/],
    [`-f f32le -i pipe:0 -map 0:a:0 ${withoutFrames} -c:a aac x.mp4`, /nothing was encoded/],
  ])('%s', (args, reason) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'broken.mp4'), 'text');
    const { status, stderr } = run(
      args.replaceAll(/\S+\.mp4/g, (name) => join(folder, name)),
      new Uint8Array(80),
    );
    expect(status).toBe(1);
    expect(String(stderr)).toMatch(reason);
  });

  test.skipIf(process.platform !== 'linux')('an output on a full disk', () => {
    const { status, stderr } = run('-f f32le -i pipe:0 -map 0:a:0 -f f32le /dev/full', new Uint8Array(1 << 20));
    expect({ status, stderr: String(stderr) }).toEqual({ status: 1, stderr: expect.stringContaining('No space left') });
  });
});
