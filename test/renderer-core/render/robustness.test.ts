// Renders that fail: a clear error, no output, an existing output unchanged, and no files or processes left over.
// Longer than most files: all failures are in one list, and they share the check for leftover files and processes.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ErrorCode, UserError } from '../../../renderer-core/errors.ts';
import { renderVideo } from '../../../renderer-core/render/pipeline.ts';
import type { RenderEvent } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { describeVideo } from '../../support/video.ts';

type Files = Parameters<typeof project>[0];

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

type Failure = { code: ErrorCode; message: RegExp; place?: string; request?: Partial<RenderRequest> };

/** Renders `files` into a folder with an existing output. Checks the error, and that this output is unchanged. */
async function check(files: Files, { code, message, place, request }: Failure): Promise<void> {
  const folder = temporaryFolder();
  const output = join(folder, 'video.mp4');
  writeFileSync(output, 'an earlier video');
  const error = await failureOf({ projectDir: project(files), output, ...request });
  const at = error.place && [error.place.file, error.place.line].filter((part) => part !== undefined).join(':');
  expect({ code: error.code, message: error.message, place: at }).toEqual({
    code,
    message: expect.stringMatching(message),
    place,
  });
  expect(error.hint).toMatch(/\.$/);
  expect(readdirSync(folder)).toEqual(['video.mp4']);
  expect(readFileSync(output, 'utf8')).toBe('an earlier video');
  await expectNothingLeft();
}

const host = (path: string) => `<div data-composition-src="${path}"></div>`;
/** The body of `composition` starts on line 4. */
const bodyLine = 4;

describe('reports an error in the project:', () => {
  test.each<[string, Files, Failure]>([
    ['a missing entry', { 'other.html': '' }, { code: 'composition_not_found', message: /index\.html/ }],
    [
      'a missing embedded file',
      composition(`\n${host('scenes/intro.html')}`),
      { code: 'composition_invalid', message: /scenes\/intro\.html/, place: `index.html:${bodyLine + 1}` },
    ],
    [
      'an empty embedded file',
      { 'index.html': composition(host('intro.html')), 'intro.html': ' \n' },
      { code: 'composition_invalid', message: /intro\.html is empty/, place: `index.html:${bodyLine}` },
    ],
    [
      'a circular embedding',
      {
        'index.html': composition(host('a.html')),
        'a.html': `<div data-composition-id="a">${host('b.html')}</div>`,
        'b.html': `<div data-composition-id="b">\n${host('a.html')}</div>`,
      },
      { code: 'composition_invalid', message: /a\.html → b\.html → a\.html/, place: 'b.html:2' },
    ],
    [
      'an unknown duration',
      composition('<p>x</p>', { duration: null }),
      { code: 'no_duration', message: /no duration/, place: 'index.html' },
    ],
    [
      'a start relative to a missing clip',
      composition('\n<i data-start="intor"></i><i id="intro" data-start="0" data-duration="1"></i>'),
      { code: 'timing_invalid', message: /"intor".*"intro"/, place: `index.html:${bodyLine + 1}` },
    ],
    [
      'clips whose starts depend on each other',
      composition('<i id="a" data-start="b" data-duration="1"></i>\n<i id="b" data-start="a" data-duration="1"></i>'),
      { code: 'timing_invalid', message: /a.* → .*b/, place: `index.html:${bodyLine}` },
    ],
    [
      'a clip that a script adds relative to a missing clip',
      composition(`<div id="x"></div><script>x.innerHTML = '<i data-start="gone"></i>'</script>`),
      { code: 'timing_invalid', message: /"gone"/, place: 'index.html' },
    ],
    [
      'a value of the wrong type with strictVariables',
      composition('', { variables: [{ id: 'n', type: 'number', label: 'N', default: 1 }] }),
      {
        code: 'variables_invalid',
        message: /"n" must be a number/,
        place: 'index.html:2',
        request: { variables: { n: 'x' }, strictVariables: true },
      },
    ],
  ])('%s', (_, files, failure) => check(files, failure));
});

