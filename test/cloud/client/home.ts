// A temporary home folder, with or without a credentials file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export type Home = {
  env: NodeJS.ProcessEnv;
  /** `~/.service/credentials`. */
  path: string;
  /** What is in it, parsed. */
  read(): Record<string, unknown>;
};

/** Deleted when the test ends. `credentials` as text, or as what becomes JSON. */
export function makeHome(credentials?: unknown, env: NodeJS.ProcessEnv = {}): Home {
  const home = mkdtempSync(join(tmpdir(), 'framework-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, '.service', 'credentials');
  if (credentials !== undefined) {
    mkdirSync(join(home, '.service'), { mode: 0o700 });
    writeFileSync(path, typeof credentials === 'string' ? credentials : JSON.stringify(credentials), { mode: 0o600 });
  }
  return { env: { ...env, HOME: home }, path, read: () => JSON.parse(readFileSync(path, 'utf8')) };
}
