// The rows of the Videos view: history, batches, pages of cloud renders, and the polling interval.
import { describe, expect, test, vi } from 'vitest';
import type { RenderEntry } from '../../../client/render/history.ts';
import { accessibilityLabel } from '../../../client/views/accessibilityLabels.ts';
import { batchNodes } from '../../../client/views/batchNodes.ts';
import {
  type CloudList,
  type CloudRecord,
  nextPollMs,
  refreshLimit,
  withNewest,
  withOlder,
  without,
} from '../../../client/views/cloudList.ts';
import { entryChange, executionChange } from '../../../client/views/remoteChange.ts';
import { type CloudState, downloadName, renderNodes } from '../../../client/views/renderNodes.ts';
import { changedNodes, type ViewNode } from '../../../client/views/viewNode.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const now = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

const entry = (id: string, more: Partial<RenderEntry> = {}): RenderEntry => ({
  id,
  kind: 'render',
  name: 'index.html',
  composition: 'file:///w/index.html',
  project: 'file:///w',
  values: {},
  startedAt: now - 2 * minute,
  state: 'running',
  log: [],
  ...more,
});

const record = (id: string, more: Partial<CloudRecord> = {}): CloudRecord => ({
  render_id: id,
  status: 'completed',
  progress: 1,
  title: `Film ${id}`,
  composition: 'index.html',
  duration: 4,
  fps: 30,
  format: 'mp4',
  resolution: '1080p',
  aspect_ratio: null,
  created_at: now / 1000 - 3600 * 3,
  completed_at: now / 1000 - 3600 * 2,
  credits: 2,
  failure_message: null,
  ...more,
});

const lines = (nodes: readonly ViewNode[], indent = ''): string[] =>
  nodes.flatMap(({ label, description = '', icon, children = [] }) => [
    `${indent}${icon?.name ?? '-'} ${label}${description === '' ? '' : `: ${description}`}`,
    ...lines(children, `${indent}  `),
  ]);

function check(entries: RenderEntry[], cloud: CloudState, expected: string[]): void {
  expect(lines(renderNodes({ entries, cloud, now }))).toEqual(expected);
}

const off: CloudState = { kind: 'off' };

describe('renderNodes', () => {
  test('shows the progress of running renders and the result of finished ones', () => {
    const ended = { endedAt: now - 90 * minute };
    check(
      [
        entry('1', { percent: 41.7, message: '125 of 300 frames, 12 s left' }),
        entry('2', { state: 'completed', output: '/w/a.mp4', endedAt: now - 5_000, values: { title: 'Sun' } }),
        entry('3', { ...ended, state: 'failed', error: 'No size.\nat index.html:3' }),
        entry('4', { ...ended, kind: 'cloud', state: 'cancelled', remoteId: 'render_4' }),
        entry('5', { ...ended, kind: 'batch', state: 'completed', output: '/w/manifest.json', usedDefaults: 3 }),
      ],
      off,
      [
        'window This Workspace',
        '  loading~spin index.html: 41 % · 125 of 300 frames, 12 s left',
        '  pass-filled index.html: just now · title: Sun',
        '  error index.html: failed · 1 h ago · No size.',
        '  circle-slash index.html: cancelled · 1 h ago · cloud',
        '  warning index.html: 3 rows used defaults · 1 h ago',
      ],
    );
  });

  test('shows the renders of the account, with a row to load more', () => {
    const list: CloudList = {
      records: [
        record('1', { status: 'queued', progress: 0 }),
        record('2', { status: 'rendering', progress: 0.358, title: null }),
        record('3'),
        record('4', { status: 'failed', failure_message: 'The page is blank.', duration: null }),
      ],
      next: 'token',
    };
    const rows = [
      '  clock Film 1: queued',
      '  loading~spin index.html: 35 %',
      '  pass-filled Film 3: 2 h ago · 4 s mp4 1080p',
      '  error Film 4: failed · 2 h ago · The page is blank.',
    ];
    check([], { kind: 'ready', list }, ['cloud Cloud', ...rows, '  ellipsis Load More']);
    check([], { kind: 'loading', list }, ['cloud Cloud', ...rows, '  loading~spin Loading…']);
    check([], { kind: 'failed', list: { ...list, next: null }, message: 'Cannot reach it\nat all' }, [
      'cloud Cloud',
      '  warning Cannot reach it',
      ...rows,
    ]);
  });

  test('lists executions on AWS in both groups', () => {
    const remoteId = 'arn:aws:states:eu-central-1:1:execution:framework:render-7';
    check([entry('7', { kind: 'serverless', remoteId, percent: 10 })], off, [
      'window This Workspace',
      '  loading~spin index.html: 10 % · AWS',
      'server-environment AWS',
      '  loading~spin render-7: index.html · 10 %',
    ]);
  });

  test('is empty without renders, and offers to sign in next to local renders', () => {
    check([], off, []);
    check([], { kind: 'signedOut' }, []);
    const empty: CloudState = { kind: 'ready', list: { records: [], next: null } };
    check([], empty, ['cloud Cloud', '  - No renders in this account yet']);
    check([entry('1', { percent: 5 })], { kind: 'signedOut' }, [
      'window This Workspace',
      '  loading~spin index.html: 5 %',
      'cloud Cloud',
      '  sign-in Sign in to see the renders of your account',
    ]);
  });

  test('sets the context words for the menus', () => {
    const entries = [
      entry('1', { kind: 'batch', state: 'failed', output: '/w/renders/manifest.json' }),
      entry('2', { kind: 'cloud', remoteId: 'render_2' }),
    ];
    const list: CloudList = { records: [record('3'), record('4', { status: 'queued' })], next: null };
    const rows = renderNodes({ entries, cloud: { kind: 'ready', list }, now }).flatMap(({ children = [] }) => children);
    expect(rows.map(({ id, context }) => [id, context])).toEqual([
      ['entry:1', 'entry batch failed output'],
      ['entry:2', 'entry cloud running remote'],
      ['cloud:3', 'record completed'],
      ['cloud:4', 'record running'],
    ]);
  });
});

