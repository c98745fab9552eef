// Draft values are stored in the workspace state.
import { expect, test, vi } from 'vitest';
import type { Uri } from 'vscode';
import { createDraftValues } from '../../../client/compositions/draftValues.ts';

vi.mock('vscode', async () => {
  const { EventEmitter } = await import('node:events');
  return {
    EventEmitter: class extends EventEmitter {
      event = (listener: (value: unknown) => void) => this.on('fired', listener);
      fire = (value: unknown) => this.emit('fired', value);
    },
  };
});

const at = (path: string) => path as unknown as Uri;

/** VS Code stores JSON. */
function workspaceState() {
  const stored = new Map<string, string>();
  return {
    get: <T>(key: string, otherwise: T): T => JSON.parse(stored.get(key) ?? 'null') ?? otherwise,
    update: async (key: string, value: unknown) => void stored.set(key, JSON.stringify(value)),
  };
}

test('restores the values of each composition in the next window', () => {
  const state = workspaceState();
  const first = createDraftValues(state);
  first.set(at('a.html'), { title: 'Given' });
  first.set(at('b.html'), { size: 3 });
  const next = createDraftValues(state);
  expect(next.get(at('a.html'))).toEqual({ title: 'Given' });
  expect(next.get(at('b.html'))).toEqual({ size: 3 });
  expect(next.get(at('c.html'))).toEqual({});
});

test('forgets empty values and all but the last 50 compositions', () => {
  const state = workspaceState();
  const values = createDraftValues(state);
  values.set(at('a.html'), { title: 'Given' });
  values.set(at('a.html'), {});
  expect(createDraftValues(state).get(at('a.html'))).toEqual({});
  for (let index = 0; index < 60; index++) values.set(at(`${index}.html`), { index });
  const next = createDraftValues(state);
  expect([next.get(at('9.html')), next.get(at('10.html')), next.get(at('59.html'))]).toEqual([
    {},
    { index: 10 },
    { index: 59 },
  ]);
});

test('fires an event with the composition that changed', () => {
  const values = createDraftValues(workspaceState());
  const fired: unknown[] = [];
  values.onDidChange((composition) => fired.push(composition));
  values.set(at('a.html'), { title: 'Given' });
  expect(fired).toEqual(['a.html']);
});
