// Replaces the module of node-av that loads the libraries, which would also look outside of npm packages (esbuild.mjs).
import { createRequire } from 'node:module';
import { addonPackage } from './addonPackage.ts';

export const bindings: unknown = createRequire(import.meta.url)(
  `${addonPackage(process.platform, process.arch)}/node-av.node`,
);
