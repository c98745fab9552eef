// Finding ffmpeg, with shell scripts instead of real programs.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FindFfmpegOptions, findFfmpeg, isTooOld, listEncoders } from '../../../renderer-core/media/findFfmpeg.ts';
import { findPackage } from '../../../renderer-core/project/packageFolder.ts';
import { nodeProgram, program } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';

const printVersion = (version: string) =>
  `echo "ffmpeg version ${version} Copyright (c) 2000-2024 the FFmpeg developers"`;

/** Options for a machine with its files in `root`; by default without programs and packages. */
function machine(root: string, options: FindFfmpegOptions & { installed?: string[] } = {}): FindFfmpegOptions {
  const { installed = [], env = {}, ...rest } = options;
  const packages = async (name: string) => {
    if (!installed.includes(name)) return undefined;
    return name === addon ? findPackage(addon) : { folder: join(root, name), version: '1.0.0' };
  };
  return { platform: 'linux', arch: 'x64', home: root, packages, env: { PATH: join(root, 'bin'), ...env }, ...rest };
}

const addon = '@seydx/node-av-linux-x64';

test('prefers option, environment, PATH, embedded, ffmpeg-static, in this order', async () => {
  const root = temporaryFolder();
  const installed = ['ffmpeg-static', addon];
  const option = program(join(root, 'option'), printVersion('8.1'));
  const environment = program(join(root, 'environment'), printVersion('8.2'));
  const downloaded = program(join(root, 'ffmpeg-static/ffmpeg'), printVersion('8.3'));
  const onPath = program(join(root, 'bin/ffmpeg'), printVersion('8.4'));
  const env = { FRAMEWORK_FFMPEG: environment };
  const find = (options: Parameters<typeof machine>[1]) => findFfmpeg(machine(root, options));
  expect(await find({ path: option, env, installed })).toEqual({ path: option, source: 'option', version: '8.1' });
  expect(await find({ env, installed })).toEqual({ path: environment, source: 'environment', version: '8.2' });
  expect(await find({ installed })).toEqual({ path: onPath, source: 'installed', version: '8.4' });
  const bare = { installed, env: { PATH: '' } };
  expect(await find(bare)).toMatchObject({
    source: 'embedded',
    path: expect.stringMatching(/node-av-linux-x64\/node-av\.node$/),
  });
  expect(await find({ ...bare, installed: ['ffmpeg-static'] })).toEqual({
    path: downloaded,
    source: 'ffmpeg-static',
    version: '8.3',
  });
});

test('prefers the one that setup downloaded to an installed one, which may lack an encoder', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), printVersion('7'));
  const downloaded = program(
    join(root, '.cache/framework/programs/ffmpeg-linux-x64-b6.1.1/ffmpeg'),
    printVersion('6.1'),
  );
  expect(await findFfmpeg(machine(root))).toEqual({ path: downloaded, source: 'set-up', version: '6.1' });
  program(downloaded, 'exit 1');
  expect(await findFfmpeg(machine(root))).toMatchObject({ source: 'installed', version: '7' });
});

test('skips an installed one that is too old, and rejects it where it is requested', async () => {
  const root = temporaryFolder();
  const old = program(join(root, 'bin/ffmpeg'), printVersion('4.4.2-0ubuntu0.22.04.1'));
  expect(await findFfmpeg(machine(root, { installed: [addon] }))).toMatchObject({ source: 'embedded' });
  const error = { message: expect.stringContaining('has version 4.4.2-0ubuntu0.22.04.1; 6.1 or later is required') };
  await expect(findFfmpeg(machine(root))).rejects.toMatchObject({ code: 'ffmpeg_not_found', ...error });
  await expect(findFfmpeg(machine(root, { path: old }))).rejects.toMatchObject({ code: 'ffmpeg_failed', ...error });
});

test.each([
  ['5.1.9-0+deb12u1', true],
  ['6.1.1-3ubuntu5', false],
  ['n7.1', false],
  ['N-92722-gf22fcd4483', true],
  ['N-118400-g1a2b3c', false],
  ['2024-07-04-git-03175b587c', false],
])('version %s is too old: %s', (version, expected) => expect(isTooOld(version)).toBe(expected));

