// The composition that a command is about, from wherever it is run.
import { beforeEach, expect, test, vi } from 'vitest';
import { askedComposition } from '../../../client/compositions/commandArgument.ts';
import type { CompositionInfo } from '../../../server/protocol.ts';

const world = vi.hoisted(() => ({ tab: '', warnings: [] as string[], asked: [] as string[], choice: 0 }));

vi.mock('vscode', async () => {
  class TabInputText {
    readonly uri = { toString: () => world.tab };
  }
  return {
    ...(await import('../../support/editor/vscodeWords.ts')),
    ...(await import('../../support/editor/vscodeUris.ts')),
    TabInputText,
    window: {
      tabGroups: {
        get activeTabGroup() {
          return { activeTab: world.tab === '' ? undefined : { input: new TabInputText() } };
        },
      },
      showWarningMessage: async (message: string, ...buttons: string[]) => {
        world.warnings.push([message, ...buttons].join(' | '));
        return buttons[0];
      },
      showQuickPick: async (items: { label: string }[]) => {
        world.asked = items.map(({ label }) => label);
        return items[world.choice];
      },
    },
    workspace: { openTextDocument: async () => ({}) },
  };
});

const composition = (path: string): CompositionInfo =>
  ({ uri: `file:///w/${path}`, projectUri: 'file:///w', path }) as CompositionInfo;
const [card, title] = [composition('card.html'), composition('title.html')];

/** The path of the composition that is found. `all`: those of the workspace. `last`: the one that was active last. */
async function found(given: unknown, { all = [card, title], last }: { all?: CompositionInfo[]; last?: string } = {}) {
  const request = async (method: string, params: { uri: string } | null) => {
    if (method === 'framework/compositions') return all;
    if (method === 'framework/composition') return all.find(({ uri }) => uri === params?.uri) ?? null;
    return params?.uri.endsWith('title.rows.csv') ? { composition: title } : null;
  };
  const active = { current: () => (last === undefined ? undefined : { uri: `file:///w/${last}` }) };
  type Services = Parameters<typeof askedComposition>[1];
  const services = { server: { request }, active, log: { error: expect.unreachable } } as unknown as Services;
  return (await askedComposition(given, services))?.path;
}

beforeEach(() => Object.assign(world, { tab: '', warnings: [], asked: [], choice: 0 }));

test('is that of the argument: a file, its data file, or what a tree passes', async () => {
  world.tab = title.uri;
  expect(await found(card.uri)).toBe('card.html');
  expect(await found({ uri: 'file:///w/title.rows.csv' })).toBe('title.html');
  expect(await found('file:///w/notes.html')).toBeUndefined();
  expect(world.warnings).toEqual(['notes.html is not a composition: no element has data-composition-id.']);
});

test('is that of the active tab, or else the last one', async () => {
  world.tab = 'file:///w/title.rows.csv';
  expect(await found(undefined, { last: 'card.html' })).toBe('title.html');
  world.tab = 'file:///w/look.css';
  expect(await found(undefined, { last: 'card.html' })).toBe('card.html');
  expect([world.asked, world.warnings]).toEqual([[], []]);
});

test('is offered if the active tab is another page', async () => {
  world.tab = 'file:///w/page.html';
  expect(await found(undefined, { last: 'card.html' })).toBe('card.html');
  expect(await found(undefined, { all: [title] })).toBe('title.html');
  expect(await found(undefined)).toBeUndefined();
  const message = 'page.html is not a composition: no element has data-composition-id.';
  expect(world.warnings).toEqual([`${message} | Use card.html`, `${message} | Use title.html`, message]);
});

test('is the only one, or the one that the user chooses', async () => {
  expect(await found(undefined, { all: [title] })).toBe('title.html');
  world.choice = 1;
  expect(await found(undefined, { last: 'deleted.html' })).toBe('title.html');
  expect(world.asked).toEqual(['card.html', 'title.html']);
  expect(await found(undefined, { all: [] })).toBeUndefined();
  expect(world.warnings).toEqual(['This window has no composition: an HTML file that contains data-composition-id.']);
});
