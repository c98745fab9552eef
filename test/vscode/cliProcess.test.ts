// The command line as a child process of the extension: its events, cancellation, and its end with the parent process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CliEvent } from '../../client/cli/cliEvents.ts';
import { startCli } from '../../client/cli/cliProcess.ts';
import { embeddedExecutable } from '../support/renders/ffmpeg.ts';

/** The files of the extension before they are packed. */
const extension = fileURLToPath(new URL('../../.cache/vsix', import.meta.url));
const composition =
  '<html><body><div data-composition-id="a" data-width="64" data-height="64" data-duration="600"></div></body></html>';

let folder: string;
let ffmpeg: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fw-cli-'));
  ffmpeg = embeddedExecutable(join(folder, 'ffmpeg'));
  await writeFile(join(folder, 'index.html'), composition);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const args = () => ['render', folder, '--variables-file=-', '--progress=ndjson', '--quiet', '--ffmpeg', ffmpeg];

test('ends a render on request and reports it', async () => {
  const events: CliEvent[] = [];
  const run = startCli(extension, {
    args: args(),
    cwd: folder,
    stdin: '{}',
    env: process.env,
    onEvent: (event) => {
      events.push(event);
      if (event.type === 'frames') run.cancel();
    },
    onText: (line) => expect(line).toBe('no text'),
  });
  expect(await run.status).toBe(130);
  expect(events.at(0)).toMatchObject({ type: 'stage' });
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } });
  expect(existsSync(join(folder, 'renders', 'index.mp4'))).toBe(false);
});

test('ends a render when the parent process is killed', async () => {
  const script = join(folder, 'starter.mjs');
  await mkdir(folder, { recursive: true });
  await build({
    stdin: {
      contents: `
        import { startCli } from './client/cli/cliProcess.ts';
        startCli(${JSON.stringify(extension)}, {
          args: ${JSON.stringify(args())}, cwd: ${JSON.stringify(folder)}, stdin: '{}', env: process.env,
          onEvent: ({ type }) => { if (type === 'frames') console.log(type); }, onText() {},
        });`,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
    },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const starter = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(starter.stdout, 'data');
  const [render] = await childrenOf(starter.pid);
  expect(render).toBeGreaterThan(0);
  starter.kill('SIGKILL');
  await waitUntilEnded(render ?? 0);
});

/** Process ids of the children. Works only on Linux. */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const { stdout } = spawn('ps', ['--ppid', String(pid), '-o', 'pid=']);
  const [text] = (await once(stdout, 'data')) as [Buffer];
  return String(text).trim().split(/\s+/).map(Number);
}

async function waitUntilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}
