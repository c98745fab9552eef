// Stops the animation elements of an SVG document at a time, by other values of their timing attributes. The file that
// results shows this time when it is loaded, and its animations are too slow to be seen.
import { createTimeline, type Interval, readClock, readMoments, type TimedElement } from './smilTimes.ts';

/** How much slower the animations of a stopped file are. */
const slowness = 1e6;
/** An animation that has ended is this much before its end, in seconds of the stopped file: ended ones are ignored. */
const beforeEnd = 2;

const selector = 'animate, animateColor, animateMotion, animateTransform, set';

type Animation = { element: Element; timing: TimedElement; freezes: boolean; repeatDuration: number | null };

/** Returns a function that stops all animations of the document at `seconds`. */
export function smilStopper(svg: Document): (seconds: number) => void {
  const animations = [...svg.querySelectorAll(selector)].map(readAnimation);
  const intervalsAt = createTimeline(animations.map(({ timing }) => timing));
  return (seconds) => {
    const intervals = intervalsAt(seconds);
    // When nothing moves any more, the text of the file stays the same.
    const ends = intervals.map((interval) => interval?.end ?? 0);
    const now = Math.min(seconds, Math.max(0, ...ends));
    for (const [index, animation] of animations.entries()) stop(animation, intervals[index] ?? null, now);
  };
}

function readAnimation(element: Element): Animation {
  const read = (name: string): string => element.getAttribute(name)?.trim() ?? '';
  const duration = readClock(read('dur')) || Number.POSITIVE_INFINITY;
  const repeatDuration = readClock(read('repeatDur'));
  const restart = read('restart');
  const animation: Animation = {
    element,
    freezes: read('fill') === 'freeze',
    repeatDuration,
    timing: {
      id: element.getAttribute('id'),
      begins: readMoments(read('begin') || '0s'),
      ends: readMoments(read('end')),
      duration,
      activeDuration: activeDuration(duration, read('repeatCount'), read('repeatDur'), repeatDuration),
      restart: restart === 'never' || restart === 'whenNotActive' ? restart : 'always',
    },
  };
  for (const name of ['end', 'min', 'max', 'restart']) element.removeAttribute(name);
  return animation;
}

function activeDuration(duration: number, count: string, until: string, repeatDuration: number | null): number {
  if (count === '' && until === '') return duration;
  const repetitions =
    count === 'indefinite' || Number.isNaN(Number.parseFloat(count)) ? null : Number.parseFloat(count);
  const counted = repetitions === null ? Number.POSITIVE_INFINITY : duration * repetitions;
  return Math.min(counted, repeatDuration ?? Number.POSITIVE_INFINITY);
}

/** The order of begins stays, because later animations of an attribute win. */
function stop({ element, timing, freezes, repeatDuration }: Animation, interval: Interval, now: number): void {
  const hasEnded = interval !== null && interval.end <= now;
  if (!interval || (hasEnded && !freezes)) {
    element.setAttribute('begin', 'indefinite');
    return;
  }
  const elapsed = Math.min(now, interval.end) - interval.begin;
  const since = now - interval.begin;
  const scale = hasEnded && elapsed > 0 ? (since * slowness + beforeEnd) / elapsed : slowness;
  element.setAttribute('begin', secondsText(-since * slowness));
  if (Number.isFinite(timing.duration)) element.setAttribute('dur', secondsText(timing.duration * scale));
  if (repeatDuration !== null) element.setAttribute('repeatDur', secondsText(repeatDuration * scale));
}

const secondsText = (seconds: number): string => `${seconds.toFixed(3)}s`;
