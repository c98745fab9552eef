// The frame that is played at a time, with a range, a loop and a speed.
import { expect, test } from 'vitest';
import { PlayClock } from '../../../../preview/page/playback/playClock.ts';

const rate = { num: 30, den: 1 };

test('plays in real time, multiplied by the speed', () => {
  const clock = new PlayClock();
  clock.startAt(10, 1000);
  expect(clock.frameAt(1500, rate, 90)).toEqual({ frame: 25, ended: false });
  clock.speed = 2;
  expect(clock.frameAt(1500, rate, 90)).toEqual({ frame: 40, ended: false });
});

test('wraps around at the end of the range, and ends there without a loop', () => {
  const clock = new PlayClock();
  clock.setRange({ inFrame: 10, outFrame: 20 }, 90);
  clock.startAt(18, 0);
  expect(clock.frameAt(100, rate, 90)).toEqual({ frame: 11, ended: false });
  expect(clock.frameAt(100, rate, 90, false)).toEqual({ frame: 19, ended: true });
  clock.isLooping = false;
  expect(clock.frameAt(100, rate, 90)).toEqual({ frame: 19, ended: true });
});

test('resets the other end of the range when the ends cross', () => {
  const clock = new PlayClock();
  clock.setRange({ inFrame: 50 }, 90);
  clock.setRange({ outFrame: 20 }, 90);
  expect(clock.range(90)).toEqual({ inFrame: 0, outFrame: 20 });
  clock.setRange({ inFrame: 30 }, 90);
  expect(clock.range(90)).toEqual({ inFrame: 30, outFrame: 90 });
  clock.setRange(null, 90);
  expect(clock.range(90)).toEqual({ inFrame: 0, outFrame: 90 });
});

test('limits the range to the frames of the composition', () => {
  const clock = new PlayClock();
  clock.setRange({ inFrame: 50, outFrame: 80 }, 90);
  expect(clock.range(30)).toEqual({ inFrame: 29, outFrame: 30 });
});
