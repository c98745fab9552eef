// The question after a render with other programs than the pinned ones.
import { beforeEach, expect, test, vi } from 'vitest';
import type { CliStart } from '../../../client/cli/cliEvents.ts';
import { offerPinned } from '../../../client/setup/offerPinned.ts';

const shown = vi.hoisted(() => ({
  messages: [] as string[],
  run: [] as unknown[],
  answer: undefined as string | undefined,
}));
vi.mock('vscode', async () => ({
  ...(await import('../../support/editor/vscodeWords.ts')),
  window: {
    async showInformationMessage(message: string, ...buttons: string[]) {
      shown.messages.push([message, ...buttons].join(' | '));
      return shown.answer;
    },
  },
  commands: { executeCommand: async (...args: unknown[]) => shown.run.push(args) },
  workspace: { getConfiguration: () => ({ get: () => '' }) },
}));

beforeEach(() => Object.assign(shown, { messages: [], run: [], answer: undefined }));

/** The extension on a machine where `framework setup --dry-run` prints these programs. */
function extension(programs: { program: string; status: string; name: string; bytes: number }[]) {
  const stored = new Map<string, unknown>();
  return {
    context: {
      extension: { packageJSON: { version: '0.1.0' } },
      globalState: {
        get: (key: string) => stored.get(key),
        update: async (key: string, value: unknown) => stored.set(key, value),
      },
    },
    host: {
      startCli(_path: string, { args, onOutput }: CliStart) {
        expect(args).toEqual(expect.arrayContaining(['setup', 'browser', 'ffmpeg', '--dry-run']));
        onOutput?.(JSON.stringify({ folder: '/programs', programs }));
        return { status: Promise.resolve(0), cancel: () => undefined, send: () => undefined };
      },
    },
    extensionPath: '/extension',
    log: { warn: (text: string) => expect.fail(text) },
  } as unknown as Parameters<typeof offerPinned>[0];
}

const browser = { program: 'browser', status: 'planned', name: 'Chrome Headless Shell 153', bytes: 119_800_000 };
const ffmpeg = { program: 'ffmpeg', status: 'present', name: 'FFmpeg 8.1', bytes: 0 };

test('offers the pinned programs once, with their size, and installs what is accepted', async () => {
  const services = extension([browser, ffmpeg]);
  shown.answer = 'Download (120 MB)';
  await offerPinned(services);
  await offerPinned(services);
  expect(shown.messages).toEqual([
    'This render used other programs than those with which Framework is tested, so its frames can differ from those of other machines. Download Chrome Headless Shell 153? | Download (120 MB)',
  ]);
  expect(shown.run).toEqual([['framework.setUp', { programs: ['browser'], isConfirmed: true }]]);
});

test('installs nothing without an answer, and asks nothing on a machine that has the pinned ones', async () => {
  await offerPinned(extension([browser, ffmpeg]));
  expect([shown.messages.length, shown.run]).toEqual([1, []]);
  await offerPinned(extension([{ ...browser, status: 'present' }, ffmpeg]));
  expect(shown.messages.length).toBe(1);
});
