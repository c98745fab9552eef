// Installing the FFmpeg libraries with the user's npm, from a local registry.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Build, buildFor, isBuild, type NpmArchive } from '../../../renderer-core/setup/builds.ts';
import { type InstallOptions, installBuild } from '../../../renderer-core/setup/install.ts';
import { findBuild } from '../../../renderer-core/setup/machine.ts';
import { findNpm } from '../../../renderer-core/setup/npm.ts';
import { findSetupProgram } from '../../../renderer-core/setup/programsFolder.ts';
import type { SetupEvent } from '../../../renderer-core/setup/setupReport.ts';
import { program } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';
import { type Mirror, startMirror } from '../../support/servers/mirror.ts';

const machine = { platform: 'linux', arch: 'x64', isMusl: false } as const;
const [name, version] = ['@seydx/node-av-linux-x64', '6.1.1'];

let registry: Mirror;
let archive: Buffer;
let into: string;

beforeEach(async () => {
  registry = await startMirror();
  onTestFinished(() => registry.close());
  into = join(temporaryFolder(), 'programs');
  archive = await packageWith('the libraries');
  publish(archive);
});

const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('base64');

function packageWith(libraries: string): Promise<Buffer> {
  const folder = join(temporaryFolder(), 'package');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }));
  writeFileSync(join(folder, 'node-av.node'), libraries);
  return buffer(pack(join(folder, '..')).pipe(createGzip()));
}

function publish(content: Buffer, holdAfter?: number): void {
  const dist = { tarball: `${registry.url}/package.tgz`, integrity: `sha512-${sha512(content)}` };
  const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } };
  registry.files.set('/@seydx%2fnode-av-linux-x64', { content: Buffer.from(JSON.stringify(document)) });
  registry.files.set('/package.tgz', { content, ...(holdAfter === undefined ? {} : { holdAfter }) });
}

/** npm's own settings come from the environment. */
const environment = () => ({ ...process.env, npm_config_registry: registry.url });

async function build(changes: Partial<NpmArchive> = {}): Promise<Build> {
  const found = buildFor('ffmpeg', machine, {}, await findNpm(process.env, process.platform));
  if (!isBuild(found) || found.packing !== 'npm') throw new Error('npm was not found.');
  return { ...found, sha512: sha512(archive), bytes: archive.length, unpackedBytes: 5000, ...changes };
}

async function install(changes: Partial<NpmArchive> = {}, options: Partial<InstallOptions> = {}) {
  const check = async () => undefined;
  const env = environment();
  return installBuild(await build(changes), { into, machine, env, isMirror: false, now: Date.now, check, ...options });
}

const left = () => (existsSync(into) ? readdirSync(into) : []);

test('installs the libraries that renders find, from the registry of the user', async () => {
  const stages: SetupEvent[] = [];
  const { path, isNew } = await install({}, { onEvent: (event) => event.type === 'stage' && stages.push(event) });
  expect(isNew).toBe(true);
  expect(path).toBe(join(into, 'ffmpeg-linux-x64-node-av-6.1.1/node-av.node'));
  expect(readFileSync(path, 'utf8')).toBe('the libraries');
  expect(left()).toEqual(['ffmpeg-linux-x64-node-av-6.1.1']);
  expect(stages).toEqual([{ type: 'stage', message: 'Unpacking ffmpeg 8.1 of node-av' }]);
  expect(registry.asked).toContain('/package.tgz');
  const search = { env: { FRAMEWORK_PROGRAMS_DIR: into }, platform: 'linux', arch: 'x64' } as const;
  expect(await findSetupProgram('ffmpeg', search)).toBe(path);
  expect(await install()).toMatchObject({ path, isNew: false });
});

test('ignores libraries of another version, which the embedded program does not fit', async () => {
  program(join(into, 'ffmpeg-linux-x64-node-av-5.0.0/node-av.node'));
  const search = { env: { FRAMEWORK_PROGRAMS_DIR: into }, platform: 'linux', arch: 'x64' } as const;
  expect(await findSetupProgram('ffmpeg', search)).toBeUndefined();
  const older = program(join(into, 'ffmpeg-linux-x64-b6.1.1/ffmpeg'));
  expect(await findSetupProgram('ffmpeg', search)).toBe(older);
  await install();
  expect(left()).toEqual(['ffmpeg-linux-x64-node-av-6.1.1']);
});

test('reports progress, and leaves no files when it is cancelled', async () => {
  // The cache also contains a few kilobytes of the document.
  archive = Buffer.alloc(3_000_000, 'x');
  publish(archive, 2_000_000);
  const controller = new AbortController();
  const events: SetupEvent[] = [];
  const cancelled = install(
    {},
    {
      signal: controller.signal,
      onEvent(event) {
        events.push(event);
        if (event.type === 'download' && event.doneBytes > 1_900_000) controller.abort();
      },
    },
  );
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(events.at(-1)).toMatchObject({ type: 'download', program: 'ffmpeg', totalBytes: 3_000_000 });
  expect(left()).toEqual([]);
});

test('rejects a package with another checksum, and leaves no files', async () => {
  publish(await packageWith('other libraries'));
  await expect(install()).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(/^The package @seydx\/node-av-linux-x64@6\.1\.1 cannot be used: its SHA-512 is /),
  });
  expect(left()).toEqual([]);
});

test("reports npm's reason", async () => {
  await expect(install({ spec: `${name}@7.0.0` })).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringMatching(/^npm cannot download @seydx\/node-av-linux-x64@7\.0\.0: .*No matching version/),
    hint: expect.stringContaining('npm config list'),
  });
  await registry.close();
  await expect(install()).rejects.toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
  await expect(install({ npm: join(into, 'none') })).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringContaining('ENOENT'),
  });
  expect(left()).toEqual([]);
});

test('downloads ffmpeg-static where npm is missing', async () => {
  const root = temporaryFolder();
  const found = (platform: NodeJS.Platform, PATH: string) => findBuild('ffmpeg', { PATH }, { ...machine, platform });
  expect(await found('linux', root)).toMatchObject({ packing: 'gz', name: 'ffmpeg 6.1.1 of ffmpeg-static' });
  const npm = program(join(root, 'npm'));
  expect(await found('linux', root)).toMatchObject({ packing: 'npm', npm, name: 'ffmpeg 8.1 of node-av' });
  // Node cannot start npm.cmd without a shell, but the script next to it.
  expect(await found('win32', root)).toMatchObject({ packing: 'gz' });
  const script = program(join(root, 'node_modules/npm/bin/npm-cli.js'));
  expect(await found('win32', root)).toMatchObject({ packing: 'npm', npm: script });
});
