// Types of serverBundles.mjs, for the tests.
import type { BuildOptions } from 'esbuild';

export declare const server: BuildOptions & { metafile: true };
export declare const serverWorker: BuildOptions & { metafile: true };