test('finds the rows that changed', () => {
  const nodes = (percent: number, ...more: RenderEntry[]) =>
    renderNodes({ entries: [...more, entry('1', { percent }), entry('2', { percent: 5 })], cloud: off, now });
  expect(changedNodes(nodes(10), nodes(10))).toEqual([]);
  expect(changedNodes(nodes(10), nodes(20))?.map(({ id, description }) => [id, description])).toEqual([
    ['entry:1', '20 %'],
  ]);
  expect(changedNodes(nodes(10), nodes(10, entry('3')))).toBeUndefined();
  expect(changedNodes([], nodes(10))).toBeUndefined();
});

test('lists the rows of a batch, and opens the source of a failed row on click', () => {
  const rows = [
    {
      index: 0,
      output: '/w/renders/Ann.mp4',
      status: 'completed',
      durationMs: 4000,
      error: null,
      variables: { name: 'Ann' },
    },
    {
      index: 1,
      output: '/w/renders/Bo.mp4',
      status: 'failed',
      durationMs: null,
      error: { message: 'No name\n…' },
      variables: {},
    },
    { index: 2, output: 'C:\\renders\\Cy.mp4', status: 'running', durationMs: null, error: null },
    {
      ...{ index: 4, output: '/w/renders/Ed.mp4', status: 'completed', durationMs: 4000, error: null, variables: {} },
      warnings: [{ message: 'Must be a number', issue: { kind: 'type-mismatch' } }],
    },
    {
      ...{ index: 5, output: '/w/renders/Fay.mp4', status: 'completed', durationMs: 4000, error: null, variables: {} },
      warnings: [{ message: 'Not declared', issue: { kind: 'undeclared' } }],
    },
    { index: 3, output: '/w/renders/Di.mp4', status: 'unknown', durationMs: null, error: null },
  ];
  const batch = { uri: 'file:///w/rows.json', template: 'renders/{name}.mp4' };
  const nodes = batchNodes({ id: 'b', composition: 'file:///w/index.html', batch }, JSON.stringify({ rows }));
  expect(lines(nodes)).toEqual([
    'pass Row 1: Ann.mp4 · 4 s',
    'error Row 2: Bo.mp4 · No name',
    'loading~spin Row 3: Cy.mp4 · rendering',
    'warning Row 5: Ed.mp4 · 4 s',
    'pass Row 6: Fay.mp4 · 4 s',
  ]);
  expect(nodes[3]?.tooltip).toContain('Must be a number');
  expect(nodes.map(({ context, plays, runs }) => [context, plays ?? runs?.command])).toEqual([
    ['row completed output source', '/w/renders/Ann.mp4'],
    ['row failed source', 'framework.renders.goToRow'],
    ['row running source', undefined],
    ['row completed output source', '/w/renders/Ed.mp4'],
    ['row completed output source', '/w/renders/Fay.mp4'],
  ]);
  for (const text of ['', '{', '{"rows":1}', '[]']) expect(batchNodes({ id: 'b', composition: 'x' }, text)).toEqual([]);
});

