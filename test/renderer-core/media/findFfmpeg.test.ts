// Finding ffmpeg, with shell scripts instead of real programs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptDescription } from '../../../renderer-core/media/embeddedLibrary.ts';
import { type FindFfmpegOptions, findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import { findPackage } from '../../../renderer-core/project/packageFolder.ts';
import { nodeProgram, program } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';

/** Programs print their version to standard error, in front of the list of encoders. */
const printVersion = (version: string) =>
  `echo "ffmpeg version ${version} Copyright (c) 2000-2024 the FFmpeg developers" >&2; echo " V....D libx264 H.264"`;
const encoders = new Set(['libx264']);

/** Options for a machine with its files in `root`; by default without programs and packages. */
function machine(root: string, options: Partial<FindFfmpegOptions> & { installed?: string[] } = {}): FindFfmpegOptions {
  const { installed = [], env = {}, ...rest } = options;
  const packages = async (name: string) => {
    return installed.includes(name) ? findPackage(name) : undefined;
  };
  return { platform: 'linux', arch: 'x64', home: root, packages, env: { PATH: join(root, 'bin'), ...env }, ...rest };
}

const addon = '@seydx/node-av-linux-x64';

test('prefers option, environment, the pinned libraries, PATH, in this order', async () => {
  const root = temporaryFolder();
  const installed = [addon];
  const option = program(join(root, 'option'), printVersion('7.1'));
  const environment = program(join(root, 'environment'), printVersion('7.2'));
  const onPath = program(join(root, 'bin/ffmpeg'), printVersion('7.4'));
  const env = { FRAMEWORK_FFMPEG: environment };
  const find = (options: Parameters<typeof machine>[1]) => findFfmpeg(machine(root, options));
  expect(await find({ path: option, env, installed })).toMatchObject({
    ...{ path: option, source: 'option', version: '7.1', encoders },
  });
  expect(await find({ env, installed })).toMatchObject({ path: environment, source: 'environment', version: '7.2' });
  expect(await find({ installed })).toMatchObject({
    source: 'embedded',
    path: expect.stringMatching(/node-av-linux-x64\/node-av\.node$/),
  });
  expect(await find({})).toMatchObject({ path: onPath, source: 'installed' });
});

test('prefers another one that setup downloaded to an installed one, but not to the pinned libraries', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), printVersion('7'));
  const downloaded = program(
    join(root, '.cache/framework/programs/ffmpeg-linux-x64-b6.1.1/ffmpeg'),
    printVersion('6.1'),
  );
  expect(await findFfmpeg(machine(root))).toMatchObject({ path: downloaded, source: 'set-up', version: '6.1' });
  expect(await findFfmpeg(machine(root, { installed: [addon] }))).toMatchObject({ source: 'embedded' });
  program(downloaded, 'exit 1');
  expect(await findFfmpeg(machine(root))).toMatchObject({ source: 'installed', version: '7' });
});

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

test('asks the pinned libraries once, until their file changes', async () => {
  const root = temporaryFolder();
  const path = join(root, 'node-av.node');
  writeFileSync(path, '1');
  let asked = 0;
  const ask = async () => `answer ${++asked}`;
  const cache = join(root, 'cache');
  expect(await keptDescription(path, cache, ask)).toBe('answer 1');
  expect(await keptDescription(path, cache, ask)).toBe('answer 1');
  writeFileSync(path, '12');
  expect(await keptDescription(path, cache, ask)).toBe('answer 2');
  const unusable = path;
  expect(await keptDescription(path, unusable, ask)).toBe('answer 3');
});

test('looks up a bare name on PATH', async () => {
  const root = temporaryFolder();
  const path = program(join(root, 'bin/my-ffmpeg'), printVersion('7.1'));
  expect(await findFfmpeg(machine(root, { path: 'my-ffmpeg' }))).toMatchObject({ path, version: '7.1' });
});

test('skips one that does not start', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/ffmpeg'), 'echo "libx264.so: cannot open" >&2; exit 127');
  const next = program(join(root, 'next/ffmpeg'), printVersion('7.3'));
  const env = { PATH: [join(root, 'bin'), join(root, 'next')].join(':') };
  expect((await findFfmpeg(machine(root, { env }))).path).toBe(next);
  await expect(findFfmpeg(machine(root))).rejects.toMatchObject({
    code: 'ffmpeg_not_found',
    message: expect.stringContaining('libx264.so: cannot open'),
  });
});

test('does not replace one that is killed, because another one would encode other bytes', async () => {
  const root = temporaryFolder();
  const killed = program(join(root, 'bin/ffmpeg'), 'kill -9 $$');
  program(join(root, 'next/ffmpeg'), printVersion('7.3'));
  const env = { PATH: [join(root, 'bin'), join(root, 'next')].join(':') };
  await expect(findFfmpeg(machine(root, { env }))).rejects.toMatchObject({
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
    [
      nodeProgram(join(root, 'old'), 'throw new Error("GLIBC_2.38 not found")'),
      'ffmpeg_failed',
      ': GLIBC_2.38 not found',
    ],
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

test('reads encoders from the table, not from its legend', async () => {
  const table = [
    'Encoders:',
    ' V..... = Video',
    ' ------',
    ' V....D libx264              H.264',
    ' A....D aac                  AAC',
    ' VF.... png                  PNG',
  ];
  const text = `echo 'ffmpeg version 7.1' >&2; printf '%s\\n' '${table.join("' '")}'`;
  const path = program(join(temporaryFolder(), 'ffmpeg'), text);
  expect([...(await findFfmpeg({ env: process.env, path })).encoders]).toEqual(['libx264', 'aac', 'png']);
});

test('finds the ffmpeg of the npm package, which has the encoders that renders need', async () => {
  const found = await findFfmpeg({ env: { PATH: '' } });
  expect(found).toMatchObject({ source: 'embedded', version: expect.stringMatching(/^8\./) });
  for (const name of ['libx264', 'libx265', 'libsvtav1', 'libvpx-vp9', 'prores_ks', 'ffv1', 'png', 'aac', 'libopus'])
    expect(found.encoders).toContain(name);
});

test('rejects when the signal is aborted', async () => {
  const root = temporaryFolder();
  nodeProgram(join(root, 'bin/ffmpeg'), 'setTimeout(() => {}, 5000)');
  const signal = AbortSignal.timeout(50);
  await expect(findFfmpeg(machine(root, { signal }))).rejects.toMatchObject({ name: 'AbortError' });
});
