// Values that are tried out stay with the workspace.

import { expect, test, vi } from 'vitest';
import type { Uri } from 'vscode';
import { createTriedValues } from '../../client/values.ts';

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

/** What the editor keeps: JSON. */
function workspaceState() {
  const stored = new Map<string, string>();
  return {
    get: <T>(key: string, otherwise: T): T => JSON.parse(stored.get(key) ?? 'null') ?? otherwise,
    update: async (key: string, value: unknown) => void stored.set(key, JSON.stringify(value)),
  };
}

test('of each composition, for the next window', () => {
  const state = workspaceState();
  const first = createTriedValues(state);
  first.set(at('a.html'), { title: 'Given' });
  first.set(at('b.html'), { size: 3 });
  const next = createTriedValues(state);
  expect(next.get(at('a.html'))).toEqual({ title: 'Given' });
  expect(next.get(at('b.html'))).toEqual({ size: 3 });
  expect(next.get(at('c.html'))).toEqual({});
});

test('nothing stays of defaults, nor of what was tried long ago', () => {
  const state = workspaceState();
  const values = createTriedValues(state);
  values.set(at('a.html'), { title: 'Given' });
  values.set(at('a.html'), {});
  expect(createTriedValues(state).get(at('a.html'))).toEqual({});
  for (let index = 0; index < 60; index++) values.set(at(`${index}.html`), { index });
  const next = createTriedValues(state);
  expect([next.get(at('9.html')), next.get(at('10.html')), next.get(at('59.html'))]).toEqual([
    {},
    { index: 10 },
    { index: 59 },
  ]);
});

test('who watches is told which composition it was', () => {
  const values = createTriedValues(workspaceState());
  const told: unknown[] = [];
  values.onDidChange((composition) => told.push(composition));
  values.set(at('a.html'), { title: 'Given' });
  expect(told).toEqual(['a.html']);
});
