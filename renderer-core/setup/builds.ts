// The builds of browser and ffmpeg that can be downloaded: versions, URLs, sizes and checksums.
import { ffmpegLibrary, ffmpegPackage, ffmpegPackages, ffmpegPackageVersion, ffmpegRelease } from './ffmpegPackages.ts';

export const programs = ['browser', 'ffmpeg'] as const;
export type Program = (typeof programs)[number];

/** What `framework setup` installs. */
export const setupParts = [...programs, 'fonts'] as const;
export type SetupPart = (typeof setupParts)[number];

/** `isMusl`: Linux with the C library musl, such as Alpine. */
export type Machine = { platform: NodeJS.Platform; arch: string; isMusl: boolean };

export type Build = {
  program: Program;
  /** Display name: `Chrome Headless Shell 153.0.8010.12`. */
  name: string;
  version: string;
  /** Approximate size of the archive, and of its content. */
  bytes: number;
  unpackedBytes: number;
} & (FileArchive | NpmArchive);

/** `sha256` is in hexadecimal. */
export type FileArchive = { packing: 'zip' | 'gz'; url: string; sha256: string };

/** `npm`: path of the npm that downloads the package. `sha512` is in Base64, as in package-lock.json. */
export type NpmArchive = { packing: 'npm'; npm: string; spec: string; sha512: string };

/** There is no build for the machine; `hint` names an alternative. */
export type NoBuild = { program: Program; reason: string; hint: string };

/** Base URLs. A mirror has the same paths below its base URL. */
export type Mirrors = Readonly<Record<Program, string>>;

/** Chrome for Testing, which the Chrome team publishes for automation, and the statically linked builds of ffmpeg-static. */
const publishers: Mirrors = {
  browser: 'https://storage.googleapis.com/chrome-for-testing-public',
  ffmpeg: 'https://github.com/eugeneware/ffmpeg-static/releases/download',
};

/** The same major version as the embedded browser, with which the tests render. */
export const browserVersion = '153.0.8010.12';
/** About the day on which it was built. */
export const pinnedBrowserBuilt = '2026-09-11';
const ffmpegVersion = 'b6.1.1';
const libraryVersion = `node-av-${ffmpegPackageVersion}`;

type Row = { name: string; sha256: string; bytes: number; unpackedBytes: number };

const megabyte = 1_000_000;

/** By Node's platform and architecture. Neither project publishes checksums, so these were computed from the files. */
const browserRows: Readonly<Record<string, Row>> = {
  'linux-x64': row('linux64', 'a9da028861a0cf789ff25c2fed45f5f1aaf969ed9247835b6a7821a4f7af9d1d', 119.8, 285),
  'linux-arm64': row('linux-arm64', 'd433c45172c7836e38124fe545f767b02210bfb43a6262f08a297473a8e91c99', 120.3, 280),
  'darwin-x64': row('mac-x64', '5c2eaa1aad62111bb5a70dd0889dd3093f3142277b8f78957a238257ee85f009', 104.1, 265),
  'darwin-arm64': row('mac-arm64', '89d80a6d26ccd0ccfd51e22d9e1297283862af2b0cd91dce07459b35ca0059f2', 98.8, 250),
  'win32-x64': row('win64', '7aec872f3090e639c4237467624ea863c20fe2878914c93a6556bdbb52aa6c4c', 120.2, 285),
};

const ffmpegRows: Readonly<Record<string, Row>> = {
  'linux-x64': row('linux-x64', 'bfe8a8fc511530457b528c48d77b5737527b504a3797a9bc4866aeca69c2dffa', 30, 80),
  'linux-arm64': row('linux-arm64', '754a678672298bc68156adff58aa7385a592c2b30b1d0ae8750c45c915c4bac0', 19, 52),
  'darwin-x64': row('darwin-x64', '929b375c1182d956c51f7ac25e0b2b0411fb01f6f407aa15c9758efeb4242106', 27, 80),
  'darwin-arm64': row('darwin-arm64', '8923876afa8db5585022d7860ec7e589af192f441c56793971276d450ed3bbfa', 19, 48),
  'win32-x64': row('win32-x64', '8883a3dffbd0a16cf4ef95206ea05283f78908dbfb118f73c83f4951dcc06d77', 29.6, 84),
};

