// Outputs to files, behind links, to devices, to pipes and to standard output, and every reason why they cannot be written.
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  checkFileOutput,
  type OutputOptions,
  openFileOutput,
} from '../../../../renderer-core/project/output/outputTarget.ts';
import { openOutput } from '../../../../renderer-core/render/output.ts';
import { createDevice, createPipe } from '../../../support/devices.ts';
import { temporaryFolder } from '../../../support/project.ts';
import { full } from '../../../support/suites.ts';
import { needLinks, needPrograms } from '../../../support/systemPrograms.ts';

/** Contains the folders of this test, and outputs on their way to a device or a pipe. */
let scratch = '';
const { TMPDIR } = process.env;
beforeEach(() => {
  scratch = temporaryFolder();
  process.env.TMPDIR = scratch;
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  expect(readdirSync(scratch).filter((name) => name.startsWith('framework-render-'))).toEqual([]);
});

/** Writes `text` as an output. */
async function write(output: string, text: string, options: OutputOptions = {}) {
  const target = await openFileOutput(output, options);
  try {
    writeFileSync(target.temporary, text);
    return { bytes: await target.commit(), path: target.path, isStream: target.isStream };
  } finally {
    await target.discard();
  }
}

describe('links', () => {
  beforeEach(needLinks);

  test('replaces the target of a link, and keeps the link', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real'));
    const [link, target] = [join(folder, 'link.mp4'), join(folder, 'real', 'video.mp4')];
    writeFileSync(target, 'old');
    symlinkSync('real/video.mp4', link);
    expect(await write(link, 'new')).toEqual({ bytes: 3, path: link, isStream: false });
    expect(readlinkSync(link)).toBe('real/video.mp4');
    expect(readFileSync(target, 'utf8')).toBe('new');
    expect([readdirSync(folder).sort(), readdirSync(join(folder, 'real'))]).toEqual([
      ['link.mp4', 'real'],
      ['video.mp4'],
    ]);
  });

  test('keeps the target of a link until the output is complete', async () => {
    const folder = temporaryFolder();
    const [link, target] = [join(folder, 'link.mp4'), join(folder, 'video.mp4')];
    writeFileSync(target, 'old');
    symlinkSync('video.mp4', link);
    const output = await openFileOutput(link);
    writeFileSync(output.temporary, 'half');
    expect(readFileSync(link, 'utf8')).toBe('old');
    await output.discard();
    expect(readdirSync(folder).sort()).toEqual(['link.mp4', 'video.mp4']);
  });

  test('creates the target of a dangling link, through other links', async () => {
    const folder = temporaryFolder();
    symlinkSync('second', join(folder, 'first'));
    symlinkSync('new/video.mp4', join(folder, 'second'));
    await write(join(folder, 'first'), 'new');
    expect(readFileSync(join(folder, 'new', 'video.mp4'), 'utf8')).toBe('new');
    expect(readlinkSync(join(folder, 'first'))).toBe('second');
  });

  test('replaces the target of a link to a folder of frames', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'frames'));
    symlinkSync('frames', join(folder, 'link'));
    const output = await openOutput(join(folder, 'link'), 'png');
    await output.commit();
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['frames', 'link']);
  });

  test('reports a loop of links', async () => {
    const folder = temporaryFolder();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    await expect(write(join(folder, 'a'), '')).rejects.toMatchObject({
      code: 'output_unwritable',
      message: `Cannot write to ${join(folder, 'a')}: its symbolic links form a loop`,
    });
  });
});

describe('locations that cannot be written', () => {
  test.skipIf(process.platform !== 'linux')('reports a folder where the system allows no files', async () => {
    const expected = {
      code: 'output_unwritable',
      message: 'Cannot write to /proc: files cannot be created there',
      hint: 'Choose a folder that you can write to with --output.',
    };
    await expect(openFileOutput('/proc/x.mp4')).rejects.toMatchObject(expected);
    await expect(checkFileOutput('/proc/x.mp4')).rejects.toMatchObject(expected);
    await expect(openFileOutput('/proc/a/x.mp4')).rejects.toMatchObject({ code: 'output_unwritable' });
    await expect(checkFileOutput('/proc/a/x.mp4')).rejects.toMatchObject({ code: 'output_unwritable' });
    await expect(openOutput('/proc/frames', 'png')).rejects.toMatchObject(expected);
  });

  test('checks a folder that does not exist without creating it', async () => {
    const folder = temporaryFolder();
    await checkFileOutput(join(folder, 'a', 'b', 'x.mp4'));
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'file'), '');
    await expect(checkFileOutput(join(folder, 'file', 'x.mp4'))).rejects.toMatchObject({ code: 'output_unwritable' });
    await expect(checkFileOutput(folder)).rejects.toMatchObject({ message: `${folder} is a folder` });
  });
});

