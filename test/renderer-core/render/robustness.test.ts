// Renders that fail: a clear error, no output, an existing output unchanged, and no files or processes left over.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErrorCode, UserError } from '../../../renderer-core/errors.ts';
import type { RenderEvent } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { renderVideo } from '../../../sdk/renders.ts';
import { mountDisk } from '../../support/devices.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { describeVideo } from '../../support/renders/video.ts';
import { soak } from '../../support/suites.ts';

/** Temporary folder for the renders of this test only. It contains their leftover files, and their processes have it in their environment. */
let scratch = '';
const { TMPDIR } = process.env;
beforeEach(() => {
  scratch = temporaryFolder();
  process.env.TMPDIR = scratch;
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});

type Process = { pid: number; command: string };

/** Processes that the renders of this test have started and that still run. Helper processes of the browser hide their environment. */
function children(): Process[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const processes = all.flatMap((name) => {
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const isOurs = (command + readFileSync(`/proc/${name}/environ`, 'utf8')).includes(scratch);
      return [{ pid: Number(name), parent, command, isOurs }];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  const isOurs = (pid: number): boolean => {
    const found = byPid.get(pid);
    return found !== undefined && (found.isOurs || isOurs(found.parent));
  };
  return processes.filter(({ pid, command }) => pid !== process.pid && command !== '' && isOurs(pid));
}

/** Expects that nothing is left shortly after a render. The browser's helper processes end slightly later than the browser. */
async function expectNothingLeft(): Promise<void> {
  for (let tries = 0; tries < 30 && children().length > 0; tries++) await sleep(100);
  expect(children().map(({ command }) => command.slice(0, 120))).toEqual([]);
  expect(readdirSync(scratch).filter((name) => !name.startsWith('framework-test-'))).toEqual([]);
}

async function failureOf(request: RenderRequest): Promise<UserError> {
  const error = await renderVideo(request).then(
    () => new Error('the render succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw error;
  return error;
}

// The errors of projects are tested in projectErrors.test.ts.
test('leaves nothing after an error of a script during the render', async () => {
  const folder = temporaryFolder();
  const html = composition('<script>setTimeout(() => { throw new Error("late") }, 170)</script>');
  expect(await failureOf({ projectDir: project(html), output: join(folder, 'video.mp4') })).toMatchObject({
    code: 'script_error',
  });
  expect(readdirSync(folder)).toEqual([]);
  await expectNothingLeft();
});

/** Several seconds of frames that all differ, so that the render can be stopped in the middle. */
const long = () =>
  project(
    composition(
      `<canvas id="c" width="640" height="360"></canvas><script>const d = c.getContext('2d'); (function frame(t) { const p = d.createImageData(640, 360);
    for (let i = 0; i < p.data.length; i++) p.data[i] = Math.random() * 256; d.putImageData(p, 0, 0); requestAnimationFrame(frame) })(0)</script>`,
      { width: 640, height: 360, duration: 60 },
    ),
  );

/** Calls `act` once, as soon as some frames are captured. */
function inMidRender(act: () => void): (event: RenderEvent) => void {
  let isDone = false;
  return (event) => {
    if (isDone || event.type !== 'frames' || event.done < 5) return;
    isDone = true;
    act();
  };
}

const kill = (isVictim: (command: string) => boolean) => () => {
  const victims = children().filter(({ command }) => isVictim(command));
  expect(victims).not.toEqual([]);
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
};

const moving = `<p style="background: #f40; animation: go 9s linear both">x</p>
  <style>@keyframes go { to { translate: 40px } }</style>`;

test('reports that graphics ended during the last frames, which are empty', async () => {
  const error = await failureOf({
    projectDir: project(composition(moving, { duration: 0.7 })),
    output: join(temporaryFolder(), 'video.mp4'),
    fps: '30',
    onEvent: inMidRender(kill((command) => command.includes('--type=gpu-process'))),
  });
  expect(error).toMatchObject({
    code: 'browser_failed',
    message: expect.stringMatching(/one of its processes, ended/),
  });
});

describe('a page whose process is killed while it is painted', () => {
  /** Kills the process in the first `times` attempts. */
  async function renderKilled(times: number) {
    let [attempts, last, left] = [0, Number.POSITIVE_INFINITY, times];
    const projectDir = project(composition(moving, { duration: 2 }));
    const output = join(temporaryFolder(), 'video.mp4');
    const onEvent = (event: RenderEvent) => {
      if (event.type !== 'frames') return;
      if (event.done < last) attempts++;
      last = event.done;
      if (event.done < 5 || attempts <= times - left || left === 0) return;
      left--;
      kill((command) => command.includes('--type=renderer'))();
    };
    const { capture, warnings } = await renderVideo({ projectDir, output, fps: '30', onEvent });
    expect(left).toBe(0);
    return { path: capture.path, warnings, bytes: readFileSync(output) };
  }

  test('is painted again: its video has the same bytes', async () => {
    const killed = await renderKilled(1);
    expect(killed).toMatchObject({ path: 'paint', warnings: [] });
    expect(killed).toEqual(await renderKilled(0));
  });

  test('is captured by screenshots when it is killed again, with a warning', async () => {
    expect(await renderKilled(2)).toMatchObject({
      path: 'screenshot',
      warnings: ['Falling back to screenshots, which are slower: the page crashed when it was painted'],
    });
  });
});

describe('reports that a process was killed:', soak, () => {
  test.each<[string, (command: string) => boolean, ErrorCode, RegExp]>([
    [
      'the browser',
      (command) => command.includes('--user-data-dir') && !command.includes('--type='),
      'browser_failed',
      /one of its processes, ended/,
    ],
    ['its page', (command) => command.includes('--type=renderer'), 'page_crashed', /crashed/],
    ['ffmpeg', (command) => command.includes(' -hide_banner'), 'ffmpeg_failed', /killed \(SIGKILL\)/],
  ])('%s', async (_, isVictim, code, message) => {
    const folder = temporaryFolder();
    const error = await failureOf({
      projectDir: long(),
      output: join(folder, 'v.mp4'),
      capture: 'paint',
      onEvent: inMidRender(kill(isVictim)),
    });
    expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringMatching(message) });
    expect(readdirSync(folder)).toEqual([]);
    await expectNothingLeft();
  });
});

test('a page that is killed while it loads is painted, like in a render without this accident', soak, async () => {
  // The script takes 0.4 to 1.5 s of processor time.
  const projectDir = project(
    composition(
      '<p id="p" style="width: 20px; background: #f40">x</p><script>(() => { let n = 0; for (let i = 0; i < 4e8; i++) n = (n + i) | 0; p.title = n })()</script>',
      { duration: 0.2 },
    ),
  );
  const cpuTicks = (pid: number): number => {
    try {
      return Number(/\) \S(?: \S+){10} (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    } catch {
      return 0;
    }
  };
  let killed = 0;
  const timer = setInterval(() => {
    const busy = children().find(({ command, pid }) => command.includes('--type=renderer') && cpuTicks(pid) > 20);
    if (busy === undefined || killed > 0) return;
    killed++;
    process.kill(busy.pid, 'SIGKILL');
  }, 20);
  const output = join(temporaryFolder(), 'v.mp4');
  const { capture, warnings } = await renderVideo({ projectDir, output }).finally(() => clearInterval(timer));
  expect({ killed, path: capture.path, warnings }).toEqual({ killed: 1, path: 'paint', warnings: [] });
});

describe('stops without leftover files when cancelled', () => {
  async function checkAbort(
    request: Partial<RenderRequest>,
    arm: (abort: () => void) => (event: RenderEvent) => void,
  ): Promise<void> {
    const folder = temporaryFolder();
    const output = join(folder, 'v.mp4');
    writeFileSync(output, 'an earlier video');
    const controller = new AbortController();
    const abort = () => controller.abort();
    const error = await failureOf({
      projectDir: long(),
      output,
      signal: controller.signal,
      onEvent: arm(abort),
      ...request,
    });
    expect(error.code).toBe('cancelled');
    expect(readdirSync(folder)).toEqual(['v.mp4']);
    expect(readFileSync(output, 'utf8')).toBe('an earlier video');
    await expectNothingLeft();
  }
  const atStage = (name: string, delay?: number) => (abort: () => void) => (event: RenderEvent) => {
    if (event.type !== 'stage' || event.stage !== name) return;
    if (delay === undefined) abort();
    else setTimeout(abort, delay);
  };
  test('before it starts', () =>
    checkAbort({}, (abort) => {
      abort();
      return () => undefined;
    }));
  test('just before the browser starts', () => checkAbort({}, atStage('launch')));
  test.each([20, 80, 150, 250])('%d ms into the start of the browser', (delay) =>
    checkAbort({}, atStage('launch', delay)));
  test('while the page loads', () => checkAbort({}, atStage('probe', 60)));
  /** The number of pages is reported while the other pages are still being opened. */
  const whenCounted = (abort: () => void) => (event: RenderEvent) => {
    if (event.type === 'stage' && / with \d+ pages? \(/.test(event.message)) abort();
  };
  test('when the number of pages is reported', () => checkAbort({}, whenCounted));
  test('when the number of pages is reported, by screenshots', () =>
    checkAbort({ capture: 'screenshot' }, whenCounted));
  test('during the render', () => checkAbort({}, inMidRender));
  test('during the render by screenshots', () => checkAbort({ capture: 'screenshot' }, inMidRender));
});

describe('reports an output that cannot be written:', () => {
  const page = () => project(composition('<p>x</p>', { duration: 0.1 }));

  test('a folder below a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const error = await failureOf({ projectDir: page(), output: join(folder, 'file', 'v.mp4') });
    expect(error).toMatchObject({ code: 'output_unwritable', message: expect.stringContaining(join(folder, 'file')) });
    await expectNothingLeft();
  });

  test('a folder at the path of the video, and a file at the path of the frames', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'v.mp4'));
    writeFileSync(join(folder, 'frames'), '');
    expect(await failureOf({ projectDir: page(), output: join(folder, 'v.mp4') })).toMatchObject({
      code: 'output_unwritable',
      message: expect.stringContaining('v.mp4'),
    });
    expect(await failureOf({ projectDir: page(), output: join(folder, 'frames'), format: 'png' })).toMatchObject({
      code: 'output_unwritable',
    });
  });

  test('a folder for frames that contains other files, which it keeps', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'thesis.txt'), 'years of work');
    expect(await failureOf({ projectDir: page(), output: folder, format: 'png' })).toMatchObject({
      code: 'output_unwritable',
      message: expect.stringContaining('thesis.txt'),
    });
    expect(readFileSync(join(folder, 'thesis.txt'), 'utf8')).toBe('years of work');
  });

  test('a folder without write permission', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root can write to every folder');
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    expect(await failureOf({ projectDir: page(), output: join(folder, 'v.mp4') })).toMatchObject({
      code: 'output_unwritable',
    });
    chmodSync(folder, 0o700);
  });

  test('a read-only disk', async (context) => {
    const folder = mountDisk(context, 'ro');
    expect(await failureOf({ projectDir: page(), output: join(folder, 'v.mp4') })).toMatchObject({
      code: 'output_unwritable',
      message: expect.stringContaining('read-only'),
    });
    await expectNothingLeft();
  });

  test.for([
    ['the video', 'v.mp4', {}],
    ['a gif', 'v.gif', {}],
    ['the frames', 'frames', { format: 'png' }],
  ] as const)('a full disk, with %s', async ([, name, request], context) => {
    const folder = mountDisk(context, 'size=64k');
    const noise = composition(
      `<canvas id="c" width="320" height="180"></canvas><script>const d = c.getContext('2d'); (function frame() { const p = d.createImageData(320, 180);
      for (let i = 0; i < p.data.length; i++) p.data[i] = Math.random() * 256; d.putImageData(p, 0, 0); requestAnimationFrame(frame) })()</script>`,
      { width: 320, height: 180, duration: 0.3 },
    );
    const error = await failureOf({ projectDir: project(noise), output: join(folder, name), ...request });
    expect(error).toMatchObject({ code: 'disk_full', hint: expect.stringContaining('space') });
    expect(readdirSync(folder)).toEqual([]);
    await expectNothingLeft();
  });

  test('a full temporary folder', async (context) => {
    const folder = mountDisk(context, 'size=256k');
    scratch = folder;
    process.env.TMPDIR = folder;
    const outputs = temporaryFolder();
    const error = await failureOf({ projectDir: page(), output: join(outputs, 'v.mp4') });
    expect(error).toMatchObject({ code: 'disk_full', hint: expect.stringContaining('TMPDIR') });
    expect(readdirSync(outputs)).toEqual([]);
    await expectNothingLeft();
  });
});

