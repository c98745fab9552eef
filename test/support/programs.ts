// Scripts that stand in for installed programs.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a JavaScript program to `path` and returns the path. Unlike a shell script, it needs no other programs. */
export function nodeProgram(path: string, script: string): string {
  program(path, `exec "${process.execPath}" "${path}.cjs" "$@"`);
  writeFileSync(`${path}.cjs`, script);
  return path;
}

/** Writes a shell script to `path` and returns the path. */
export function program(path: string, script = 'exit 0', mode = 0o755): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
  return path;
}