describe('pages of cloud renders', () => {
  const ids = ({ records, next }: CloudList) => `${records.map((one) => one.render_id).join('')} ${next}`;
  const list = (letters: string, next: string | null): CloudList => ({
    records: [...letters].map((letter) => record(letter)),
    next,
  });
  const page = (letters: string, token: string | null) => ({
    data: [...letters].map((letter) => record(letter)),
    has_more: token !== null,
    next_token: token,
  });

  test('replaces the newest renders and removes deleted ones', () => {
    expect(ids(withNewest(list('', null), page('abc', 'c')))).toBe('abc c');
    expect(ids(withNewest(list('abcdef', 'f'), page('xabc', 'c')))).toBe('xabcdef f');
    expect(ids(withNewest(list('abcdef', 'f'), page('acd', 'd')))).toBe('acdef f');
    expect(ids(withNewest(list('abc', 'c'), page('abc', 'c')))).toBe('abc c');
    expect(ids(withNewest(list('abcdef', 'f'), page('abc', null)))).toBe('abc null');
    // No overlap: there can be others in between.
    expect(ids(withNewest(list('abc', 'c'), page('xyz', 'z')))).toBe('xyz z');
  });

  test('appends older renders without duplicates', () => {
    expect(ids(withOlder(list('abc', 'c'), page('cde', 'e')))).toBe('abcde e');
    expect(ids(withOlder(list('abc', 'c'), page('d', null)))).toBe('abcd null');
    expect(ids(without(list('abc', 'c'), 'b'))).toBe('ac c');
  });

  test('requests a page that includes all running renders', () => {
    const records = Array.from({ length: 130 }, (_, index) => record(String(index)));
    expect(refreshLimit({ records, next: null })).toBe(20);
    const running = (at: number) => records.with(at, record('x', { status: 'rendering' }));
    expect(refreshLimit({ records: running(19), next: null })).toBe(20);
    expect(refreshLimit({ records: running(40), next: null })).toBe(41);
    expect(refreshLimit({ records: running(120), next: null })).toBe(100);
  });
});

test.each([
  [{ isVisible: true, isRunning: true, failures: 0 }, 3_000],
  [{ isVisible: true, isRunning: false, failures: 0 }, undefined],
  [{ isVisible: false, isRunning: true, failures: 0 }, undefined],
  [{ isVisible: true, isRunning: true, failures: 2 }, 12_000],
  [{ isVisible: true, isRunning: true, failures: 60 }, 60_000],
  [{ isVisible: true, isRunning: true, failures: 1, retryAfter: 90 }, 90_000],
])('computes the polling interval for %o', (facts, expected) => {
  expect(nextPollMs(facts)).toBe(expected);
});

test('converts the state of a remote render to a change of its entry', () => {
  expect(entryChange(record('1', { status: 'rendering', progress: 0.4 }), now)).toEqual({ percent: 40 });
  expect(entryChange(record('1', { completed_at: 50 }), now)).toEqual({ state: 'completed', endedAt: 50_000 });
  expect(entryChange(record('1', { status: 'failed', completed_at: 50, failure_message: 'Blank' }), now)).toEqual({
    state: 'failed',
    endedAt: 50_000,
    error: 'Blank',
  });
  const endedAt = '1970-01-01T00:00:50Z';
  expect(executionChange({ status: 'RUNNING', overallProgress: 0.254 }, now)).toEqual({ percent: 25 });
  expect(executionChange({ status: 'SUCCEEDED', endedAt }, now)).toEqual({ state: 'completed', endedAt: 50_000 });
  expect(executionChange({ status: 'ABORTED', endedAt }, now)).toEqual({ state: 'cancelled', endedAt: 50_000 });
  expect(executionChange({ status: 'TIMED_OUT', endedAt }, now)).toMatchObject({ state: 'failed', error: 'TIMED_OUT' });
  const errors = [{ error: 'Page', cause: 'Blank' }];
  expect(executionChange({ status: 'FAILED', endedAt, errors }, now)).toMatchObject({ error: 'Page: Blank' });
});

test.each([
  ['Spring sale: 50 % off!', 'render_0123456789ab', 'Spring-sale-50-off-456789ab'],
  ['../../etc', 'render_1', 'etc-render_1'],
  ['Grüße 你好', 'r_1', 'Grüße-你好-r_1'],
  [null, 'render_0123456789ab', 'render_0123456789ab'],
  ['…', 'a/../b', 'ab'],
])('names the download of %s', (title, id, expected) => {
  expect(downloadName(title, id, 'webm')).toBe(`${expected}.webm`);
});

test('adds the meaning of the icon to the accessibility label once', () => {
  const states: RenderEntry['state'][] = ['running', 'completed', 'failed', 'cancelled'];
  const entries = states.map((state, at) => entry(`${at}`, { state, endedAt: now - minute }));
  const [group] = renderNodes({ entries, cloud: { kind: 'off' }, now });
  const row = (one: ViewNode) => accessibilityLabel(one) ?? `${one.label} ${one.description}`;
  expect(group?.children?.map(row)).toEqual([
    'index.html, in progress',
    'index.html, completed, 1 min ago',
    'index.html failed · 1 min ago',
    'index.html cancelled · 1 min ago',
  ]);
  expect(group && accessibilityLabel(group)).toBeUndefined();
});
