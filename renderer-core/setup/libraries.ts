// Finds shared libraries that a downloaded browser needs on Linux, and the packages that contain them.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Packages of Debian and Fedora by library. Debian and Ubuntu append `t64` to some names since 2024. */
const packages: Readonly<Record<string, readonly [debian: string, fedora: string, t64?: 't64']>> = {
  'libnss3.so': ['libnss3', 'nss'],
  'libnssutil3.so': ['libnss3', 'nss-util'],
  'libsmime3.so': ['libnss3', 'nss'],
  'libnspr4.so': ['libnspr4', 'nspr'],
  'libplc4.so': ['libnspr4', 'nspr'],
  'libplds4.so': ['libnspr4', 'nspr'],
  'libdbus-1.so.3': ['libdbus-1-3', 'dbus-libs'],
  'libexpat.so.1': ['libexpat1', 'expat'],
  'libatk-1.0.so.0': ['libatk1.0-0', 'atk', 't64'],
  'libatk-bridge-2.0.so.0': ['libatk-bridge2.0-0', 'at-spi2-atk', 't64'],
  'libatspi.so.0': ['libatspi2.0-0', 'at-spi2-core', 't64'],
  'libglib-2.0.so.0': ['libglib2.0-0', 'glib2', 't64'],
  'libgobject-2.0.so.0': ['libglib2.0-0', 'glib2', 't64'],
  'libgio-2.0.so.0': ['libglib2.0-0', 'glib2', 't64'],
  'libasound.so.2': ['libasound2', 'alsa-lib', 't64'],
  'libX11.so.6': ['libx11-6', 'libX11'],
  'libXcomposite.so.1': ['libxcomposite1', 'libXcomposite'],
  'libXdamage.so.1': ['libxdamage1', 'libXdamage'],
  'libXext.so.6': ['libxext6', 'libXext'],
  'libXfixes.so.3': ['libxfixes3', 'libXfixes'],
  'libXrandr.so.2': ['libxrandr2', 'libXrandr'],
  'libxcb.so.1': ['libxcb1', 'libxcb'],
  'libxkbcommon.so.0': ['libxkbcommon0', 'libxkbcommon'],
  'libgbm.so.1': ['libgbm1', 'mesa-libgbm'],
  'libdrm.so.2': ['libdrm2', 'libdrm'],
  'libudev.so.1': ['libudev1', 'systemd-libs'],
  'libgcc_s.so.1': ['libgcc-s1', 'libgcc'],
  'libstdc++.so.6': ['libstdc++6', 'libstdc++'],
};

/** Names of libraries that the loader does not find for `path`. Empty on other systems, and where ldd is missing. */
export async function missingLibraries(path: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const text = await promisify(execFile)('ldd', [path], { timeout: 20_000 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  return [...new Set([...text.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? ''))];
}

/** The missing library in the browser's own error message, for systems without `ldd`. */
export function libraryIn(message: string): string | undefined {
  return /error while loading shared libraries: ([^:\s]+):/.exec(message)?.[1];
}

/** The text of `/etc/os-release`, or an empty string. */
export function osRelease(): Promise<string> {
  return readFile('/etc/os-release', 'utf8').catch(() => '');
}

/** A hint with the command that installs the libraries; `release` is the text of `/etc/os-release`. */
export function libraryHint(libraries: readonly string[], release: string): string {
  const known = libraries.flatMap((name) => (packages[name] ? [packages[name]] : []));
  const rest = libraries.filter((name) => !packages[name]);
  const unknown = rest.length > 0 ? ` (also install the packages that contain ${rest.join(', ')})` : '';
  if (known.length === 0) return `Install the packages that contain ${libraries.join(', ')}.`;
  const debian = `apt-get install ${sorted(known.map(([name, , t64]) => name + (hasT64(release) ? (t64 ?? '') : '')))}`;
  const fedora = `dnf install ${sorted(known.map(([, name]) => name))}`;
  const family = familyOf(release);
  if (family === 'debian') return `Run: sudo ${debian}${unknown}`;
  if (family === 'fedora') return `Run: sudo ${fedora}${unknown}`;
  return `Install them with the package manager (Debian: ${debian}; Fedora: ${fedora})${unknown}.`;
}

const sorted = (names: readonly string[]): string => [...new Set(names)].sort().join(' ');

function familyOf(release: string): 'debian' | 'fedora' | undefined {
  const names = [...release.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)].map((match) => match[1] ?? '').join(' ');
  if (/\b(?:debian|ubuntu)\b/.test(names)) return 'debian';
  return /\b(?:fedora|rhel|centos)\b/.test(names) ? 'fedora' : undefined;
}

/** Debian 13 and Ubuntu 24.04 renamed packages for 64-bit times. Derivatives of Ubuntu name their parent release. */
function hasT64(release: string): boolean {
  const version = Number(/^VERSION_ID="?([\d.]+)/m.exec(release)?.[1] ?? Number.NaN);
  if (/^ID=debian/m.test(release)) return version >= 13;
  const parent = /^UBUNTU_CODENAME=(\w+)/m.exec(release)?.[1];
  return parent === undefined ? version >= 24.04 : !['bionic', 'focal', 'jammy'].includes(parent);
}
