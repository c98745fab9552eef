// Replaces the module of node-av that looks for the libraries: the first argument is their path (esbuild.mjs).
import { createRequire } from 'node:module';

export const bindings: unknown = createRequire(import.meta.url)(process.argv[2] ?? '');
