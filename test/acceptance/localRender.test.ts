// The options of `framework render`: formats, sizes, outputs and exit statuses.
import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { createDevice, createPipe } from '../support/devices.ts';
import { boxNames, indexIsFirst } from '../support/renders/movieBoxes.ts';
import { silence } from '../support/renders/wav.ts';
import { accept, type Check, framework, type Statement, start } from './acceptance.ts';
import { area, composition } from './pages.ts';
import { frames, image, video } from './pictures.ts';

const green = area('a', 0, 64, '').replace('height:48px', 'height:48px;background:#00ff00');
const page = { 'index.html': composition(green, { duration: 0.2 }) };
const square = { 'index.html': composition(green, { height: 64, duration: 0.2 }) };
const plan = (options: string, expected: object) => ({
  run: `render --dry-run --json ${options}`,
  json: { plan: expected },
});
const refused = (options: string, ...prints: (string | RegExp)[]) => ({ run: `render ${options}`, exit: 2, prints });

const defaults: Statement[] = [
  {
    sentence:
      'Defaults: fps from the root data-fps, else 30; quality standard; format from the extension of the output, else mp4',
    files: { ...page, 'fast.html': composition('', { attributes: 'data-fps="50"' }) },
    steps: [
      plan('', { fps: { num: 30, den: 1 }, quality: 'standard', format: 'mp4' }),
      plan('-c fast.html', { fps: { num: 50, den: 1 } }),
      plan('-c fast.html --fps 25', { fps: { num: 25, den: 1 } }),
      plan('-o out.webm', { format: 'webm' }),
      plan('-o out.mov', { format: 'mov' }),
      plan('-o out.gif', { format: 'gif' }),
    ],
  },
  {
    sentence: 'Output: renders/<composition>.<ext>',
    files: { 'intro.html': composition(green, { duration: 0.1 }) },
    steps: [
      { run: 'render -c intro.html', creates: ['renders/intro.mp4'] },
      { run: 'render -c intro.html --format gif', creates: ['renders/intro.gif'] },
    ],
  },
];

