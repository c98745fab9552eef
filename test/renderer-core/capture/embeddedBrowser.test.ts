// The browser of the npm package, unpacked and started.
import { execFile } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedBrowser, embeddedBrowser } from '../../../renderer-core/capture/embeddedBrowser.ts';
import { browserVersion } from '../../../renderer-core/capture/findBrowser.ts';
import { fontsConf } from '../../../renderer-core/capture/fontsConf.ts';
import { fontEnv } from '../../../renderer-core/capture/systemFonts.ts';
import { needPrograms } from '../../support/systemPrograms.ts';

const run = promisify(execFile);

const here = process.platform === 'linux' && process.arch === 'x64';

test('is undefined for other machines', async () => {
  expect(await embeddedBrowser({ env: {}, platform: 'darwin' })).toBeUndefined();
  expect(await embeddedBrowser({ env: {}, arch: 'arm64' })).toBeUndefined();
});

describe.skipIf(!here)('the embedded browser', () => {
  let cache: string;
  let folder: string;
  let browser: EmbeddedBrowser;
  const find = async (env: NodeJS.ProcessEnv = {}): Promise<EmbeddedBrowser> => {
    const found = await embeddedBrowser({ env: { ...env, FRAMEWORK_CACHE: cache }, home: join(cache, 'home') });
    if (!found) throw new Error('no embedded browser');
    return found;
  };

  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'framework-test-cache-'));
    // Two at once: both must get the same complete browser.
    const found = await Promise.all([find(), find()]);
    expect(found[0]).toEqual(found[1]);
    browser = found[0];
    folder = join(browser.path, '..');
  });
  afterAll(() => rm(cache, { recursive: true, force: true }));

  test('is stored in the cache with its libraries, readable only by the owner', () => {
    expect(readdirSync(cache).filter((name) => name !== 'fontconfig')).toEqual([
      expect.stringMatching(/^chromium-\d+/),
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(browser.path).uid).toBe(process.getuid?.());
    const files = readdirSync(folder);
    expect(files).toEqual(
      expect.arrayContaining([
        'chromium',
        'libEGL.so',
        'libGLESv2.so',
        'libvk_swiftshader.so',
        'vk_swiftshader_icd.json',
      ]),
    );
    expect(readdirSync(join(folder, 'lib'))).toContain('libnss3.so');
  });

  test('has the configuration of its fonts, also if the system has fonts', () => {
    expect(readdirSync(folder)).toContain('embedded-fonts.conf');
  });

  test('starts, and is not unpacked again', async () => {
    const before = statSync(browser.path).mtimeMs;
    expect(await browserVersion(await find(), { env: process.env })).toMatch(/^\S.* \d+\.\d+\.\d+\.\d+$/);
    expect(statSync(browser.path).mtimeMs).toBe(before);
  });

  test('appends its own libraries to LD_LIBRARY_PATH if the system lacks them', async () => {
    const broken = join(cache, 'broken');
    await mkdir(broken);
    writeFileSync(join(broken, 'libnss3.so'), '');
    const { env } = await find({ LD_LIBRARY_PATH: broken });
    expect(env.LD_LIBRARY_PATH).toBe(`${broken}:${join(folder, 'lib')}`);
    expect(
      await browserVersion({ path: browser.path, env: { LD_LIBRARY_PATH: join(folder, 'lib') } }, { env: process.env }),
    ).toMatch(/\d/);
  });

  test('is found in a cache that cannot be written, for another home folder', async (context) => {
    needPrograms(context, 'bwrap');
    const module = new URL('../../../renderer-core/capture/systemFonts.ts', import.meta.url).href;
    const root = new URL('../../../', import.meta.url).pathname;
    const script = `import { fontEnv } from ${JSON.stringify(module)};
      console.log((await fontEnv(...JSON.parse(process.argv[1]))).FONTCONFIG_FILE);`;
    const env = { FRAMEWORK_CACHE: cache };
    const find = (folder: string) =>
      run(
        'bwrap',
        [
          ...['--ro-bind', '/', '/', '--dev', '/dev', '--chdir', root, '--', process.execPath, '--import', 'tsx'],
          ...['--input-type=module', '--eval', script, JSON.stringify([join(folder, 'fonts'), env, '/home/other'])],
        ],
        { env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
      );
    const { FONTCONFIG_FILE: path } = await fontEnv(join(folder, 'fonts'), env, join(cache, 'home'));
    expect((await find(folder)).stdout.trim()).toBe(path);
    await expect(find(cache)).rejects.toMatchObject({ stderr: expect.stringContaining('EROFS') });
  });

  test('renders text with its own font on a machine without fonts, and supports WebGL', async () => {
    const conf = join(cache, 'fonts.conf');
    writeFileSync(conf, fontsConf([join(folder, 'fonts')], join(cache, 'fontconfig')));
    const launched = await puppeteer.launch({
      executablePath: browser.path,
      headless: 'shell',
      env: { ...process.env, ...browser.env, FONTCONFIG_FILE: conf },
      args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
    try {
      const page = await launched.newPage();
      const session = await page.createCDPSession();
      for (const domain of ['DOM.enable', 'CSS.enable'] as const) await session.send(domain);
      for (const family of ['sans-serif', 'serif', 'monospace', 'Arial', 'system-ui', 'Unknown Font']) {
        const pictures: PNG[] = [];
        for (const letter of ['M', 'é']) {
          await page.setContent(`<body style="margin:0"><p style="margin:0;font:60px ${family}">${letter}</p>`);
          const { root } = await session.send('DOM.getDocument');
          const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
          const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
          expect(fonts.map(({ familyName }) => familyName)).toEqual(['Open Sans']);
          const clip = { x: 0, y: 0, width: 80, height: 90 };
          pictures.push(PNG.sync.read(Buffer.from(await page.screenshot({ clip }))));
        }
        // Real glyphs: two letters are not empty and differ, unlike two placeholder boxes.
        for (const picture of pictures) expect(darkPixels(picture)).toBeGreaterThan(200);
        expect(pictures[0]?.data.equals(pictures[1]?.data ?? Buffer.alloc(0))).toBe(false);
      }
      const webGl = () => document.createElement('canvas').getContext('webgl2') !== null;
      expect(await page.evaluate(webGl)).toBe(true);
    } finally {
      await launched.close();
    }
  });
});

function darkPixels({ data }: PNG): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 255) < 100) count++;
  return count;
}
