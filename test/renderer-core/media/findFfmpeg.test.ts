// Which ffmpeg is taken, with scripts in place of programs.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FindFfmpegOptions, findFfmpeg, listEncoders } from '../../renderer-core/media/findFfmpeg.ts';
import { program } from '../support/programs.ts';
import { temporaryFolder } from '../support/project.ts';

const answer = (version: string) => `echo "ffmpeg version ${version} Copyright (c) 2000-2024 the FFmpeg developers"`;

/** A machine below `root`: nothing on PATH, no packages, unless `options` say so. */
function machine(root: string, options: FindFfmpegOptions & { installed?: string[] } = {}): FindFfmpegOptions {
  const { installed = [], env = {}, ...rest } = options;
  const packages = async (name: string) =>
    installed.includes(name) ? { folder: join(root, name), version: '1.0.0' } : undefined;
  return { platform: 'linux', arch: 'x64', home: root, packages, env: { PATH: join(root, 'bin'), ...env }, ...rest };
}

test('the order is: option, environment, ffmpeg-static, PATH, embedded', async () => {
  const root = temporaryFolder();
  const installed = ['ffmpeg-static', '@ffmpeg-installer/ffmpeg', '@ffmpeg-installer/linux-x64'];
  const option = program(join(root, 'option'), answer('1'));
  const environment = program(join(root, 'environment'), answer('2'));
  const downloaded = program(join(root, 'ffmpeg-static/ffmpeg'), answer('3'));
  const onPath = program(join(root, 'bin/ffmpeg'), answer('4'));
  const embedded = program(join(root, '@ffmpeg-installer/linux-x64/ffmpeg'), answer('5'));
  const env = { FRAMEWORK_FFMPEG: environment };
  const find = (options: Parameters<typeof machine>[1]) => findFfmpeg(machine(root, options));
  expect(await find({ path: option, env, installed })).toEqual({ path: option, source: 'option', version: '1' });
  expect(await find({ env, installed })).toEqual({ path: environment, source: 'environment', version: '2' });
  expect(await find({ installed })).toEqual({ path: downloaded, source: 'ffmpeg-static', version: '3' });
  expect(await find({ installed: installed.slice(1) })).toEqual({ path: onPath, source: 'installed', version: '4' });
  expect(await find({ installed: installed.slice(1), env: { PATH: '' } })).toEqual({
    path: embedded,
    source: 'embedded',
    version: '5',
  });
});

test('one that was set up goes before what is installed: that may lack an encoder', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), answer('4'));
  const setUp = program(join(root, '.cache/framework/programs/ffmpeg-linux-x64-b6.1.1/ffmpeg'), answer('6'));
  expect(await findFfmpeg(machine(root))).toEqual({ path: setUp, source: 'set-up', version: '6' });
  program(setUp, 'exit 1');
  expect(await findFfmpeg(machine(root))).toMatchObject({ source: 'installed', version: '4' });
});

test('a bare name is looked up on PATH', async () => {
  const root = temporaryFolder();
  const path = program(join(root, 'bin/my-ffmpeg'), answer('7.1'));
  expect(await findFfmpeg(machine(root, { path: 'my-ffmpeg' }))).toMatchObject({ path, version: '7.1' });
});

test('one that does not start is passed over', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), 'echo "libx264.so: cannot open" >&2; exit 127');
  const embedded = program(join(root, '@ffmpeg-installer/linux-x64/ffmpeg'), answer('5'));
  const installed = ['@ffmpeg-installer/ffmpeg', '@ffmpeg-installer/linux-x64'];
  expect((await findFfmpeg(machine(root, { installed }))).path).toBe(embedded);
  await expect(findFfmpeg(machine(root))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
    message: expect.stringContaining('libx264.so: cannot open'),
  });
});

test('one that was asked for is an error when it cannot be used', async () => {
  const root = temporaryFolder();
  const cases: [string, string, string][] = [
    [join(root, 'none'), 'ffmpeg_not_found', 'does not exist'],
    [program(join(root, 'plain'), '', 0o644), 'ffmpeg_not_found', 'is not executable'],
    [root, 'ffmpeg_not_found', 'is not a file'],
    [program(join(root, 'other'), 'echo hello'), 'ffmpeg_failed', 'is not ffmpeg'],
    [program(join(root, 'bad'), 'exit 1'), 'ffmpeg_failed', 'did not start'],
  ];
  for (const [path, code, text] of cases) {
    await expect(findFfmpeg(machine(root, { path }))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
  }
  await expect(findFfmpeg(machine(root, { env: { FRAMEWORK_FFMPEG: join(root, 'none') } }))).rejects.toMatchObject({
    message: expect.stringContaining('FRAMEWORK_FFMPEG'),
  });
  await expect(findFfmpeg(machine(root, { path: '' }))).rejects.toMatchObject({ code: 'ffmpeg_not_found' });
});

test('nothing at all is an error with the way out', async () => {
  await expect(findFfmpeg(machine(temporaryFolder()))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
    hint: expect.stringContaining('--ffmpeg'),
  });
});

test('an embedded program that npm left without its mode is made executable', async () => {
  const root = temporaryFolder();
  const path = program(join(root, '@ffmpeg-installer/linux-x64/ffmpeg'), answer('5'), 0o644);
  const installed = ['@ffmpeg-installer/ffmpeg', '@ffmpeg-installer/linux-x64'];
  expect(await findFfmpeg(machine(root, { installed }))).toMatchObject({ path, version: '5' });
  expect(statSync(path).mode & 0o111).not.toBe(0);
});

test('a package without its program counts as absent', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'ffmpeg-static'));
  await expect(findFfmpeg(machine(root, { installed: ['ffmpeg-static'] }))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
  });
});

test('the encoders are read from the table, not from its legend', async () => {
  const table = [
    'Encoders:',
    ' V..... = Video',
    ' ------',
    ' V....D libx264              H.264',
    ' A....D aac                  AAC',
    ' VF.... png                  PNG',
  ];
  const path = program(join(temporaryFolder(), 'ffmpeg'), `cat <<'END'\n${table.join('\n')}\nEND`);
  expect([...(await listEncoders(path))]).toEqual(['libx264', 'aac', 'png']);
});

test('the ffmpeg of the npm package starts and has the encoders that renders need', async () => {
  const found = await findFfmpeg({ env: { PATH: '' } });
  expect(found.version).toMatch(/\S/);
  expect(await listEncoders(found.path)).toContain('libx264');
});

test('an aborted look-up rejects', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), 'sleep 5');
  chmodSync(join(root, 'bin/ffmpeg'), 0o755);
  const signal = AbortSignal.timeout(50);
  await expect(findFfmpeg(machine(root, { signal }))).rejects.toMatchObject({ name: 'AbortError' });
});
