// When the animation elements of an SVG file (`<animate>`, `<set>` and others) are active: the timing model of SMIL. An image
// has no events, so only times and the other elements of the file start and end an animation.

/** A condition in `begin` or `end`: a time of the file, or the begin or the end of another element. Times in seconds. */
export type Moment = { at: number } | { of: string; edge: 'begin' | 'end'; offset: number };

export type TimedElement = {
  id: string | null;
  begins: readonly Moment[];
  ends: readonly Moment[];
  /** The length of one repetition; Infinity if it has no end. */
  duration: number;
  /** The length of all repetitions together. */
  activeDuration: number;
  restart: 'always' | 'whenNotActive' | 'never';
};

/** `begin` and `end` of the last interval; null if it has not begun. `end` is Infinity if it is not known to end. */
export type Interval = { begin: number; end: number } | null;

/** Files whose animations start each other without time passing would never end. Per call, and per second since the last one. */
const maxSteps = 20_000;

/** Reads `5s`, `250ms`, `1.5min`, `2h`, `02:03`, `00:02:03.5` or `5`. Null if it is none of these. */
export function readClock(text: string): number | null {
  const clock = /^(?:(?:(\d+):)?([0-5]\d):)([0-5]\d(?:\.\d+)?)$/.exec(text);
  if (clock) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const count = /^(\d*\.?\d+|\d+\.)(h|min|s|ms)?$/.exec(text);
  if (!count) return null;
  const unit = { h: 3600, min: 60, s: 1, ms: 0.001 }[count[2] ?? 's'] as number;
  return Number(count[1]) * unit;
}

/** Reads the list in `begin` or `end`. What can never happen in an image is left out. */
export function readMoments(list: string): Moment[] {
  return list.split(';').flatMap((item): Moment[] => {
    const text = item.trim();
    const signed = /^([+-]?)\s*([\d.:]+\w*)$/.exec(text);
    if (signed) {
      const time = readClock(signed[2] as string);
      return time === null ? [] : [{ at: signed[1] === '-' ? -time : time }];
    }
    const sync = /^(.+)\.(begin|end)\s*(?:([+-])\s*(\S+))?$/.exec(text);
    if (!sync) return [];
    const time = sync[4] === undefined ? 0 : readClock(sync[4]);
    if (time === null) return [];
    const [of, edge] = [(sync[1] as string).replaceAll('\\', ''), sync[2] as 'begin' | 'end'];
    return [{ of, edge, offset: sync[3] === '-' ? -time : time }];
  });
}

type State = { interval: Interval; begins: number[]; ends: number[]; hasEnded: boolean };

/**
 * Returns a function for the last interval of each element at a time, in seconds. Begins and ends are processed in the order
 * of time, and each one may add begins and ends of other elements. A later time continues from the one before.
 */
export function createTimeline(elements: readonly TimedElement[]): (time: number) => Interval[] {
  let [states, last] = [startStates(elements), 0];
  return (time) => {
    if (time < last) [states, last] = [startStates(elements), 0];
    const most = maxSteps * (1 + time - last);
    last = time;
    for (let step = 0; step < most; step++) {
      const next = nextChange(states, time);
      if (!next) break;
      (next.isEnd ? end : begin)(elements, states, next);
    }
    return states.map(({ interval }) => interval && { ...interval });
  };
}

const startStates = (elements: readonly TimedElement[]): State[] =>
  elements.map(({ begins, ends }) => {
    return { interval: null, begins: timesOf(begins), ends: timesOf(ends), hasEnded: true };
  });

type Change = { index: number; at: number; isEnd: boolean };

function end(elements: readonly TimedElement[], states: readonly State[], { index, at }: Change): void {
  (states[index] as State).hasEnded = true;
  notify(elements, states, index, 'end', at);
}

function begin(elements: readonly TimedElement[], states: readonly State[], change: Change): void {
  const { index, at } = change;
  const [{ restart, activeDuration }, state] = [elements[index] as TimedElement, states[index] as State];
  state.begins.splice(state.begins.indexOf(at), 1);
  const { interval, hasEnded } = state;
  if (interval && (restart === 'never' || (!hasEnded && restart === 'whenNotActive'))) return;
  if (!hasEnded) end(elements, states, change);
  state.ends = state.ends.filter((one) => one > at);
  state.interval = { begin: at, end: at + activeDuration };
  state.hasEnded = false;
  notify(elements, states, index, 'begin', at);
}

/** Adds the begins and ends that the begin or the end of an element causes. */
function notify(
  elements: readonly TimedElement[],
  states: readonly State[],
  index: number,
  edge: 'begin' | 'end',
  at: number,
): void {
  const id = elements[index]?.id;
  if (typeof id !== 'string') return;
  const caused = (moments: readonly Moment[]): number[] =>
    moments.flatMap((one) => ('of' in one && one.of === id && one.edge === edge ? [at + one.offset] : []));
  for (const [other, { begins, ends }] of elements.entries()) {
    states[other]?.begins.push(...caused(begins));
    states[other]?.ends.push(...caused(ends));
  }
}

const timesOf = (moments: readonly Moment[]): number[] => moments.flatMap((one) => ('at' in one ? [one.at] : []));

/** The next end or begin until `time`. Ends come before begins at the same time, because they may cause them. */
function nextChange(states: readonly State[], time: number): Change | null {
  let next: Change | null = null;
  for (const [index, state] of states.entries()) {
    if (state.interval && !state.hasEnded) {
      const { interval } = state;
      const ended = Math.min(interval.end, ...state.ends.filter((at) => at > interval.begin));
      interval.end = ended;
      if (ended <= time && (!next || ended < next.at || (ended === next.at && !next.isEnd)))
        next = { index, at: ended, isEnd: true };
    }
    const at = Math.min(...state.begins);
    if (at <= time && (!next || at < next.at)) next = { index, at, isEnd: false };
  }
  return next;
}
