// The order in which browsers are found, with scripts as programs.
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { browserVersion, type FindBrowserOptions, findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import { program } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';

/** A machine below `root` with an embedded browser unless `options` say otherwise. */
function machine(root: string, options: Partial<FindBrowserOptions> = {}): FindBrowserOptions {
  const embedded = async () => ({ path: '/embedded', env: { LD_LIBRARY_PATH: '/lib' } });
  return {
    platform: 'linux',
    arch: 'x64',
    home: root,
    embedded,
    ...options,
    env: { PATH: join(root, 'bin'), ...options.env },
  };
}

/** The same without an embedded browser, as on other systems than Linux on x64. */
const bare = (root: string, options: Partial<FindBrowserOptions> = {}): FindBrowserOptions =>
  machine(root, { embedded: async () => undefined, ...options });

test('prefers the option, the environment, the embedded one, an installed shell, an installed browser', async () => {
  const root = temporaryFolder();
  const option = program(join(root, 'a-headless-shell'));
  const environment = program(join(root, 'b'));
  const full = program(join(root, 'bin/google-chrome'));
  const cached = program(
    join(
      root,
      '.cache/puppeteer/chrome-headless-shell/linux-131.0.1/chrome-headless-shell-linux64/chrome-headless-shell',
    ),
  );
  const env = { FRAMEWORK_BROWSER: environment };
  expect(await findBrowser(machine(root, { path: option, env }))).toMatchObject({
    path: option,
    source: 'option',
    headlessShell: true,
  });
  expect(await findBrowser(machine(root, { env }))).toMatchObject({
    path: environment,
    source: 'environment',
    headlessShell: false,
  });
  expect(await findBrowser(machine(root))).toEqual({
    path: '/embedded',
    source: 'embedded',
    env: { LD_LIBRARY_PATH: '/lib' },
    name: 'embedded Chromium',
    headlessShell: true,
  });
  const installed = { source: 'installed', env: {} };
  expect(await findBrowser(bare(root))).toMatchObject({ path: cached, headlessShell: true, ...installed });
  expect(await findBrowser(bare(root, { env: { PUPPETEER_CACHE_DIR: join(root, 'none') } }))).toMatchObject({
    path: full,
    name: 'google-chrome',
    ...installed,
  });
});

test('prefers a browser from setup to the others, but not to requested ones', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/chromium-headless-shell'));
  const name = 'chrome-headless-shell-linux64/chrome-headless-shell';
  const folder = join(root, '.cache/framework/programs');
  program(join(folder, `browser-linux-x64-99.0.1/${name}`));
  const newest = program(join(folder, `browser-linux-x64-153.0.8010.12/${name}`));
  program(join(folder, `browser-linux-arm64-154.0.1/${name.replace('linux64', 'linux-arm64')}`));
  const expected = { source: 'set-up', env: {}, headlessShell: true };
  expect(await findBrowser(machine(root))).toMatchObject({ path: newest, ...expected });
  const own = program(join(root, `editor/browser-linux-x64-153.0.8010.12/${name}`));
  const env = { FRAMEWORK_PROGRAMS_DIR: join(root, 'editor') };
  expect(await findBrowser(machine(root, { env }))).toMatchObject({ path: own, ...expected });
  const none = { FRAMEWORK_PROGRAMS_DIR: join(root, 'none') };
  expect(await findBrowser(machine(root, { env: none }))).toMatchObject({ path: newest });
  const named = { ...env, FRAMEWORK_BROWSER: program(join(root, 'named')) };
  expect(await findBrowser(machine(root, { env: named }))).toMatchObject({ source: 'environment' });
  // Any user could have put a program into a folder that everyone can write to.
  chmodSync(folder, 0o777);
  expect(await findBrowser(machine(root))).toMatchObject({ source: 'embedded' });
});

test('prefers the newest build in the cache of puppeteer', async () => {
  const root = temporaryFolder();
  const build = (version: string) =>
    program(
      join(
        root,
        `.cache/puppeteer/chrome-headless-shell/linux-${version}/chrome-headless-shell-linux64/chrome-headless-shell`,
      ),
    );
  build('99.0.1');
  const newest = build('131.0.6778.85');
  build('131.0.6778.9');
  expect((await findBrowser(bare(root))).path).toBe(newest);
});