test('ignores the libraries of another version, which the embedded program does not fit', async () => {
  const packages = async (name: string) => (name === addon ? { folder: '', version: '5.0.0' } : undefined);
  await expect(findFfmpeg(machine(temporaryFolder(), { packages }))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
    message: 'ffmpeg was not found on this machine',
  });
});

test('uses libraries that are named explicitly', async () => {
  const path = join((await findPackage(addon))?.folder ?? '', 'node-av.node');
  expect(await findFfmpeg(machine(temporaryFolder(), { path }))).toMatchObject({ path, source: 'option' });
});

test('looks up a bare name on PATH', async () => {
  const root = temporaryFolder();
  const path = program(join(root, 'bin/my-ffmpeg'), printVersion('7.1'));
  expect(await findFfmpeg(machine(root, { path: 'my-ffmpeg' }))).toMatchObject({ path, version: '7.1' });
});

test('skips one that does not start', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), 'echo "libx264.so: cannot open" >&2; exit 127');
  expect((await findFfmpeg(machine(root, { installed: [addon] }))).source).toBe('embedded');
  await expect(findFfmpeg(machine(root))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
    message: expect.stringContaining('libx264.so: cannot open'),
  });
});

test('does not replace one that is killed, because another one would encode other bytes', async () => {
  const root = temporaryFolder();
  const killed = program(join(root, 'bin/ffmpeg'), 'kill -9 $$');
  await expect(findFfmpeg(machine(root, { installed: [addon] }))).rejects.toMatchObject({
    code: 'ffmpeg_failed',
    message: expect.stringContaining(`${killed} did not start`),
  });
});

test('reports an explicit path that cannot be used', async () => {
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

test('reports that no ffmpeg was found, with a hint', async () => {
  await expect(findFfmpeg(machine(temporaryFolder()))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
    hint: expect.stringContaining('--ffmpeg'),
  });
});

test('makes the program of ffmpeg-static executable if its mode is not set', async () => {
  const root = temporaryFolder();
  const path = program(join(root, 'ffmpeg-static/ffmpeg'), printVersion('6.1'), 0o644);
  expect(await findFfmpeg(machine(root, { installed: ['ffmpeg-static'] }))).toMatchObject({ path, version: '6.1' });
  expect(statSync(path).mode & 0o111).not.toBe(0);
});

test('ignores a package without its program', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'ffmpeg-static'));
  await expect(findFfmpeg(machine(root, { installed: ['ffmpeg-static'] }))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
  });
});

test('reads encoders from the table, not from its legend', async () => {
  const table = [
    'Encoders:',
    ' V..... = Video',
    ' ------',
    ' V....D libx264              H.264',
    ' A....D aac                  AAC',
    ' VF.... png                  PNG',
  ];
  const path = program(join(temporaryFolder(), 'ffmpeg'), `printf '%s\\n' '${table.join("' '")}'`);
  expect([...(await listEncoders(path))]).toEqual(['libx264', 'aac', 'png']);
});

test('finds the ffmpeg of the npm package, which has the encoders that renders need', async () => {
  const { source, version, path, encoders: known } = await findFfmpeg({ env: { PATH: '' } });
  expect({ source, version }).toEqual({ source: 'embedded', version: expect.stringMatching(/^8\./) });
  const encoders = await listEncoders(path);
  // It prints them with its version, so that a render starts it once less.
  expect(known).toEqual(encoders);
  for (const name of ['libx264', 'libx265', 'libsvtav1', 'libvpx-vp9', 'prores_ks', 'ffv1', 'png', 'aac', 'libopus'])
    expect(encoders).toContain(name);
});

test('rejects when the signal is aborted', async () => {
  const root = temporaryFolder();
  nodeProgram(join(root, 'bin/ffmpeg'), 'setTimeout(() => {}, 5000)');
  const signal = AbortSignal.timeout(50);
  await expect(findFfmpeg(machine(root, { signal }))).rejects.toMatchObject({ name: 'AbortError' });
});