describe('reports a missing file:', () => {
  const missing = (place?: string): Failure => ({
    code: 'asset_missing',
    message: /gone\.(png|js|css|woff2)/,
    ...(place ? { place } : {}),
  });
  test.each<[string, Files, Failure]>([
    ['an image', composition('\n<img src="in/gone.png">'), missing(`index.html:${bodyLine + 1}`)],
    [
      'a background',
      composition('<style>\n#root { background: url("gone.png") }</style>'),
      missing(`index.html:${bodyLine + 1}`),
    ],
    ['a script', composition('<script src="gone.js"></script>'), missing(`index.html:${bodyLine}`)],
    ['a style sheet', composition('', { head: '<link rel="stylesheet" href="gone.css">' }), missing('index.html:2')],
    [
      'an unused font',
      composition('<style>@font-face{font-family:F;src:url(gone.woff2)}</style>'),
      missing(`index.html:${bodyLine}`),
    ],
    [
      'an image of an embedded file',
      {
        'index.html': composition(host('in/a.html')),
        'in/a.html': '<div data-composition-id="a">\n<img src="gone.png"></div>',
      },
      missing('in/a.html:2'),
    ],
    [
      'an image in a style sheet',
      {
        'index.html': composition('', { head: '<link rel="stylesheet" href="in/a.css">' }),
        'in/a.css': '#root{background:url(gone.png)}',
      },
      missing('in/a.css:1'),
    ],
    [
      'an image that a script adds later',
      composition(
        '<script>setTimeout(() => { document.body.append(Object.assign(new Image(), { src: "gone.png" })) }, 500)</script>',
      ),
      missing(),
    ],
  ])('%s', (_, files, failure) => check(files, failure));
});