test('deletes files that a killed render has left', async () => {
  const folder = temporaryFolder();
  const deadPid = 2 ** 22 + 1;
  mkdirSync(join(scratch, `framework-render-${deadPid}-abc`));
  writeFileSync(join(folder, `.v.mp4.${deadPid}.partial`), 'half a video');
  writeFileSync(join(folder, `.v.mp4.${process.ppid}.partial`), 'of a running process');
  await renderVideo({ projectDir: project(composition('<p>x</p>', { duration: 0.1 })), output: join(folder, 'v.mp4') });
  expect(readdirSync(folder).sort()).toEqual([`.v.mp4.${process.ppid}.partial`, 'v.mp4']);
  expect((await describeVideo(join(folder, 'v.mp4'))).stream).toContain('64x48');
  expect(existsSync(join(scratch, `framework-render-${deadPid}-abc`))).toBe(false);
  await expectNothingLeft();
});

test('renders although the page deletes files of the browser’s storage during the start', async () => {
  const remover = `<p style="color:#fff">seen</p><script>(async () => {
    const folder = await navigator.storage.getDirectory();
    const { port1, port2 } = new MessageChannel();
    const turn = () => new Promise((done) => { port1.onmessage = done; port2.postMessage(0); });
    for (;; await turn()) for await (const name of folder.keys()) await folder.removeEntry(name).catch(() => {});
  })();</script>`;
  const output = join(temporaryFolder(), 'v.mp4');
  // The page deletes the file in time in every second render.
  for (const _ of Array.from({ length: 4 })) {
    const { frames } = await renderVideo({ projectDir: project(composition(remover, { duration: 0.1 })), output });
    expect(frames).toBe(3);
  }
});

test('warns about a video that shows nothing', async () => {
  const output = join(temporaryFolder(), 'out.mp4');
  const { warnings } = await renderVideo({ projectDir: project(composition('')), output, fps: '10' });
  expect(warnings).toEqual(['Frame 7 shows only one color: is something missing from the composition?']);
});