describe('devices', full, () => {
  test('writes to a device and keeps it', async (context) => {
    const device = createDevice(context, temporaryFolder(), 'null');
    expect(await write(device, 'video')).toEqual({ bytes: 5, path: device, isStream: true });
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
    await expect(openOutput(device, 'png')).rejects.toMatchObject({
      code: 'usage',
      message: `${device} is not a folder, which frames would need`,
    });
  });

  test('reports a full device', async (context) => {
    const device = createDevice(context, temporaryFolder(), 'full');
    await expect(write(device, 'video')).rejects.toMatchObject({ code: 'disk_full', message: `${device} is full` });
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
  });

  test('writes to a device behind a link', async (context) => {
    const folder = temporaryFolder();
    const device = createDevice(context, folder, 'null');
    symlinkSync(device, join(folder, 'link'));
    await write(join(folder, 'link'), 'video');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('named pipes', full, () => {
  beforeEach((context) => needPrograms(context, 'mkfifo', 'cat', 'head'));

  /** A program that reads the pipe; `text` resolves to what it has read. */
  function read(pipe: string, program = ['cat']) {
    const [name = '', ...args] = program;
    const child = spawn(name, [...args, pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill());
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
    });
    return { text: new Promise<string>((resolve) => child.once('close', () => resolve(text))) };
  }

  test('writes to a pipe, more than it holds, when a program reads it', async (context) => {
    const pipe = createPipe(context, temporaryFolder());
    const video = 'frames '.repeat(100_000);
    const writing = write(pipe, video);
    expect(await read(pipe).text).toBe(video);
    expect(await writing).toEqual({ bytes: video.length, path: pipe, isStream: true });
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('reports a program that stops reading', async (context) => {
    const pipe = createPipe(context, temporaryFolder());
    const reader = read(pipe, ['head', '-c', '10']);
    await expect(write(pipe, 'frames '.repeat(100_000))).rejects.toMatchObject({ code: 'output_closed' });
    expect(await reader.text).toBe('frames fra');
  });

  test('ends the reader of a pipe when there is no output', async (context) => {
    const pipe = createPipe(context, temporaryFolder());
    const reader = read(pipe);
    // The program must have opened the pipe.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await (await openFileOutput(pipe)).discard();
    expect(await reader.text).toBe('');
  });

  test('stops waiting for a reader when it is cancelled', async (context) => {
    const pipe = createPipe(context, temporaryFolder());
    const controller = new AbortController();
    const writing = write(pipe, 'video', { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('cancelled')), 50);
    await expect(writing).rejects.toThrow('cancelled');
  });
});

describe('standard output', () => {
  test.each(['-', '/dev/stdout'])('writes to %s', async (output) => {
    let text = '';
    const stdout = async (data: Uint8Array) => {
      text += Buffer.from(data).toString();
    };
    expect(await write(output, 'video', { stdout })).toEqual({ bytes: 5, path: '-', isStream: true });
    expect(text).toBe('video');
    expect(existsSync('-')).toBe(false);
  });

  test('reports a reader that has closed it', async () => {
    const stdout = async () => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    };
    await expect(write('-', 'video', { stdout })).rejects.toMatchObject({ code: 'output_closed' });
  });

  test('stops when it is cancelled while the reader does not read', async () => {
    const controller = new AbortController();
    const stdout = () => new Promise<void>(() => undefined);
    const writing = write('-', 'video', { stdout, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('cancelled')), 50);
    await expect(writing).rejects.toThrow('cancelled');
  });

  test('is a usage error where a program has no standard output to write to', async () => {
    await expect(write('-', 'video')).rejects.toMatchObject({ code: 'usage' });
  });
});