const formats: Statement[] = [
  {
    sentence: 'Formats: mp4, webm (alpha), mov (ProRes 4444, alpha), gif, png (a directory of frames)',
    files: {
      'index.html': composition(area('a', 0, 32, '').replace('height', 'background:#00ff00;height'), {
        duration: 0.2,
      }).replace('background:#000', ''),
    },
    steps: [
      { run: 'render --fps 10 -o out.mp4' },
      video('out.mp4', '64x48', { stream: /^h264/, frames: 2, first: { '16,24': '#00ff00', '48,24': '#ffffff' } }),
      { run: 'render --fps 10 -o out.webm' },
      video('out.webm', '64x48', { stream: /^vp9/, alpha: true, frames: 2, first: { '16,24': '#00ff00' } }),
      { run: 'render --fps 10 -o out.mov' },
      video('out.mov', '64x48', { stream: /^prores \(4444\).*yuva444p/, frames: 2 }),
      { run: 'render --fps 10 -o out.gif' },
      video('out.gif', '64x48', { stream: /^gif/, frames: 2 }),
      { run: 'render --fps 10 -o frames --format png' },
      frames('frames', 2, { 1: { '16,24': '#00ff00' } }),
    ],
  },
  {
    sentence: '--codec: h264 (default for mp4), h265, av1, vp9 (default for webm), prores (default for mov)',
    files: square,
    steps: [
      plan('-o a.mp4', { codec: 'h264' }),
      plan('-o a.webm', { codec: 'vp9' }),
      plan('-o a.mov', { codec: 'prores' }),
      plan('-o a.mp4 --codec h265', { codec: 'h265' }),
      plan('-o a.mp4 --codec av1', { codec: 'av1' }),
      { run: 'render -o h264.mov --codec h264' },
      video('h264.mov', '64x64', { stream: /^h264/ }),
    ],
  },
  {
    sentence:
      'A pair of codec and container that the container cannot hold is a usage error that names the allowed ones',
    files: page,
    steps: [
      refused('--codec vp9 -o a.mp4', 'vp9', 'h264', 'h265', 'av1'),
      refused('--codec h264 -o a.webm', 'h264', 'vp9', 'av1'),
      refused('--codec av1 -o a.mov', 'av1', 'prores', 'h264'),
    ],
  },
  {
    sentence: '--hdr gives 10-bit BT.2020 PQ HEVC in mp4',
    files: square,
    steps: [
      { run: 'render --hdr -o hdr.mp4' },
      video('hdr.mp4', '64x64', { stream: /^hevc \(Main 10\).*yuv420p10le\(.*bt2020nc\/bt2020\/smpte2084/ }),
      refused('--hdr -o hdr.webm', '--hdr', 'mp4'),
    ],
  },
  {
    sentence: 'All mp4 files have their index at the front (faststart)',
    files: {
      'index.html': composition('<audio src="tone.wav" data-start="0"></audio>', { height: 64, duration: 0.2 }),
      'tone.wav': silence(0.2),
    },
    steps: [
      { run: 'render -o sound.mp4' },
      ({ folder }) => expect(indexIsFirst(readFileSync(join(folder, 'sound.mp4')))).toBe(true),
    ],
  },
  {
    sentence: 'If a codec drops alpha, there is a warning',
    files: {
      'index.html': composition('', { duration: 0.1 }).replace('background:#000', 'background:transparent'),
    },
    steps: [{ run: 'render -o a.mov --codec h264', prints: [/warning: .*(alpha|transparen)/i] }],
  },
];

const sizes: Statement[] = [
  {
    sentence: "Without size options a local render keeps the composition's own size",
    files: page,
    steps: [plan('', { width: 64, height: 48 })],
  },
  {
    sentence:
      '--resolution 1080p or 4k: the shorter side is 1080 for 1080p and 2160 for 4k; --width or --height: the other follows from the aspect ratio',
    files: { ...page, 'tall.html': composition('', { width: 48, height: 64 }) },
    steps: [
      plan('--resolution 1080p', { width: 1440, height: 1080 }),
      plan('--resolution 4k', { width: 2880, height: 2160 }),
      plan('-c tall.html --resolution 1080p', { width: 1080, height: 1440 }),
      plan('--width 128', { width: 128, height: 96 }),
      plan('--height 96', { width: 128, height: 96 }),
    ],
  },
  {
    sentence: 'The same size options exist for render, snapshot, batch, cloud, serverless and SDK',
    files: { ...page, 'rows.json': '[{}]' },
    steps: [
      { run: 'render -o out.mp4 --width 128' },
      video('out.mp4', '128x96', { first: { '64,48': '#00ff00' } }),
      { run: 'snapshot --at 0 -o shot.png --width 128' },
      image('shot.png', '128x96', { '64,48': '#00ff00' }),
      { run: 'render --batch rows.json -o row-{index}.mp4 --height 96' },
      video('row-0.mp4', '128x96'),
      {
        run: 'cloud render --help',
        prints: ['--resolution', '--width', '--height', '--aspect-ratio', '--fit', '--background'],
      },
      {
        run: 'serverless render --help',
        prints: ['--resolution', '--width', '--height', '--aspect-ratio', '--fit', '--background'],
      },
    ],
  },
  {
    sentence:
      '--aspect-ratio, and --fit contain, cover or stretch (default contain), gives any composition the requested aspect ratio: it is laid out at its own size and scaled',
    files: {
      'index.html': composition(green.replace('width:64px', 'width:32px').replace('left:0px', 'left:16px')),
    },
    steps: [
      ...['contain', 'cover', 'stretch'].map((fit) => ({
        run: `snapshot --at 0 -o ${fit}.png --aspect-ratio 2:1 --height 48 --fit ${fit}`,
      })),
      { run: 'snapshot --at 0 -o default.png --aspect-ratio 2:1 --height 48' },
      image('contain.png', '96x48', { '28,24': '#000000', '36,24': '#00ff00', '60,24': '#00ff00', '68,24': '#000000' }),
      image('default.png', '96x48', { '28,24': '#000000', '36,24': '#00ff00', '60,24': '#00ff00', '68,24': '#000000' }),
      image('cover.png', '96x48', { '20,24': '#000000', '28,24': '#00ff00', '68,24': '#00ff00', '76,24': '#000000' }),
      image('stretch.png', '96x48', { '20,24': '#000000', '28,24': '#00ff00', '68,24': '#00ff00', '76,24': '#000000' }),
    ],
  },
  {
    sentence: "The rest is filled with --background (default: the page's background, else black)",
    files: {
      'index.html': composition(green).replace('background:#000', 'background:#0000ff'),
      'plain.html': composition(green).replace('background:#000', ''),
    },
    steps: [
      { run: 'snapshot --at 0 -o page.png --aspect-ratio 2:1 --height 48' },
      image('page.png', '96x48', { '4,24': '#0000ff', '48,24': '#00ff00' }),
      { run: 'snapshot --at 0 -o given.png --aspect-ratio 2:1 --height 48 --background #ff0000' },
      image('given.png', '96x48', { '4,24': '#ff0000', '48,24': '#00ff00' }),
      { run: 'render -o plain.mp4 -c plain.html --aspect-ratio 2:1 --height 48' },
      video('plain.mp4', '96x48', { first: { '4,24': '#000000', '48,24': '#00ff00' } }),
    ],
  },
  {
    sentence: 'Without --aspect-ratio, a composition renders in its own aspect ratio, whatever it is',
    files: { 'index.html': composition(green, { width: 70, height: 30, duration: 0.1 }) },
    steps: [{ run: 'render -o out.mp4' }, video('out.mp4', '70x30')],
  },
];

const toStandardOutput: Check = async (place) => {
  const { status, stdout } = await framework(['render', '-o', '-', '--fps', '10'], place);
  expect([status, /ftyp.*moov.*moof.*mdat/s.test(stdout)]).toEqual([0, true]);
};

const throughPipe: Check = async (place) => {
  const pipe = createPipe(place.context, place.folder);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
  const written = buffer(reader.stdout);
  const { status } = await framework(['render', '-o', 'pipe'], place);
  if (status !== 0) reader.kill();
  expect([status, boxNames(await written)[0], lstatSync(pipe).isFIFO()]).toEqual([0, 'ftyp', true]);
};

const intoDevice: Check = async (place) => {
  const device = createDevice(place.context, place.folder, 'null');
  const { status } = await framework(['render', '-o', device], place);
  expect([status, lstatSync(device).isCharacterDevice()]).toEqual([0, true]);
};

const outputs: Statement[] = [
  {
    sentence: '-o - writes to standard output; mp4 is then fragmented',
    files: page,
    steps: [toStandardOutput, { run: 'lint', leavesOut: ['-', 'renders'] }],
  },
  {
    sentence: 'Devices and pipes are written to, never replaced',
    files: page,
    steps: [throughPipe, intoDevice],
  },
  {
    sentence: 'For a symbolic link, the target is replaced, not the link',
    files: page,
    steps: [
      ({ folder }) => symlinkSync('real.mp4', join(folder, 'link.mp4')),
      { run: 'render -o link.mp4', creates: ['real.mp4'] },
      video('real.mp4', '64x48'),
      ({ folder }) => expect(lstatSync(join(folder, 'link.mp4')).isSymbolicLink()).toBe(true),
    ],
  },
  {
    sentence: 'An extension that contradicts --format is a usage error',
    files: page,
    steps: [refused('-o a.mp4 --format webm', 'mp4', 'webm'), { run: 'snapshot -o a.mp4', exit: 2, prints: ['.png'] }],
  },
];

const cancelled =
  (...options: string[]): Check =>
  async (place) => {
    const { child, done } = start(['render', '-o', 'out.mp4', '--progress', 'ndjson', ...options], place);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    expect((await done).status).toBe(130);
    expect(readdirSync(place.folder)).toEqual(['index.html']);
  };

const statuses: Statement[] = [
  {
    sentence: 'Exit status: 0 done, 1 failed, 2 usage; the same with --json',
    files: { ...page, 'broken.html': composition('<img src="gone.png">') },
    steps: ['', ' --json'].flatMap((json) => [
      { run: `render -o out.mp4${json}` },
      { run: `render -c broken.html${json}`, exit: 1 },
      { run: `render --quality best${json}`, exit: 2 },
    ]),
  },
  {
    sentence: 'Exit status: 130 cancelled',
    files: { 'index.html': composition(green, { duration: 60 }) },
    steps: [cancelled(), cancelled('--json')],
  },
  {
    sentence: 'Options are validated before files: an invalid option exits with 2, whatever is wrong with the project',
    files: {},
    steps: [
      { run: 'render --fps 0', exit: 2, prints: ['fps must be'] },
      { run: 'render missing --resolution 9k', exit: 2, prints: ['unknown resolution "9k"'] },
      { run: 'render', exit: 1, prints: ['index.html'] },
    ],
  },
];

accept([...defaults, ...formats, ...sizes, ...outputs, ...statuses]);
