// The values of an AudioParam over time, as the Web Audio API defines them. Times are those of its context, in seconds.

export type ParamEvent =
  | { kind: 'set' | 'linear' | 'exponential'; time: number; value: number }
  | { kind: 'target'; time: number; value: number; timeConstant: number }
  | { kind: 'curve'; time: number; values: readonly number[]; duration: number };

/** `events` in the order of their times. `initial` is the value before the first. */
export function valueAt(events: readonly ParamEvent[], time: number, initial: number): number {
  let held = (_: number): number => initial;
  let from = 0;
  for (const event of events) {
    if (event.time > time) return time > from ? (rampedTo(event, from, held(from), time) ?? held(time)) : held(time);
    held = valuesAfter(event, held(event.time));
    from = event.kind === 'curve' ? event.time + event.duration : event.time;
  }
  return held(time);
}

/** The events with another one, which a script adds at the time `now`. */
export function withEvent(
  events: readonly ParamEvent[],
  added: ParamEvent,
  now: number,
  initial: number,
): ParamEvent[] {
  const event = { ...added, time: Math.max(now, added.time) };
  const before = events.filter(({ time }) => time <= event.time);
  const after = events.slice(before.length);
  const last = before.at(-1);
  // A ramp without a value to start from starts from the current value, and ends a movement to a target.
  const isRamp = event.kind === 'linear' || event.kind === 'exponential';
  if (!isRamp || (last && last.kind !== 'target')) return [...before, event, ...after];
  const time = Math.max(now, last?.time ?? 0);
  return [...before, { kind: 'set', time, value: valueAt(before, time, initial) }, event, ...after];
}

/** The events after `cancelScheduledValues(time)`. */
export const withoutEvents = (events: readonly ParamEvent[], time: number): ParamEvent[] =>
  events.filter((event) => event.time < time && !(event.kind === 'curve' && time <= event.time + event.duration));

/** The events after `cancelAndHoldAtTime(time)`. */
export function heldAt(events: readonly ParamEvent[], time: number, initial: number): ParamEvent[] {
  const before = events.filter((event) => event.time <= time);
  const last = before.at(-1);
  const next = events[before.length];
  const value = valueAt(events, time, initial);
  if (next?.kind === 'linear' || next?.kind === 'exponential') return [...before, { ...next, time, value }];
  const moves = last?.kind === 'target' || (last?.kind === 'curve' && time < last.time + last.duration);
  return moves ? [...before, { kind: 'set', time, value }] : before;
}

/** The value between the event before, which ends at `from`, and a ramp; undefined for other events. */
function rampedTo(event: ParamEvent, from: number, start: number, time: number): number | undefined {
  const share = (time - from) / (event.time - from);
  if (event.kind === 'linear') return start + (event.value - start) * share;
  if (event.kind === 'exponential') return start * event.value > 0 ? start * (event.value / start) ** share : start;
  return undefined;
}

/** The values from the time of an event on, at which the value is `start`. */
function valuesAfter(event: ParamEvent, start: number): (time: number) => number {
  if (event.kind === 'target') {
    const { value, timeConstant } = event;
    return (time) =>
      timeConstant === 0 ? value : value + (start - value) * Math.exp((event.time - time) / timeConstant);
  }
  if (event.kind !== 'curve') return () => event.value;
  const { values, duration } = event;
  return (time) => {
    const at = Math.min(1, (time - event.time) / duration) * (values.length - 1);
    const before = values[Math.floor(at)] ?? 0;
    return before + ((values[Math.ceil(at)] ?? 0) - before) * (at % 1);
  };
}
