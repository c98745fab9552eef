// Types of servicePages.mjs, for the tests.
import type { BuildOptions } from 'esbuild';

export declare const servicePages: BuildOptions;
