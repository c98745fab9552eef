// `framework setup` as a user runs it: the real programs of this machine come from a server in the test, and then render.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import type { SetUpReport } from '../../renderer-core/setup/setupReport.ts';
import { cacheFonts } from '../support/fonts.ts';
import { cliFile } from '../support/program.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { embeddedExecutable } from '../support/renders/ffmpeg.ts';
import { decode } from '../support/renders/video.ts';
import { type Mirror, packBrowser, packProgram, pathOf, publish, startMirror } from '../support/servers/mirror.ts';

/** Browsers that are found without PATH: on a machine with one of these nothing is ever missing. */
const always = ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/opt/microsoft/msedge/msedge'];

let root: string;
let cliCopy: string;
const packed = { browser: '', ffmpeg: '' };

describe.skipIf(process.platform !== 'linux' || always.some((path) => existsSync(path)))('on a bare machine', () => {
  let mirror: Mirror;
  let home: string;
  let into: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'framework-setup-'));
    // Away from node_modules, which carry both programs: what the editor's package is like.
    cliCopy = join(root, 'framework/dist/cli.js');
    mkdirSync(dirname(cliCopy), { recursive: true });
    cpSync(dirname(cliFile), dirname(cliCopy), { recursive: true });
    packed.browser = join(root, 'browser.zip');
    packed.ffmpeg = join(root, 'ffmpeg.gz');
    await packBrowser((await findBrowser({ env: process.env })).path, packed.browser);
    await packProgram(embeddedExecutable(join(root, 'ffmpeg')), packed.ffmpeg);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(async () => {
    mirror = await startMirror();
    onTestFinished(() => mirror.close());
    publish(mirror, packed);
    home = temporaryFolder();
    into = join(home, 'programs');
    // Without npm, fonts cannot be downloaded.
    await cacheFonts({}, home);
  });

  /** The program with nothing on PATH; `onLine` is told each line of standard error. */
  async function framework(args: string[], onLine: (line: string, end: () => void) => void = () => undefined) {
    const env = { HOME: home, PATH: '', FRAMEWORK_BROWSER_MIRROR: mirror.url, FRAMEWORK_FFMPEG_MIRROR: mirror.url };
    const child = spawn(process.execPath, [cliCopy, ...args], {
      env: { ...env, FRAMEWORK_PROGRAMS_DIR: into },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => {
      stderr += data;
      for (const line of String(data).split('\n')) onLine(line, () => child.kill('SIGINT'));
    });
    const [status] = await once(child, 'close');
    return { status, stdout, stderr };
  }
  const left = () => (existsSync(into) ? readdirSync(into) : []);

  test('a render suggests the command, works after it, and doctor shows the source', async () => {
    const folder = project({ 'index.html': composition('<p>Hello</p>', { duration: 0.5 }) });
    const without = await framework(['render', folder, '--json']);
    expect(JSON.parse(without.stdout).error).toMatchObject({
      code: 'browser_not_found',
      hint: expect.stringContaining('framework setup browser'),
    });
    const bare = JSON.parse((await framework(['doctor', '--json'])).stdout);
    expect(bare.rows.filter(({ remedy }: { remedy?: unknown }) => remedy)).toMatchObject([
      { name: 'browser', status: 'missing', remedy: { program: 'browser', bytes: expect.any(Number) } },
      { name: 'ffmpeg', status: 'missing', remedy: { program: 'ffmpeg', bytes: expect.any(Number) } },
    ]);
    const plan = await framework(['setup', '--dry-run']);
    expect(plan.stdout).toMatch(/↓ browser {2}Chrome Headless Shell 153\.0\.8010\.12: \d+ MB to download/);
    expect(left()).toEqual([]);

    const lines: string[] = [];
    const setUp = await framework(['setup', '--json', '--progress=ndjson'], (line) => lines.push(line));
    expect(setUp.status, setUp.stderr).toBe(0);
    const report: SetUpReport = JSON.parse(setUp.stdout);
    expect(report.programs.map(({ program, status, source }) => [program, status, source])).toEqual([
      ['browser', 'downloaded', 'set-up'],
      ['ffmpeg', 'downloaded', 'set-up'],
      ['fonts', 'present', 'set-up'],
    ]);
    expect(lines.join('\n')).toMatch(/"type":"download","program":"browser".*"doneBytes":(\d+),"totalBytes":\1\b/);

    const rendered = await framework(['render', folder, '--json']);
    expect(rendered.status, rendered.stdout).toBe(0);
    expect(await decode(JSON.parse(rendered.stdout).output, 64, 48)).toHaveLength(15);
    const doctor = await framework(['doctor']);
    expect(doctor.stdout).toContain('(downloaded by framework setup)');
    expect(doctor.status, doctor.stdout).toBe(0);
    const again = await framework(['setup']);
    expect(again.stdout).toMatch(/✔ browser {2}.*: already installed \(set-up\)\n✔ ffmpeg /);
    expect(mirror.asked.filter((path) => path === pathOf('browser'))).toHaveLength(1);

    await framework(['setup', 'fonts', '--remove']);
    const withoutFonts = await framework(['render', folder, '--json']);
    expect(withoutFonts.status, withoutFonts.stdout).toBe(0);
    expect(JSON.parse(withoutFonts.stdout)).toMatchObject({
      fonts: null,
      warnings: expect.arrayContaining([
        expect.stringMatching(/^Text uses the fonts of this machine and may differ on others: .* npm was not found/),
      ]),
    });

    const removed = await framework(['setup', '--remove']);
    expect(removed.stdout).toMatch(/✔ browser 153\.0\.8010\.12 removed, \d+ MB\n✔ ffmpeg b6\.1\.1 removed, \d+ B\n/);
    expect(left()).toEqual([]);
  });

  test('two parallel setups share one download', async () => {
    const both = await Promise.all([framework(['setup', '--json']), framework(['setup', '--json'])]);
    expect(both.map(({ status, stderr }) => [status, stderr.includes('error')])).toEqual([
      [0, false],
      [0, false],
    ]);
    expect(mirror.asked.filter((path) => path === pathOf('browser'))).toHaveLength(1);
    expect(mirror.asked.filter((path) => path === pathOf('ffmpeg'))).toHaveLength(1);
    expect(left()).toHaveLength(2);
  });

  test('reports a broken download and still installs the other program', async () => {
    mirror.files.set(pathOf('browser'), { content: { path: packed.browser }, cutAfter: 1_000_000 });
    const { status, stdout } = await framework(['setup', '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'download_failed',
      message: expect.stringContaining('was interrupted'),
    });
    expect(left()).toEqual([expect.stringMatching(/^ffmpeg-/)]);
  });
});
