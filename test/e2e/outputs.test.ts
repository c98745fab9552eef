// `-o` of the built command line: standard output, and outputs that cannot be written.
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDevice, createPipe } from '../support/devices.ts';
import { cliFile } from '../support/program.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { boxNames } from '../support/renders/movieBoxes.ts';
import { decode, describeVideo } from '../support/renders/video.ts';
import { silence } from '../support/renders/wav.ts';

type Run = { status: number | null; stdout: Buffer; stderr: string; scratch: string[] };

/** Runs a shell command in which `$CLI` is the command line and `$DIR` a project. `scratch`: what is left in its temporary folder. */
async function shell(command: string, dir: string): Promise<Run> {
  const scratch = temporaryFolder();
  const CLI = `"${process.execPath}" "${cliFile}"`;
  const script = command.replaceAll('$CLI', CLI).replaceAll('$DIR', `"${dir}"`);
  const child = spawn('sh', ['-c', script], {
    cwd: dir,
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => chunks.push(data));
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { status, stdout: Buffer.concat(chunks), stderr, scratch: readdirSync(scratch) };
}

const page = () =>
  project({ 'index.html': composition('<p style="color:#fff">Hi</p>', { duration: 0.5 }), 'tone.wav': silence(1) });

describe('standard output', () => {
  test.each([
    ['without sound', '<p style="color:#fff">Hi</p>'],
    ['with sound', '<audio src="tone.wav" data-start="0"></audio>'],
  ])('receives a fragmented mp4 %s, and messages go to stderr', async (_, body) => {
    const dir = project({ 'index.html': composition(body, { duration: 0.5 }), 'tone.wav': silence(1) });
    const { status, stdout, stderr, scratch } = await shell('$CLI render $DIR -o -', dir);
    expect([status, scratch]).toEqual([0, []]);
    const names = boxNames(stdout);
    expect(names.slice(0, 4)).toEqual(['ftyp', 'moov', 'moof', 'mdat']);
    const file = join(temporaryFolder(), 'out.mp4');
    writeFileSync(file, stdout);
    expect((await describeVideo(file)).stream).toMatch(/^h264 /);
    expect(await decode(file, 64, 48)).toHaveLength(15);
    expect(stderr).toContain('15 frames, 64x48 at 30 fps');
    expect(readdirSync(dir).sort()).toEqual(['index.html', 'tone.wav']);
  });

  test('receives a webm and a snapshot', async () => {
    const dir = page();
    const webm = await shell('$CLI render $DIR -o - --format webm --quiet', dir);
    expect([webm.status, webm.stderr, webm.stdout.toString('latin1', 0, 4)]).toEqual([0, '', '\x1aE\xdf\xa3']);
    const png = await shell('$CLI snapshot $DIR -o - --progress none', dir);
    expect([png.status, png.stdout.toString('latin1', 1, 4)]).toEqual([0, 'PNG']);
    const two = await shell('$CLI snapshot $DIR -o - --at 0 --at 1f', dir);
    expect([two.status, two.stdout.length]).toEqual([2, 0]);
    expect(two.stderr).toContain('- can receive only one image');
  });

  test('ends quietly with a failure when its reader stops', async () => {
    const dir = page();
    const { status, stderr, scratch } = await shell(
      `{ $CLI render $DIR -o - --quiet; echo "status $?" >&2; } | { exec <&-; }`,
      dir,
    );
    expect([stderr, scratch]).toEqual(['status 1\n', []]);
    expect(status).toBe(0);
  });

  test('reports a full disk behind it', async (context) => {
    const device = createDevice(context, temporaryFolder(), 'full');
    const { status, stderr, scratch } = await shell(`$CLI render $DIR -o - --quiet > "${device}"`, page());
    expect([status, scratch]).toEqual([1, []]);
    expect(stderr).toContain('standard output is full');
  });
});

test('reports outputs that cannot be written before a browser starts', async () => {
  const dir = page();
  const render = (output: string) => shell(`$CLI render $DIR --browser /nowhere -o "${output}"`, dir);
  const failures = [
    await render('/proc/x.mp4'),
    await shell('$CLI snapshot $DIR --browser /nowhere -o /proc/x.png', dir),
  ];
  for (const { status, stderr } of failures) {
    expect(status).toBe(1);
    expect(stderr).toContain('Cannot write to /proc: files cannot be created there');
    expect(stderr).toContain('hint: Choose a folder that you can write to with --output.');
  }
  const batch = join(dir, 'rows.json');
  writeFileSync(batch, '[{}]');
  const toStdout = await shell(`$CLI render $DIR --batch "${batch}" -o -`, dir);
  expect([toStdout.status, toStdout.stderr]).toEqual([
    2,
    expect.stringContaining('A batch cannot be written to standard output'),
  ]);
});

test('rejects a named pipe as the output of a batch', async (context) => {
  const dir = page();
  createPipe(context, dir);
  writeFileSync(join(dir, 'rows.json'), '[{}]');
  const { status, stderr } = await shell('$CLI render $DIR --browser /nowhere --batch rows.json -o pipe', dir);
  expect([status, stderr]).toEqual([1, expect.stringContaining('is a device or a pipe')]);
});
