// The values of gains that scripts automate.
import { expect, test } from 'vitest';
import {
  heldAt,
  type ParamEvent,
  valueAt,
  withEvent,
  withoutEvents,
} from '../../../../../renderer-core/page/features/analyser/automation.ts';

/** The values at 0, 1, 2, … seconds; 1 before the first event. */
const values = (events: readonly ParamEvent[]) =>
  [0, 1, 2, 3, 4, 5].map((time) => Number(valueAt(events, time, 1).toFixed(3)));
/** Events that a script adds at 0 seconds. */
const added = (...events: ParamEvent[]) =>
  events.reduce<ParamEvent[]>((before, event) => withEvent(before, event, 0, 1), []);

const set: ParamEvent = { kind: 'set', time: 1, value: 4 };
const linear: ParamEvent = { kind: 'linear', time: 4, value: 1 };
const exponential: ParamEvent = { kind: 'exponential', time: 3, value: 1 };
const target: ParamEvent = { kind: 'target', time: 1, value: 0, timeConstant: 1 };
const curve: ParamEvent = { kind: 'curve', time: 1, values: [0, 8, 2], duration: 4 };

test('holds a value until the next event', () => {
  expect(values([])).toEqual([1, 1, 1, 1, 1, 1]);
  expect(values(added(set))).toEqual([1, 4, 4, 4, 4, 4]);
});

test('moves to the value of a ramp from the event before, or from the time at which it is added', () => {
  expect(values(added(set, linear))).toEqual([1, 4, 3, 2, 1, 1]);
  expect(values(added({ kind: 'linear', time: 4, value: 5 }))).toEqual([1, 2, 3, 4, 5, 5]);
  expect(values(added(set, exponential))).toEqual([1, 4, 2, 1, 1, 1]);
  expect(values(added({ ...set, value: 0 }, exponential))).toEqual([1, 0, 0, 1, 1, 1]);
});

test('moves towards a target, and along a curve', () => {
  expect(values(added(target))).toEqual([1, 1, 0.368, 0.135, 0.05, 0.018]);
  expect(values(added({ ...target, timeConstant: 0 }))).toEqual([1, 0, 0, 0, 0, 0]);
  expect(values(added(curve))).toEqual([1, 0, 4, 8, 5, 2]);
  expect(values(added({ ...curve, duration: 2 }, { kind: 'linear', time: 5, value: 4 }))).toEqual([1, 0, 8, 2, 3, 4]);
});

test('starts a ramp from where a movement to a target has arrived', () => {
  expect(values(withEvent(added(target), linear, 2, 1))).toEqual([1, 1, 0.368, 0.684, 1, 1]);
});

test('does nothing in the past', () => {
  expect(values(withEvent([], set, 3, 1))).toEqual([1, 1, 1, 4, 4, 4]);
});

test('cancels events, and holds the value of the time', () => {
  expect(values(withoutEvents(added(set, linear), 2))).toEqual([1, 4, 4, 4, 4, 4]);
  expect(values(withoutEvents(added(set), 1))).toEqual([1, 1, 1, 1, 1, 1]);
  expect(values(withoutEvents(added(curve), 3))).toEqual([1, 1, 1, 1, 1, 1]);
  expect(values(heldAt(added(set, linear), 2, 1))).toEqual([1, 4, 3, 3, 3, 3]);
  expect(values(heldAt(added(curve), 2, 1))).toEqual([1, 0, 4, 4, 4, 4]);
});
