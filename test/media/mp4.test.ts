// What stands in front of an MP4 file's pictures: where a player finds each of them.
import { expect, test } from 'vitest';
import { mp4Head } from '../../renderer-core/media/mp4.ts';

const stream = {
  width: 16,
  height: 16,
  fps: { num: 30, den: 1 },
  sps: [Buffer.of(0x67, 66, 0, 10)],
  pps: [Buffer.of(0x68, 1)],
};

/** The numbers of a box that is a list of them, from its `first` byte on. */
function numbers(head: Buffer, type: string, first: number, bytes: 4 | 8 = 4): number[] {
  const at = head.indexOf(type) + 4;
  const end = head.readUInt32BE(at - 8) + at - 8;
  const read = (from: number) => (bytes === 8 ? Number(head.readBigUInt64BE(from)) : head.readUInt32BE(from));
  return Array.from({ length: (end - at - first) / bytes }, (_, index) => read(at + first + index * bytes));
}

test('runs of pictures begin where the one before ends, behind the head', () => {
  const sizes = [
    [100, 20, 30],
    [200, 50],
  ];
  const runs = sizes.map((run) => run.map((bytes, index) => ({ bytes, isSync: index === 0 })));
  const head = mp4Head({ ...stream, runs });
  expect(numbers(head, 'stco', 8)).toEqual([head.length, head.length + 150]);
  expect(numbers(head, 'stsz', 12)).toEqual(sizes.flat());
  expect(numbers(head, 'stsc', 8)).toEqual([1, 3, 1, 2, 2, 1]);
  expect(numbers(head, 'stss', 8)).toEqual([1, 4]);
  expect(head.readUInt32BE(head.length - 8)).toBe(8 + 400);
});

test('files beyond four gigabytes have places of eight bytes', () => {
  const run = [{ bytes: 3e9, isSync: true }];
  const head = mp4Head({ ...stream, runs: [run, run] });
  expect(numbers(head, 'co64', 8, 8)).toEqual([head.length, head.length + 3e9]);
  expect(Number(head.readBigUInt64BE(head.length - 8))).toBe(16 + 6e9);
});