test('uses a snap only as the last resort', async () => {
  const root = temporaryFolder();
  program(join(root, 'bin/chromium-browser'), 'exec /snap/bin/chromium "$@"');
  symlinkSync(program(join(root, 'usr/bin/snap')), join(root, 'bin/chromium'));
  expect(basename((await findBrowser(bare(root))).path)).toMatch(/^chromium/);
  const other = program(join(root, 'bin/microsoft-edge-stable'));
  expect((await findBrowser(bare(root))).path).toBe(other);
});

test('finds browsers in the usual folders of macOS and Windows', async () => {
  const root = temporaryFolder();
  const mac = program(join(root, 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'));
  expect(await findBrowser(bare(root, { platform: 'darwin' }))).toMatchObject({ path: mac, name: 'Google Chrome' });
  const edge = program(join(root, 'Microsoft/Edge/Application/msedge.exe'));
  const windows = bare(root, { platform: 'win32', env: { 'PROGRAMFILES(X86)': root } });
  expect(await findBrowser(windows)).toMatchObject({ path: edge, name: 'msedge' });
  const chrome = program(join(root, 'chrome.exe'));
  expect((await findBrowser({ ...windows, systemChrome: async () => chrome })).path).toBe(chrome);
});

test('gives a browser a font on a machine without fonts', async () => {
  const root = temporaryFolder();
  const path = program(join(root, 'chromium'));
  const conf = join(root, 'fonts.conf');
  const find = (dir: string) => {
    writeFileSync(conf, `<fontconfig><dir>${dir}</dir></fontconfig>`);
    return findBrowser(machine(root, { path, env: { FONTCONFIG_FILE: conf, FRAMEWORK_CACHE: join(root, 'cache') } }));
  };
  const { FONTCONFIG_FILE: own = '' } = (await find(join(root, 'none'))).env;
  expect(readFileSync(own, 'utf8')).toContain(join(dirname(own), 'fonts'));
  expect(readdirSync(join(dirname(own), 'fonts'))).toEqual(['missing.ttf']);
  writeFileSync(join(root, 'some.ttf'), '');
  expect((await find(root)).env).toEqual({});
});

test('rejects a requested browser that cannot be executed', async () => {
  const root = temporaryFolder();
  const cases: [string, string][] = [
    [join(root, 'none'), '--browser does not exist'],
    [program(join(root, 'plain'), '', 0o644), '--browser is not executable'],
    [root, '--browser is not a file'],
    ['', '--browser is not a file'],
  ];
  for (const [path, text] of cases) {
    await expect(findBrowser(machine(root, { path }))).rejects.toMatchObject({
      code: 'browser_not_found',
      message: expect.stringContaining(text),
      hint: expect.stringContaining('Set --browser to the path'),
    });
  }
  await expect(findBrowser(machine(root, { env: { FRAMEWORK_BROWSER: 'none' } }))).rejects.toThrow(
    'FRAMEWORK_BROWSER does not exist',
  );
});

test('uses an installed browser if the pinned one cannot be downloaded', async () => {
  const root = temporaryFolder();
  const failure = new UserError('download_failed', 'The registry cannot be reached.');
  const embedded = () => Promise.reject(failure);
  await expect(findBrowser(machine(root, { embedded, platform: 'darwin' }))).rejects.toBe(failure);
  const path = program(join(root, 'bin/google-chrome'));
  expect(await findBrowser(machine(root, { embedded }))).toMatchObject({ path, source: 'installed' });
});

test('reports that there is no browser, with a hint', async () => {
  const nothing = machine(temporaryFolder(), { platform: 'darwin', embedded: async () => undefined });
  await expect(findBrowser(nothing)).rejects.toMatchObject({
    code: 'browser_not_found',
    hint: expect.stringContaining('framework setup browser'),
  });
});

test('reads the version of a browser, and reports why one does not start', async () => {
  const root = temporaryFolder();
  const env = { SAID: 'Chromium 153.0.1' };
  expect(await browserVersion({ path: program(join(root, 'good'), 'echo "$SAID "'), env }, { env: process.env })).toBe(
    'Chromium 153.0.1',
  );
  const path = program(join(root, 'bad'), 'echo "error while loading shared libraries: libnss3.so" >&2; exit 127');
  await expect(browserVersion({ path, env: {} }, { env: process.env })).rejects.toMatchObject({
    code: 'browser_failed',
    message: expect.stringContaining('libnss3.so'),
  });
  const silent = program(join(root, 'silent'), 'exec sleep 5');
  await expect(browserVersion({ path: silent, env: {} }, { env: process.env, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'browser_failed',
  });
});