describe('reports an error in a script', () => {
  const failing = (message: RegExp, place: string): Failure => ({ code: 'script_error', message, place });
  const embed = (script: string) => ({
    'index.html': composition(host('in/a.html')),
    'in/a.html': `<div data-composition-id="a">\n<script>\n${script}\n</script></div>`,
  });
  test.each<[string, Files, Failure]>([
    [
      'while the page loads',
      composition('<script>\n\nthrow new Error("boom")</script>'),
      failing(/boom/, `index.html:${bodyLine + 2}`),
    ],
    [
      'in a separate file',
      { 'index.html': composition('<script src="in/a.js"></script>'), 'in/a.js': '// one\nundefinedFunction()' },
      failing(/undefinedFunction/, 'in/a.js:2'),
    ],
    ['in an embedded file', embed('\nnull.x'), failing(/null/, 'in/a.html:4')],
    ['in the syntax of an embedded file', embed('const = 1'), failing(/SyntaxError/, 'in/a.html:3')],
    [
      'during the render',
      composition('<script>setTimeout(() => {\nthrow new Error("late") }, 170)</script>'),
      failing(/late/, `index.html:${bodyLine + 1}`),
    ],
    [
      'of an embedded file during the render',
      embed(
        'requestAnimationFrame(function frame(t) {\nif (t > 170) throw new Error("late"); requestAnimationFrame(frame) })',
      ),
      failing(/late/, 'in/a.html:4'),
    ],
    [
      'in a promise',
      composition('<script>(async () => {\nawait null; throw new Error("async boom") })()</script>'),
      failing(/async boom/, `index.html:${bodyLine + 1}`),
    ],
    [
      'while a timeline is seeked',
      composition(
        '<script>window.__timelines.main = { pause() {}, duration: () => 1,\ntotalTime() { throw new Error("no time") } }</script>',
      ),
      failing(/no time/, `index.html:${bodyLine + 1}`),
    ],
  ])('%s', (_, files, failure) => check(files, failure));
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

describe('reports that a process was killed:', () => {
  const kill = (isVictim: (command: string) => boolean) => () => {
    const victims = children().filter(({ command }) => isVictim(command));
    expect(victims).not.toEqual([]);
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  };
  test.each<[string, (command: string) => boolean, ErrorCode, RegExp]>([
    [
      'the browser',
      (command) => command.includes('--user-data-dir') && !command.includes('--type='),
      'browser_failed',
      /browser exited/,
    ],
    ['its page', (command) => command.includes('--type=renderer'), 'page_crashed', /crashed/],
    ['ffmpeg', (command) => /ffmpeg\S* -hide_banner/i.test(command), 'ffmpeg_failed', /killed \(SIGKILL\)/],
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

describe('stops without leftover files when cancelled', () => {
  async function checkAbort(
    request: Partial<RenderRequest>,
    arm: (abort: () => void) => (event: RenderEvent) => void,
  ): Promise<void> {
    const folder = temporaryFolder();
    const output = join(folder, 'v.mp4');
    writeFileSync(output, 'an earlier video');
    const controller = new AbortController();
    let abortedAt = Number.NaN;
    const abort = () => {
      abortedAt = performance.now();
      controller.abort();
    };
    const error = await failureOf({
      projectDir: long(),
      output,
      signal: controller.signal,
      onEvent: arm(abort),
      ...request,
    });
    expect(error.code).toBe('cancelled');
    expect(performance.now() - abortedAt).toBeLessThan(5000);
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

  /** Mounts a new file system. Undefined if this user may not mount one. */
  function mount(options: string): string | undefined {
    const folder = temporaryFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    onTestFinished(() => void execFileSync('umount', ['-l', folder]));
    return folder;
  }

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

  test('a read-only disk', async ({ skip }) => {
    const folder = mount('ro');
    if (folder === undefined) return skip('mounting a file system is not allowed here');
    expect(await failureOf({ projectDir: page(), output: join(folder, 'v.mp4') })).toMatchObject({
      code: 'output_unwritable',
      message: expect.stringContaining('read-only'),
    });
    await expectNothingLeft();
  });

  test.each([
    ['the video', 'v.mp4', {}],
    ['a gif', 'v.gif', {}],
    ['the frames', 'frames', { format: 'png' }],
  ])('a full disk, with %s', async (_, name, request) => {
    const folder = mount('size=64k');
    if (folder === undefined)
      return expect.soft(process.getuid?.(), 'mounting a file system is not allowed here').not.toBe(0);
    const noise = composition(
      `<canvas id="c" width="320" height="180"></canvas><script>const d = c.getContext('2d'); (function frame() { const p = d.createImageData(320, 180);
      for (let i = 0; i < p.data.length; i++) p.data[i] = Math.random() * 256; d.putImageData(p, 0, 0); requestAnimationFrame(frame) })()</script>`,
      { width: 320, height: 180, duration: 1 },
    );
    const error = await failureOf({ projectDir: project(noise), output: join(folder, name), ...request });
    expect(error).toMatchObject({ code: 'disk_full', hint: expect.stringContaining('space') });
    expect(readdirSync(folder)).toEqual([]);
    await expectNothingLeft();
  });

  test('a full temporary folder', async ({ skip }) => {
    const folder = mount('size=256k');
    if (folder === undefined) return skip('mounting a file system is not allowed here');
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

describe('warns', () => {
  const warnings = async (files: Files): Promise<string[]> => {
    const { warnings } = await renderVideo({
      projectDir: project(files),
      output: join(temporaryFolder(), 'out.mp4'),
      fps: '10',
    });
    return warnings;
  };
  const body = '<p style="color:#fff">seen</p>';
  test.each<[string, string, string[]]>([
    ['about nothing if there are no problems', composition(body), []],
    [
      'about a video that shows nothing',
      composition(''),
      ['Frames 1, 5, 8 show only one color: is something missing from the composition?'],
    ],
    [
      'about a value and a declaration that are not used',
      composition(body, { variables: [{ id: 'n', type: 'object' }] }),
      [
        'index.html:2:53: Invalid declaration: Unknown variable type "object"; use one of string, number, color, boolean, enum',
      ],
    ],
  ])('%s', async (_, html, expected) => {
    expect(await warnings(html)).toEqual(expected);
  });
});
