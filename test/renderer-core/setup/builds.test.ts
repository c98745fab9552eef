// The builds for each machine, and their URLs.
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import lock from '../../../package-lock.json' with { type: 'json' };
import { buildFor, executableOf, isBuild, type Machine, type Program } from '../../../renderer-core/setup/builds.ts';
import { ffmpegPackage, ffmpegPackages, ffmpegPackageVersion } from '../../../renderer-core/setup/ffmpegPackages.ts';

function urlFor(program: Program, system: string, options: Partial<Machine> = {}): string | undefined {
  const [platform, arch] = system.split('-') as [NodeJS.Platform, string];
  const found = buildFor(program, { platform, arch, isMusl: false, ...options });
  if (!isBuild(found)) return found.hint;
  return found.packing === 'npm' ? found.spec : found.url;
}

test('has both programs for every supported machine', () => {
  const shell = 'https://storage.googleapis.com/chrome-for-testing-public/153.0.8010.12';
  const ffmpeg = 'https://github.com/eugeneware/ffmpeg-static/releases/download/b6.1.1';
  expect(
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'].map((system) => [
      system,
      urlFor('browser', system),
      urlFor('ffmpeg', system),
    ]),
  ).toEqual([
    ['linux-x64', `${shell}/linux64/chrome-headless-shell-linux64.zip`, `${ffmpeg}/ffmpeg-linux-x64.gz`],
    ['linux-arm64', `${shell}/linux-arm64/chrome-headless-shell-linux-arm64.zip`, `${ffmpeg}/ffmpeg-linux-arm64.gz`],
    ['darwin-x64', `${shell}/mac-x64/chrome-headless-shell-mac-x64.zip`, `${ffmpeg}/ffmpeg-darwin-x64.gz`],
    ['darwin-arm64', `${shell}/mac-arm64/chrome-headless-shell-mac-arm64.zip`, `${ffmpeg}/ffmpeg-darwin-arm64.gz`],
    ['win32-x64', `${shell}/win64/chrome-headless-shell-win64.zip`, `${ffmpeg}/ffmpeg-win32-x64.gz`],
    // Windows on ARM runs x64 programs.
    ['win32-arm64', `${shell}/win64/chrome-headless-shell-win64.zip`, `${ffmpeg}/ffmpeg-win32-x64.gz`],
  ]);
});

test('has distinct SHA-256 checksums, and downloads that are smaller than their content', () => {
  const builds = (['browser', 'ffmpeg'] as const).flatMap((program) =>
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'].map((system) => {
      const [platform, arch] = system.split('-') as [NodeJS.Platform, string];
      const build = buildFor(program, { platform, arch, isMusl: false });
      if (!isBuild(build) || build.packing === 'npm') throw new Error(system);
      return build;
    }),
  );
  expect(builds.filter(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))).toEqual([]);
  expect(new Set(builds.map(({ sha256 }) => sha256)).size).toBe(builds.length);
  expect(builds.filter(({ bytes, unpackedBytes }) => bytes * 1.5 > unpackedBytes)).toEqual([]);
});

test('names an alternative for machines without a build', () => {
  const musl = { isMusl: true };
  expect(urlFor('browser', 'linux-x64', musl)).toContain('apk add chromium');
  expect(urlFor('ffmpeg', 'linux-x64', musl)).toMatch(/ffmpeg-linux-x64\.gz$/);
  expect(urlFor('browser', 'linux-riscv64')).toContain('Install Chromium');
  expect(urlFor('ffmpeg', 'freebsd-x64')).toContain('Install ffmpeg');
});

test('uses the npm package of each system for ffmpeg, unless npm is missing or a mirror is given', () => {
  const specFor = (platform: NodeJS.Platform, arch: string, mirror?: string) => {
    const mirrors = mirror === undefined ? {} : { ffmpeg: mirror };
    const found = buildFor('ffmpeg', { platform, arch, isMusl: false }, mirrors, '/bin/npm');
    return isBuild(found) && found.packing === 'npm' ? found.spec : found;
  };
  expect(specFor('linux', 'arm64')).toBe('@seydx/node-av-linux-arm64@6.1.1');
  expect(specFor('win32', 'arm64')).toBe('@seydx/node-av-win32-arm64-msvc@6.1.1');
  expect(specFor('linux', 'x64', 'https://mirror.example')).toMatchObject({
    name: 'ffmpeg 6.1.1 of ffmpeg-static',
    url: 'https://mirror.example/b6.1.1/ffmpeg-linux-x64.gz',
  });
  const alpine: Machine = { platform: 'linux', arch: 'x64', isMusl: true };
  expect(buildFor('ffmpeg', alpine, {}, '/bin/npm')).toMatchObject({ packing: 'gz' });
  expect(buildFor('browser', { ...alpine, isMusl: false }, {}, '/bin/npm')).toMatchObject({ packing: 'zip' });
});

test('pins the packages that package.json and package-lock.json name', () => {
  const systems = Object.keys(ffmpegPackages).map((system) => system.split('-') as [NodeJS.Platform, string]);
  const names = systems.map(([platform, arch]) => ffmpegPackage(platform, arch));
  const inManifest = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('@seydx/'));
  expect(inManifest.sort()).toEqual(names.map((name) => [name, ffmpegPackageVersion]).sort());
  expect(manifest.devDependencies['node-av']).toBe(ffmpegPackageVersion);
  const locked = lock.packages as Record<string, { version?: string; integrity?: string }>;
  const sums = systems.map(([platform, arch]) => locked[`node_modules/${ffmpegPackage(platform, arch)}`]?.integrity);
  expect(Object.values(ffmpegPackages).map(({ sha512 }) => `sha512-${sha512}`)).toEqual(sums);
});

test('uses a separate mirror for each program', () => {
  const machine: Machine = { platform: 'linux', arch: 'x64', isMusl: false };
  expect(buildFor('browser', machine, { browser: 'https://mirror.example/cft/' })).toMatchObject({
    url: 'https://mirror.example/cft/153.0.8010.12/linux64/chrome-headless-shell-linux64.zip',
  });
  expect(buildFor('ffmpeg', machine, { browser: 'https://mirror.example', ffmpeg: '' })).toMatchObject({
    url: expect.stringMatching(/^https:\/\/github\.com\//),
  });
});

test('returns the path of the executable in the unpacked folder', () => {
  expect(executableOf('browser', '153.0.8010.12', { platform: 'darwin', arch: 'arm64' })).toBe(
    'chrome-headless-shell-mac-arm64/chrome-headless-shell',
  );
  expect(executableOf('browser', '153.0.8010.12', { platform: 'win32', arch: 'arm64' })).toBe(
    'chrome-headless-shell-win64/chrome-headless-shell.exe',
  );
  expect(executableOf('ffmpeg', 'b6.1.1', { platform: 'win32', arch: 'x64' })).toBe('ffmpeg.exe');
  expect(executableOf('ffmpeg', 'node-av-6.1.1', { platform: 'win32', arch: 'x64' })).toBe('node-av.node');
});
