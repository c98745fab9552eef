// What the preview process hears of edits: when it is told of a save, and when of an unsaved text.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { followEdits } from '../../../client/preview/editSync.ts';
import type { ToProcess } from '../../../preview/messages.ts';

type Listener = (event: unknown) => void;
const { editor, uri } = vi.hoisted(() => ({
  editor: { reload: 'onSave', listeners: new Map<string, (event: unknown) => void>() },
  uri: (path: string) => ({ scheme: 'file', authority: '', path }),
}));

vi.mock('vscode', () => {
  const on = (name: string) => (listener: Listener) => editor.listeners.set(name, listener);
  return {
    Uri: { parse: uri },
    RelativePattern: class {},
    Disposable: Object.assign(class {}, { from() {} }),
    workspace: {
      textDocuments: [],
      getConfiguration: () => ({ get: () => editor.reload }),
      createFileSystemWatcher: () => ({ onDidChange() {}, onDidCreate() {}, onDidDelete() {} }),
      onDidChangeTextDocument: on('edit'),
      onDidSaveTextDocument: on('save'),
      onDidCloseTextDocument: on('close'),
      onDidChangeConfiguration: on('configuration'),
    },
  };
});

/** What is sent after some steps that follow each other at once. */
function sentAfter(...steps: ('type' | 'save' | 'undo')[]): ToProcess[] {
  const sent: ToProcess[] = [];
  followEdits({ projectUri: '/w', send: (message: ToProcess) => sent.push(message) } as never);
  const document = { uri: uri('/w/index.html'), isDirty: false, getText: () => 'typed' };
  for (const step of steps) {
    document.isDirty = step === 'type';
    const event = step === 'save' ? document : { document, contentChanges: ['x'] };
    editor.listeners.get(step === 'save' ? 'save' : 'edit')?.(event);
  }
  vi.runAllTimers();
  return sent;
}

const typed = { type: 'text', path: 'index.html', text: 'typed' };
const onDisk = { type: 'text', path: 'index.html', text: null };
const changed = { type: 'changed', path: 'index.html' };

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test('tells of a save after which a key is pressed at once, with reload on save', () => {
  editor.reload = 'onSave';
  expect(sentAfter('type', 'save', 'type')).toEqual([onDisk, changed]);
  expect(sentAfter('type')).toEqual([]);
  // The edit may have been one of the preview, which is shown before it is saved.
  expect(sentAfter('undo')).toEqual([onDisk]);
});

test('sends only the last text while typing is shown', () => {
  editor.reload = 'onType';
  expect(sentAfter('type', 'save', 'type')).toEqual([typed]);
  expect(sentAfter('type', 'save')).toEqual([onDisk, changed]);
});
