// The render dialog without its page: command lines, remembered options and estimates.
import { describe, expect, test, vi } from 'vitest';
import { renderShellCommand } from '../../../client/form/renderShellCommand.ts';
import type { RenderEntry } from '../../../client/render/history.ts';
import { renderJob, type VideoChoice, videoArgs } from '../../../client/render/jobArguments.ts';
import { estimate, type PlannedVideo } from '../../../client/renderDialog/estimate.ts';
import {
  colorsOf,
  commandOf,
  dryRunArgs,
  extensionOf,
  keepsAlpha,
  otherOptions,
  type RenderChoice,
  videoOf,
  withExtension,
  withOption,
} from '../../../client/renderDialog/renderChoice.ts';
import { formats, hasAlpha } from '../../../renderer-core/plan/formats.ts';
import { checkOptions } from '../../../renderer-core/plan/options.ts';
import type { CompositionInfo } from '../../../server/protocol.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const video: VideoChoice = {
  format: 'webm',
  quality: 'high',
  fps: '25',
  aspectRatio: '9:16',
  fit: 'contain',
  background: '#123',
  from: '1.5',
  to: '75f',
  captions: 'embed',
  color: '10-bit',
};
const composition: CompositionInfo = {
  uri: 'file:///films/card/index.html',
  path: 'index.html',
  projectUri: 'file:///films/card',
  id: 'main',
  width: 1920,
  height: 1080,
  duration: 9,
  fps: null,
  variables: [],
};
const folder = '/films/card';

describe('command lines', () => {
  test('renders with every option of the dialog', () => {
    const job = renderJob({ composition, folder, values: { title: 'Halo' }, size: video }, 'renders/card.webm');
    expect(job.args.join(' ')).toBe(
      'render /films/card --composition=index.html --variables-file=- --aspect-ratio=9:16 --fit=contain --background=#123 --format=webm --quality=high --bit-depth=10 --fps=25 --from=1.5 --to=75f --captions=embed --output=renders/card.webm --quiet',
    );
    expect(job.stdin).toBe('{"title":"Halo"}');
  });

  test.each([
    [{ color: '10-bit' }, '--codec=h265 --bit-depth=10'],
    [{ format: 'webm', color: '10-bit' }, '--format=webm --bit-depth=10'],
    [{ color: 'pq' }, '--hdr=pq'],
    [{ format: 'mov', color: 'hlg' }, '--format=mov --hdr=hlg'],
  ])('gives %j the options %s', (choice, expected) => expect(videoArgs(choice).join(' ')).toBe(expected));

  const command = (choice: RenderChoice, shell: 'posix' | 'powershell') =>
    renderShellCommand(
      {
        folder,
        composition: 'index.html',
        values: { title: "Ada's" },
        size: videoOf(choice),
        command: commandOf[choice.target].join(' '),
        options: otherOptions(choice, 'renders/card.webm', { region: 'eu-central-1', profile: '', name: 'films' }),
      },
      shell,
    );

  test.each([
    [
      'local',
      "framework render /films/card --composition index.html --format=webm --from=1 --to=2 --output=renders/card.webm --variables '{\"title\":\"Ada'\\''s\"}'",
    ],
    [
      'cloud',
      "framework cloud render /films/card --composition index.html --format=webm --output=renders/card.webm --variables '{\"title\":\"Ada'\\''s\"}'",
    ],
    [
      'aws',
      "framework serverless render /films/card --composition index.html --format=webm --output=renders/card.webm --region=eu-central-1 --stack-name=films --variables '{\"title\":\"Ada'\\''s\"}'",
    ],
  ] as const)('copies the command of a render: %s', (target, expected) => {
    expect(command({ target, video: { format: 'webm', from: '1', to: '2' } }, 'posix')).toBe(expected);
  });

  test('copies a command for PowerShell', () => {
    expect(command({ target: 'cloud', video: {} }, 'powershell')).toBe(
      `'{"title":"Ada''s"}' | framework cloud render /films/card --composition index.html --output=renders/card.webm --variables-file -`,
    );
  });

  test('checks a choice without rendering it', () => {
    const place = { folder, composition: 'index.html', output: 'renders/card.mp4' };
    expect(dryRunArgs({ target: 'local', video: { to: '2' } }, place).join(' ')).toBe(
      'render /films/card --composition=index.html --variables-file=- --to=2 --output=renders/card.mp4 --dry-run',
    );
    expect(dryRunArgs({ target: 'aws', video: { to: '2', fps: '60', color: 'pq' } }, place).join(' ')).toBe(
      'serverless render /films/card --composition=index.html --variables-file=- --fps=60 --dry-run',
    );
  });
});

