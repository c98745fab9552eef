// The libraries of FFmpeg for the function, which runs on Linux x64. npm installs only those of this machine.
import { findPackage } from '../../renderer-core/project/packageFolder.ts';
import { buildFor, isBuild } from '../../renderer-core/setup/builds.ts';
import { ffmpegPackage, ffmpegPackageVersion } from '../../renderer-core/setup/ffmpegPackages.ts';
import { type InstallOptions, installBuild } from '../../renderer-core/setup/install.ts';
import { findNpm } from '../../renderer-core/setup/npm.ts';
import { programsFolder } from '../../renderer-core/setup/programsFolder.ts';

const machine = { platform: 'linux', arch: 'x64', isMusl: false } as const;

export type LinuxPackagesOptions = Pick<InstallOptions, 'env' | 'now' | 'signal' | 'onEvent'> & {
  /** Replaced in tests. */
  installed?: typeof findPackage;
};

/**
 * Finds packages as `findPackage` does, and downloads the libraries of FFmpeg for Linux if they are not installed. They stay in the
 * folder for programs, so that only the first deployment downloads them. The search throws the errors of `installBuild`.
 */
export function linuxPackages({ installed = findPackage, ...options }: LinuxPackagesOptions): typeof findPackage {
  return async (name, ...from) => {
    const found = await installed(name, ...from);
    if (found !== undefined || name !== ffmpegPackage(machine.platform, machine.arch)) return found;
    const npm = await findNpm(options.env, process.platform);
    const build = npm === undefined ? undefined : buildFor('ffmpeg', machine, {}, npm);
    if (build === undefined || !isBuild(build)) return undefined;
    const into = programsFolder(options.env);
    // Only Linux could try the libraries; the checksum of the archive must do.
    const check = async () => undefined;
    const { folder } = await installBuild(build, { ...options, into, machine, isMirror: false, check });
    return { folder, version: ffmpegPackageVersion };
  };
}
