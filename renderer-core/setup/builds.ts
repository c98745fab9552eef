// The builds of browser and ffmpeg that can be downloaded: one table of versions, places, sizes and checksums. Pure.

export const programs = ['browser', 'ffmpeg'] as const;
export type Program = (typeof programs)[number];

/** `isMusl`: a Linux whose C library is musl, as Alpine's is. */
export type Machine = { platform: NodeJS.Platform; arch: string; isMusl: boolean };

export type Build = {
  program: Program;
  /** For people: `Chrome Headless Shell 153.0.8010.12`. */
  name: string;
  version: string;
  /** Absolute URL of the packed file. */
  url: string;
  packing: 'zip' | 'gz';
  /** Of the packed file, in hexadecimal. */
  sha256: string;
  /** Of the packed file, and of what is in it; nearly. */
  bytes: number;
  unpackedBytes: number;
};

/** Why there is nothing to download, and what to do instead. */
export type NoBuild = { program: Program; reason: string; hint: string };

/** The first part of every URL; a mirror has the same paths below its own. */
export type Mirrors = Readonly<Record<Program, string>>;

/**
 * Where the two projects publish their builds: Chrome for Testing, made by the Chrome team for programs that drive it, and
 * the releases of ffmpeg-static, single programs that need no library.
 */
const publishers: Mirrors = {
  browser: 'https://storage.googleapis.com/chrome-for-testing-public',
  ffmpeg: 'https://github.com/eugeneware/ffmpeg-static/releases/download',
};

/** Of the same major version as the browser of the npm package, which the tests render with. */
const browserVersion = '153.0.8010.12';
const ffmpegVersion = 'b6.1.1';

type Row = { name: string; sha256: string; bytes: number; unpackedBytes: number };

const megabyte = 1_000_000;

/** By platform and architecture as Node names them. Neither project publishes checksums of its own: these were recorded. */
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

/** What to download for `program` on `machine`. `mirrors` replace the publishers' own places. */
export function buildFor(program: Program, machine: Machine, mirrors: Partial<Mirrors> = {}): Build | NoBuild {
  const rows = program === 'browser' ? browserRows : ffmpegRows;
  const found = rows[`${machine.platform}-${archOf(machine)}`];
  if (!found || (program === 'browser' && machine.isMusl)) return noBuild(program, machine);
  const base = (mirrors[program] || publishers[program]).replace(/\/+$/, '');
  const { name, ...sizes } = found;
  if (program === 'ffmpeg') {
    const url = `${base}/${ffmpegVersion}/ffmpeg-${name}.gz`;
    return { program, name: `ffmpeg ${ffmpegVersion}`, version: ffmpegVersion, url, packing: 'gz', ...sizes };
  }
  const url = `${base}/${browserVersion}/${name}/chrome-headless-shell-${name}.zip`;
  const title = `Chrome Headless Shell ${browserVersion}`;
  return { program, name: title, version: browserVersion, url, packing: 'zip', ...sizes };
}

/** The path of the program in the folder that a build is unpacked into, with slashes. */
export function executableOf(program: Program, machine: Omit<Machine, 'isMusl'>): string {
  const ending = machine.platform === 'win32' ? '.exe' : '';
  if (program === 'ffmpeg') return `ffmpeg${ending}`;
  const name = browserRows[`${machine.platform}-${archOf(machine)}`]?.name ?? 'unknown';
  return `chrome-headless-shell-${name}/chrome-headless-shell${ending}`;
}

/** Windows on ARM runs programs for x64. */
function archOf({ platform, arch }: Omit<Machine, 'isMusl'>): string {
  return platform === 'win32' && arch === 'arm64' ? 'x64' : arch;
}

function noBuild(program: Program, { platform, arch, isMusl }: Machine): NoBuild {
  const system = `${platform} on ${arch}${isMusl ? ' with musl' : ''}`;
  if (program === 'ffmpeg') {
    return {
      program,
      reason: `There is no static ffmpeg to download for ${system}.`,
      hint: 'Install ffmpeg with the package manager of the system: it is found on PATH.',
    };
  }
  const hint = isMusl
    ? 'Install Chromium with the package manager (Alpine: apk add chromium): it is found on PATH.'
    : 'Install Chromium with the package manager of the system: it is found on PATH.';
  return { program, reason: `Chrome for Testing has no build for ${system}.`, hint };
}

export function isBuild(found: Build | NoBuild): found is Build {
  return 'url' in found;
}
