// Which images of rows are captured, and in which order.
import { expect, test } from 'vitest';
import { createImageQueue, isDrawn, type RowImage } from '../../../client/renderDialog/imageQueue.ts';

/** A queue whose images are finished by hand. `log`: `+a` when the image of `a` is begun, `a` when it is there. */
function queueOf(options: { maxImages?: number; isPaused?: () => boolean } = {}) {
  const log: string[] = [];
  let finish: (() => void) | undefined;
  let signal: AbortSignal | undefined;
  const queue = createImageQueue<string>({
    capture: (content, aborted) => {
      log.push(`+${content}`);
      signal = aborted;
      return new Promise<RowImage>((done) => {
        finish = () => done({ source: `image of ${content}` });
      });
    },
    onImage: (key) => log.push(key),
    isPaused: () => false,
    maxImages: 10,
    ...options,
  });
  return {
    log,
    queue,
    want: (keys: string) => queue.want([...keys].map((key) => ({ key, content: key }))),
    async finish() {
      finish?.();
      await new Promise((done) => setImmediate(done));
    },
    isCancelled: () => signal?.aborted,
  };
}

test('captures one image after another, each once', async () => {
  const { log, want, finish, queue } = queueOf();
  want('aba');
  expect(log).toEqual(['+a']);
  await finish();
  await finish();
  expect(log).toEqual(['+a', 'a', '+b', 'b']);
  want('ba');
  expect(log).toEqual(['+a', 'a', '+b', 'b']);
  expect(queue.get('a')).toEqual({ source: 'image of a' });
  expect(queue.get('c')).toBeUndefined();
});

test('captures an image with a problem again only when asked to', async () => {
  const begun: string[] = [];
  const queue = createImageQueue<string>({
    capture: async (content) => {
      begun.push(content);
      return { problem: 'no browser' };
    },
    ...{ onImage: () => undefined, isPaused: () => false, maxImages: 10 },
  });
  const want = async () => {
    queue.want([{ key: 'a', content: 'a' }]);
    await new Promise((done) => setImmediate(done));
  };
  await want();
  await want();
  expect(begun).toEqual(['a']);
  queue.forgetProblems();
  await want();
  expect(begun).toEqual(['a', 'a']);
});

test('continues with what is wanted now', async () => {
  const { log, want, finish } = queueOf();
  want('abc');
  want('xyz');
  await finish();
  expect(log).toEqual(['+a', 'a', '+x']);
});

test('waits while it is paused', async () => {
  let isPaused = true;
  const { log, want, queue } = queueOf({ isPaused: () => isPaused });
  want('a');
  expect(log).toEqual([]);
  isPaused = false;
  queue.resume();
  expect(log).toEqual(['+a']);
});

test('forgets old images that are not wanted', async () => {
  const { log, want, finish, queue } = queueOf({ maxImages: 2 });
  want('ab');
  await finish();
  await finish();
  want('bc');
  await finish();
  expect(log).toEqual(['+a', 'a', '+b', 'b', '+c', 'c']);
  expect(['a', 'b', 'c'].map((key) => queue.get(key) !== undefined)).toEqual([false, true, true]);
});

test('cancels the image and captures no more when it is disposed', async () => {
  const { log, want, finish, queue, isCancelled } = queueOf();
  want('ab');
  queue.dispose();
  expect(isCancelled()).toBe(true);
  await finish();
  expect(log).toEqual(['+a']);
});

test.each([
  ['no problem', [], true],
  ['a value that is not declared', [{ key: 'mail', message: '', isError: false }], true],
  ['a value of the wrong type', [{ key: 'size', message: '', isError: false }], false],
  ['a row that is not an object', [{ key: null, message: '', isError: false }], false],
  ['an error', [{ key: 'mail', message: '', isError: true }], false],
])('draws a row with %s: %#', (_, problems, expected) => {
  expect(isDrawn({ problems }, new Set(['size']))).toBe(expected);
});
