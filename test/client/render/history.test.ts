// The history of renders: removing entries with undo, and files that are written again.
import { expect, test, vi } from 'vitest';
import { Uri } from 'vscode';
import { movedIn } from '../../../client/compositions/moves.ts';
import { createRenderHistory, type RenderEntry } from '../../../client/render/history.ts';

vi.mock('vscode', async () => {
  const { EventEmitter } = await import('node:events');
  return {
    ...(await import('../../support/editor/vscodeUris.ts')),
    EventEmitter: class extends EventEmitter {
      event = (listener: (value: unknown) => void) => this.on('fired', listener);
      fire = (value: unknown) => this.emit('fired', value);
    },
  };
});

type Memento = Parameters<typeof createRenderHistory>[0];
const memento = {
  get: (_: string, otherwise: unknown) => otherwise,
  update: async () => undefined,
} as unknown as Memento;

function historyOf(...names: string[]) {
  const history = createRenderHistory(memento);
  const ids = names.map((name, index) =>
    history.add({
      name,
      kind: 'render',
      composition: 'file:///w/index.html',
      project: 'file:///w',
      values: {},
      startedAt: index,
      state: 'completed',
    }),
  );
  return { history, ids };
}
const names = (entries: readonly RenderEntry[]) => entries.map(({ name }) => name);

test('removes entries, and restores them in their order', () => {
  const { history, ids } = historyOf('one', 'two', 'three');
  const restore = history.remove(ids.slice(0, 2));
  expect(names(history.entries())).toEqual(['three']);
  history.add({ ...historyOf('four').history.entries()[0], startedAt: 9 } as RenderEntry);
  restore();
  expect(names(history.entries())).toEqual(['four', 'three', 'two', 'one']);
});

test('keeps a file only with the entry that wrote it last', () => {
  const { history, ids } = historyOf('one', 'two', 'three');
  const files = () => Object.fromEntries(history.entries().map(({ name, output = '' }) => [name, output]));
  history.update(ids[0] ?? '', { output: '/w/a.mp4' });
  history.update(ids[1] ?? '', { output: '/w/b.mp4' });
  history.update(ids[2] ?? '', { output: '/w/a.mp4' });
  expect(files()).toEqual({ one: '', two: '/w/b.mp4', three: '/w/a.mp4' });
});

test('adopts the renders of another window once, in their order', () => {
  const { history } = historyOf('one', 'three');
  const [one, three] = [history.entries()[1], history.entries()[0]] as [RenderEntry, RenderEntry];
  const two = { ...one, id: 'other', name: 'two', startedAt: 0.5 };
  history.adopt([two, one, three]);
  history.adopt([two]);
  expect(names(history.entries())).toEqual(['three', 'two', 'one']);
});

test('follows a renamed project', () => {
  const { history, ids } = historyOf('one');
  history.update(ids[0] ?? '', { output: '/w/renders/one.mp4', batch: { uri: 'file:///w/rows.csv', template: '' } });
  history.move(movedIn([{ oldUri: Uri.file('/w'), newUri: Uri.file('/films') }]));
  expect(history.entries()[0]).toMatchObject({
    composition: 'file:///films/index.html',
    project: 'file:///films',
    output: '/films/renders/one.mp4',
    batch: { uri: 'file:///films/rows.csv' },
  });
});
