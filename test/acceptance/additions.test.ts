// What the product does besides the contract: parts that depend on values, captions, several sizes, rates, streams and sound.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { silence } from '../support/renders/wav.ts';
import { accept, type Check, type Statement } from './acceptance.ts';
import { area, composition } from './pages.ts';
import { frames, video } from './pictures.ts';

const shown = (attributes: string) =>
  area('a', 0, 64, attributes).replace('height:48px', 'height:48px;background:#00ff00');

const written =
  (path: string, text: string): Check =>
  ({ folder }) =>
    expect(readFileSync(join(folder, path), 'utf8')).toBe(text);

const talk = 'WEBVTT\n\n00:00.100 --> 00:00.200\nGood morning\n';

const additions: Statement[] = [
  {
    sentence: 'data-var-if: an element exists only if a variable has a value',
    files: {
      'index.html': composition(shown('data-var-if="badge"'), {
        duration: 0.1,
        variables: [{ id: 'badge', type: 'boolean', label: 'Badge', default: false }],
      }),
    },
    steps: [
      { run: 'render --fps 10 -o without --format png' },
      frames('without', 1, { 0: { '16,24': '#000000' } }),
      { run: `render --fps 10 -o with --format png --variables '{"badge":true}'` },
      frames('with', 1, { 0: { '16,24': '#00ff00' } }),
    ],
  },
  {
    sentence: 'data-captions-src shows the captions of a file, and --captions writes those of the video',
    files: {
      'talk.vtt': talk,
      'index.html': composition(
        '<p data-captions-src="talk.vtt" style="position:absolute;inset:0;margin:0;background:#00ff00"></p>',
        {
          duration: 0.3,
        },
      ).replace(
        '</head>',
        '<style>p:not(:has([data-cue]:not([data-framework-hidden]))) { display: none }</style></head>',
      ),
      'missing.html': composition('<p data-captions-src="tlak.vtt"></p>', { duration: 0.1 }),
    },
    steps: [
      { run: 'render --fps 10 -o frames --format png --captions vtt', creates: ['frames.vtt'] },
      frames('frames', 3, { 0: { '60,40': '#000000' }, 1: { '60,40': '#00ff00' }, 2: { '60,40': '#000000' } }),
      written('frames.vtt', 'WEBVTT\n\n00:00:00.100 --> 00:00:00.200\nGood morning\n'),
      { run: 'render --fps 10 -o out.mp4 --captions embed', creates: ['out.mp4'] },
      { run: 'render --fps 10 -o out.gif --captions embed', exit: 2, prints: ['gif has no track for captions'] },
      {
        run: 'render -c missing.html',
        exit: 1,
        prints: ['missing.html:', 'The file tlak.vtt does not exist, and <p> needs it'],
      },
    ],
  },
  {
    sentence: 'data-sizes: --aspect-ratio uses the layout of a declared size, and --all-sizes renders each',
    files: {
      'index.html': composition(shown('').replace('left:0', 'right:0'), {
        duration: 0.1,
        attributes: 'data-sizes="64x48 48x64"',
      }),
    },
    steps: [
      {
        run: 'render --fps 10 -o out.mp4 --all-sizes --json',
        json: {
          videos: [
            { width: 64, height: 48 },
            { width: 48, height: 64 },
          ],
        },
        creates: ['out-4x3.mp4', 'out-3x4.mp4'],
      },
      video('out-3x4.mp4', '48x64'),
      {
        run: 'render --dry-run --json --aspect-ratio 3:4',
        json: { plan: { width: 48, height: 64, page: { width: 48, height: 64 } } },
      },
    ],
  },
  {
    sentence: '--crf and --bitrate replace the rate of the quality, and --format hls writes a stream',
    files: { 'index.html': composition(shown(''), { duration: 0.2 }) },
    steps: [
      { run: 'render --dry-run --json --crf 30', json: { plan: { crf: 30 } } },
      { run: 'render --dry-run --json --bitrate 4500k', json: { plan: { bitrate: 4_500_000 } } },
      { run: 'render --crf 30 --bitrate 2M', exit: 2, prints: ['--crf and --bitrate cannot be used together'] },
      {
        run: 'render --fps 10 -o stream --format hls',
        creates: ['stream/index.m3u8', 'stream/init.mp4', 'stream/segment-0000.m4s'],
      },
      {
        run: 'render --resume --fps 10 -o out.mp4',
        prints: ['The render starts from the beginning'],
        creates: ['out.mp4'],
      },
    ],
  },
  {
    sentence: 'framework check looks at what is shown, and framework sounds lists what is heard',
    files: {
      'sound.wav': silence(0.5),
      'index.html': composition(
        '<p style="margin:0;font-size:16px;color:#222">Too dark to read</p><audio src="sound.wav" data-start="0"></audio>',
        { duration: 1 },
      ),
    },
    steps: [
      { run: 'check --json', json: { counts: { error: 0 }, durationSeconds: 1 } },
      { run: 'check', prints: ['low-contrast'] },
      { run: 'sounds --json', json: { durationSeconds: 1, mix: { loudness: null } } },
    ],
  },
];

accept(additions);