function row(name: string, sha256: string, packed: number, unpacked: number): Row {
  return { name, sha256, bytes: packed * megabyte, unpackedBytes: unpacked * megabyte };
}

/**
 * The build of `program` for `machine`. `mirrors` replace the URLs of the publishers. `npm` is the path of npm: with it, ffmpeg
 * is the same as that of the npm package, unless a mirror is given.
 */
export function buildFor(
  program: Program,
  machine: Machine,
  mirrors: Partial<Mirrors> = {},
  npm?: string,
): Build | NoBuild {
  if (program === 'ffmpeg' && npm !== undefined && !mirrors.ffmpeg) {
    const libraries = libraryBuild(machine, npm);
    if (libraries) return libraries;
  }
  const rows = program === 'browser' ? browserRows : ffmpegRows;
  const found = rows[`${machine.platform}-${archOf(machine)}`];
  if (!found || (program === 'browser' && machine.isMusl)) return noBuild(program, machine);
  const base = (mirrors[program] || publishers[program]).replace(/\/+$/, '');
  const { name, ...sizes } = found;
  if (program === 'ffmpeg') {
    const url = `${base}/${ffmpegVersion}/ffmpeg-${name}.gz`;
    return {
      program,
      name: `ffmpeg ${ffmpegVersion.slice(1)} of ffmpeg-static`,
      version: ffmpegVersion,
      url,
      packing: 'gz',
      ...sizes,
    };
  }
  const url = `${base}/${browserVersion}/${name}/chrome-headless-shell-${name}.zip`;
  const title = `Chrome Headless Shell ${browserVersion}`;
  return { program, name: title, version: browserVersion, url, packing: 'zip', ...sizes };
}

/** Undefined where the npm packages have none. */
function libraryBuild({ platform, arch, isMusl }: Machine, npm: string): Build | undefined {
  const found = ffmpegPackages[`${platform}-${arch}`];
  if (!found || isMusl) return undefined;
  const spec = `${ffmpegPackage(platform, arch)}@${ffmpegPackageVersion}`;
  const name = `ffmpeg ${ffmpegRelease} of node-av`;
  return { program: 'ffmpeg', name, version: libraryVersion, packing: 'npm', npm, spec, ...found };
}

/** Whether this release can use a build that is installed: libraries need the code of their own version. */
export const isUsable = (version: string): boolean => !version.startsWith('node-av-') || version === libraryVersion;

/** The path of the executable inside the unpacked build, with slashes. Instead of one, libraries have a file for Node. */
export function executableOf(program: Program, version: string, machine: Omit<Machine, 'isMusl'>): string {
  const ending = machine.platform === 'win32' ? '.exe' : '';
  if (version.startsWith('node-av-')) return ffmpegLibrary;
  if (program === 'ffmpeg') return `ffmpeg${ending}`;
  const name = browserRows[`${machine.platform}-${archOf(machine)}`]?.name ?? 'unknown';
  return `chrome-headless-shell-${name}/chrome-headless-shell${ending}`;
}

/** Windows on ARM runs x64 programs. */
function archOf({ platform, arch }: Omit<Machine, 'isMusl'>): string {
  return platform === 'win32' && arch === 'arm64' ? 'x64' : arch;
}

function noBuild(program: Program, { platform, arch, isMusl }: Machine): NoBuild {
  const system = `${platform} on ${arch}${isMusl ? ' with musl' : ''}`;
  if (program === 'ffmpeg') {
    return {
      program,
      reason: `ffmpeg-static has no build for ${system}.`,
      hint: 'Install ffmpeg with the package manager of your system; it is found on PATH.',
    };
  }
  const hint = isMusl
    ? 'Install Chromium with the package manager (Alpine: apk add chromium); it is found on PATH.'
    : 'Install Chromium with the package manager of your system; it is found on PATH.';
  return { program, reason: `Chrome for Testing has no build for ${system}.`, hint };
}

export function isBuild(found: Build | NoBuild): found is Build {
  return 'bytes' in found;
}
