// Failed requests to the language server are reported; they must not look like "not a composition".
import { beforeEach, expect, test, vi } from 'vitest';
import { createActiveComposition } from '../../../client/compositions/activeComposition.ts';
import { resultOrLog, resultOrMessage } from '../../../client/language/serverResult.ts';

const { showWarningMessage, executeCommand } = vi.hoisted(() => ({
  showWarningMessage: vi.fn(async (_message: string, ..._buttons: string[]): Promise<string | undefined> => undefined),
  executeCommand: vi.fn(async (_command: string) => undefined),
}));

vi.mock('vscode', async () => {
  const none = () => ({ dispose: () => undefined });
  class TabInputText {
    readonly uri = 'file:///p/index.html';
  }
  const activeTab = { input: new TabInputText() };
  return {
    ...(await import('../../support/editor/vscodeWords.ts')),
    commands: { executeCommand },
    window: {
      showWarningMessage,
      tabGroups: { activeTabGroup: { activeTab }, onDidChangeTabs: none, onDidChangeTabGroups: none },
    },
    workspace: { onDidChangeTextDocument: none },
    EventEmitter: class {
      event = none;
      fire = () => undefined;
      dispose = () => undefined;
    },
    TabInputText,
  };
});

beforeEach(() => vi.clearAllMocks());

const logged = () => {
  const lines: string[] = [];
  return { lines, error: (line: string) => void lines.push(line) };
};

test('returns the result of a request, also when it is null', async () => {
  expect(await resultOrMessage(Promise.resolve(null), logged())).toBeNull();
  expect(await resultOrLog(Promise.resolve('x'), logged())).toBe('x');
  expect(showWarningMessage).not.toHaveBeenCalled();
});

test('logs and shows a failed request, and offers to restart the server', async () => {
  showWarningMessage.mockResolvedValueOnce('Restart Language Server');
  const log = logged();
  expect(await resultOrMessage(Promise.reject(new Error('It stopped.')), log)).toBeUndefined();
  expect(log.lines).toEqual(['A request to the language server failed: It stopped.']);
  expect(showWarningMessage).toHaveBeenCalledWith(
    'The language server did not respond: It stopped.',
    'Restart Language Server',
  );
  expect(executeCommand).toHaveBeenCalledWith('framework.restartServer');
});

test('logs a failed request in the background without a message', async () => {
  const log = logged();
  expect(await resultOrLog(Promise.reject(new Error('It stopped.')), log)).toBeUndefined();
  expect(log.lines).toEqual(['A request to the language server failed: It stopped.']);
  expect(showWarningMessage).not.toHaveBeenCalled();
});

test('logs an error of the active composition and keeps the last composition', async () => {
  const log = logged();
  const composition = { uri: 'file:///p/index.html' };
  const request = vi.fn().mockResolvedValueOnce(composition).mockRejectedValue(new Error('It stopped.'));
  const active = createActiveComposition({ request }, log);
  active.refresh();
  await new Promise((done) => setTimeout(done, 0));
  expect(active.current()).toBe(composition);
  active.refresh();
  await vi.waitFor(() => expect(log.lines).toHaveLength(1));
  expect(log.lines[0]).toContain('file:///p/index.html could not be read: Error: It stopped.');
  expect(active.current()).toBe(composition);
  active.dispose();
});