describe('options', () => {
  test.each([
    ['renders/card.mp4', 'webm', 'renders/card.webm'],
    ['renders/card.mp4', '', 'renders/card'],
    ['renders/card', 'mov', 'renders/card.mov'],
    ['renders/card.v2', 'mp4', 'renders/card.v2.mp4'],
    ['out.dir/.mp4', 'gif', 'out.dir/.mp4.gif'],
  ])('gives %s the extension "%s"', (output, extension, expected) => {
    expect(withExtension(output, extension)).toBe(expected);
  });

  test.each([
    ['mp4', 'mp4', false],
    ['webm', 'webm', true],
    ['mov', 'mov', true],
    ['gif', 'gif', true],
    ['png', '', true],
  ])('knows extension and alpha of %s', (format, extension, alpha) => {
    expect([extensionOf({ format }), keepsAlpha({ format })]).toEqual([extension, alpha]);
  });

  test.each(
    formats.flatMap((format) => colorsOf({ format }).map((color) => [format, color] as const)),
  )('offers only colors that %s can have: %s', (format, color) => {
    const given = videoArgs({ format, color }).map((option) => option.slice(2).split('='));
    const { hdr, codec, 'bit-depth': bitDepth } = Object.fromEntries(given);
    const checked = checkOptions({ format, ...(bitDepth ? { bitDepth: Number(bitDepth) } : { hdr }), codec });
    expect(checked).toMatchObject({ bitDepth: 10, hdr: color === '10-bit' ? null : color });
    expect(keepsAlpha({ format, color })).toBe(hasAlpha(checked));
  });

  test('removes a color that another format cannot have', () => {
    expect(withOption({ color: '10-bit' }, 'format', 'webm')).toEqual({ format: 'webm', color: '10-bit' });
    expect(withOption({ color: 'pq' }, 'format', 'webm')).toEqual({ format: 'webm' });
  });

  test('removes an option with an empty text, and what depends on the aspect ratio with it', () => {
    expect(withOption({ fps: '25' }, 'fps', ' 60 ')).toEqual({ fps: '60' });
    expect(withOption({ fps: '25', to: '2' }, 'fps', ' ')).toEqual({ to: '2' });
    expect(withOption({ aspectRatio: '1:1', fit: 'cover', background: 'red' }, 'aspectRatio', '')).toEqual({});
  });
});

describe('estimates', () => {
  const plan: PlannedVideo = {
    width: 1920,
    height: 1080,
    fps: { num: 30, den: 1 },
    frames: 300,
    duration: 10,
    format: 'mp4',
    quality: 'standard',
  };
  const entry: RenderEntry = {
    id: '1',
    kind: 'render',
    name: 'card',
    composition: composition.uri,
    project: composition.projectUri,
    values: {},
    startedAt: 0,
    state: 'completed',
    output: '/films/card/renders/card.mp4',
    measured: { frames: 150, pixels: 1920 * 1080, bytes: 600_000, elapsedMs: 3000 },
    log: [],
  };
  const local: RenderChoice = { target: 'local', video: {} };
  const of = (entries: RenderEntry[], choice = local, given = plan) =>
    estimate({ choice, plan: given, composition: composition.uri, entries });

  test('uses the newest render with the same format and quality', () => {
    const earlier = { name: 'card.mp4', frames: 150, framesPerSecond: 50, isSameSize: true };
    expect(of([{ ...entry, video: { quality: 'draft' } }, entry])).toEqual({
      time: { amount: 6, basis: { kind: 'earlier', earlier } },
      bytes: { amount: 1_200_000, basis: earlier },
      cost: { amount: 0, basis: { unit: 'free' } },
    });
  });

  test('prefers a render of the same size, and scales one of another size', () => {
    const small = { ...entry, measured: { frames: 150, pixels: 960 * 540, bytes: 100_000, elapsedMs: 1000 } };
    expect(of([small, entry]).bytes?.amount).toBe(1_200_000);
    expect(of([small]).bytes).toMatchObject({ amount: 800_000, basis: { isSameSize: false } });
    expect(of([small]).time?.amount).toBe(8);
  });

  test.each([
    ['no render', []],
    ['a failed render', [{ ...entry, state: 'failed' as const }]],
    ['a render of another composition', [{ ...entry, composition: 'file:///films/other.html' }]],
    ['a render as another format', [{ ...entry, video: { format: 'webm' } }]],
  ])('does not estimate time and size from %s', (_, entries) => {
    expect(of(entries)).toMatchObject({ time: undefined, bytes: undefined });
  });

  test.each([
    ['1080p', 10],
    ['4k', 15],
  ])('estimates the credits of a cloud render at %s', (resolution, amount) => {
    const found = of([entry], { target: 'cloud', video: { resolution } });
    expect(found).toMatchObject({ time: undefined, cost: { amount, basis: { unit: 'credits' } } });
    expect(found.bytes?.amount).toBe(1_200_000);
  });

  test('shows the estimate of the command line for AWS', () => {
    const aws = { chunks: 2, seconds: 39, cost: { usd: 0.0043 }, assumed: { framesPerSecond: 15 } };
    const found = estimate({
      choice: { target: 'aws', video: {} },
      plan,
      composition: composition.uri,
      entries: [],
      aws,
    });
    expect(found).toMatchObject({
      time: { amount: 39, basis: { kind: 'aws', chunks: 2, framesPerSecond: 15 } },
      cost: { amount: 0.0043, basis: { unit: 'usd' } },
    });
  });
});
