// The history of the edits that a preview undoes: text, clips and values in the order in which they were made.
import { expect, test } from 'vitest';
import { changedIds, createEditHistory, type Step } from '../../../client/preview/editHistory.ts';

const file = (label: string): Step => ({ label, file: 'file:///w/index.html', before: '', after: label });
const value = (label: string, before: number, after: number, at: number): Step => ({
  label,
  before: { size: before },
  after: { size: after },
  at,
});

/** The labels that the given commands undo (`z`) and redo (`y`). */
function run(history: ReturnType<typeof createEditHistory>, commands: string): string[] {
  return [...commands].map((key) => {
    const label = history.next(key === 'y')?.label ?? '';
    history.move(key === 'y');
    return label;
  });
}

test('undoes edits of all kinds in the order in which they were made, and redoes them', () => {
  const history = createEditHistory();
  history.add(file('moved'));
  history.add(value('size', 1, 2, 0));
  history.add(file('text'));
  expect(run(history, 'zzyzzzyyyy')).toEqual([
    'text',
    'size',
    'size',
    'size',
    'moved',
    '',
    'moved',
    'size',
    'text',
    '',
  ]);
});

test('forgets what could be redone after a new edit', () => {
  const history = createEditHistory();
  history.add(file('one'));
  run(history, 'z');
  history.add(file('two'));
  expect(run(history, 'yzz')).toEqual(['', 'two', '']);
});

test('undoes one drag of a slider at once', () => {
  const history = createEditHistory();
  history.add(value('size', 1, 2, 0));
  history.add(value('size', 2, 3, 800));
  history.add(value('size', 3, 4, 1700));
  history.add(value('size', 4, 5, 2800));
  expect(history.next(false)).toMatchObject({ before: { size: 4 }, after: { size: 5 } });
  history.move(false);
  expect(history.next(false)).toMatchObject({ before: { size: 1 }, after: { size: 4 } });
});

test('forgets a step whose file has another text', () => {
  const history = createEditHistory();
  history.add(file('one'));
  history.add(file('two'));
  history.forget(false);
  expect(run(history, 'zz')).toEqual(['one', '']);
});

test('finds the values that differ', () => {
  expect(changedIds({ a: 1, b: [1], c: 'x' }, { b: [1], c: 'y', d: null })).toEqual(['a', 'c', 'd']);
});
