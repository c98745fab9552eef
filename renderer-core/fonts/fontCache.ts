// Where fonts are searched. Downloads are in the cache of the user, in a folder for each package.
import { join } from 'node:path';
import { cacheRoot } from '../project/cacheFolder.ts';
import type { findPackage } from '../project/packageFolder.ts';
import type { FontPackage } from './fontPackages.ts';

export type FontSearchOptions = {
  env: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  signal?: AbortSignal;
  /** Replaced in tests. */
  packages?: typeof findPackage;
  table?: readonly FontPackage[];
};

export const fontCache = (env: NodeJS.ProcessEnv, home: string): string => join(cacheRoot(env, home), 'fonts');

/** Such as `fontsource-arimo-5.3.0`. */
export const cacheName = (name: string, version: string): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}`;

export const systemFontsHint =
  'To render with the fonts of this machine instead, which may look different on other machines, use --system-fonts.';
