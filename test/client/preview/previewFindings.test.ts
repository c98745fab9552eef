// Which findings of a check the preview of a composition draws, and until when.
import { beforeEach, expect, test, vi } from 'vitest';
import { createPreviewFindings, type PreviewFindings } from '../../../client/preview/previewFindings.ts';
import type { ToPage } from '../../../preview/messages.ts';
import type { CheckFinding } from '../../../renderer-core/check/checkReport.ts';
import type { CompositionInfo } from '../../../server/protocol.ts';
import { Uri } from '../../support/editor/vscodeUris.ts';

type Listener = (event: unknown) => void;
const listeners = vi.hoisted(() => new Map<string, (event: unknown) => void>());

vi.mock('vscode', async () => {
  const on = (name: string) => (listener: Listener) => listeners.set(name, listener);
  return {
    ...(await import('../../support/editor/vscodeUris.ts')),
    RelativePattern: class {},
    Disposable: { from: () => ({ dispose() {} }) },
    workspace: {
      createFileSystemWatcher: () => ({
        onDidChange: on('file'),
        onDidCreate() {},
        onDidDelete() {},
        dispose() {},
      }),
      onDidChangeTextDocument: on('edit'),
    },
  };
});

const composition = { uri: 'file:///w/a.html', projectUri: 'file:///w', width: 640, height: 360 } as CompositionInfo;
const found = (rule: string, row: number | null) => ({ rule, row }) as CheckFinding;
const all = [found('low-contrast', null), found('text-cut', 1), found('text-overlap', 1), found('more-lines', 2)];
const changeValues = () => listeners.get('values')?.(Uri.parse(composition.uri));

let findings: PreviewFindings;
let drawn: string[];

beforeEach(() => {
  drawn = [];
  const preview = {
    composition: () => composition,
    post(message: ToPage) {
      if (message.type === 'findings') drawn = message.findings.map(({ rule }) => rule);
    },
  };
  findings = createPreviewFindings(
    { onDidChange: (listener) => listeners.set('values', listener as Listener) as never },
    () => preview,
  );
  findings.set(composition, all);
});

test('draws what was found with the values of the form, and replaces it', () => {
  expect(drawn).toEqual(['low-contrast']);
  findings.set(composition, [found('text-cut', null)]);
  expect(drawn).toEqual(['text-cut']);
  findings.set(composition, []);
  expect(drawn).toEqual([]);
});

test('draws what was found in the row whose values are shown', () => {
  changeValues();
  expect(drawn).toEqual([]);
  findings.showRow(composition.uri, 1);
  expect(drawn).toEqual(['text-cut', 'text-overlap']);
});

test.each([
  [
    'a text of the project is edited',
    'edit',
    { document: { uri: Uri.parse('file:///w/look.css') }, contentChanges: ['x'] },
    [],
  ],
  ['a file of the project changes', 'file', Uri.parse('file:///w/photo.png'), []],
  [
    'a text is saved',
    'edit',
    { document: { uri: Uri.parse('file:///w/a.html') }, contentChanges: [] },
    ['text-cut', 'text-overlap'],
  ],
  [
    'another text is edited',
    'edit',
    { document: { uri: Uri.parse('file:///x/a.html') }, contentChanges: ['x'] },
    ['text-cut', 'text-overlap'],
  ],
  ['a video is written', 'file', Uri.parse('file:///w/renders/a.mp4'), ['text-cut', 'text-overlap']],
])('when %s', (_what, name, event, afterwards) => {
  listeners.get(name)?.(event);
  findings.showRow(composition.uri, 1);
  expect(drawn).toEqual(afterwards);
});
