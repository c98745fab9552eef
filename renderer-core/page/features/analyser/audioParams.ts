// The values of gains and rates follow the time of the composition: the browser changes them in real time.
import { heldAt, type ParamEvent, valueAt, withEvent, withoutEvents } from './automation.ts';

type Known = {
  context: BaseAudioContext;
  initial: number;
  events: readonly ParamEvent[];
};
type Change = (events: readonly ParamEvent[], now: number, initial: number) => readonly ParamEvent[];

/** Call before scripts run. From then on, `value` is the value at the time of the context. */
export function watchParams(window: Window & typeof globalThis): void {
  const { AudioParam, GainNode, AudioBufferSourceNode, OfflineAudioContext } = window;
  let checking: OfflineAudioContext | undefined;
  const params = new WeakMap<AudioParam, Known>();
  // A param does not know its context, but scripts get it from its node.
  const watch = (node: { prototype: AudioNode }, name: string): void => {
    const { get } = Object.getOwnPropertyDescriptor(node.prototype, name) ?? {};
    redefine(node.prototype, name, {
      get(this: AudioNode) {
        const param: AudioParam = get?.call(this);
        const { context } = this;
        if (!params.has(param) && !(context instanceof OfflineAudioContext))
          params.set(param, { context, initial: param.value, events: [] });
        return param;
      },
    });
  };
  watch(GainNode, 'gain');
  watch(AudioBufferSourceNode, 'playbackRate');

  const { get, set } = Object.getOwnPropertyDescriptor(AudioParam.prototype, 'value') ?? {};
  redefine(AudioParam.prototype, 'value', {
    get(this: AudioParam) {
      const known = params.get(this);
      // As the browser, with the precision of a sample.
      return known ? Math.fround(valueAt(known.events, known.context.currentTime, known.initial)) : get?.call(this);
    },
    set(this: AudioParam, value: number) {
      set?.call(this, value);
      const known = params.get(this);
      // A time in the past is now.
      if (known) change(known, changes.setValueAtTime(Number(value), 0));
    },
  });
  const replace = (name: keyof typeof changes): void => {
    const original = Reflect.get(AudioParam.prototype, name) as (...args: unknown[]) => AudioParam;
    Object.assign(AudioParam.prototype, {
      [name](this: AudioParam, ...args: unknown[]) {
        const known = params.get(this);
        // Another param throws the errors of the browser, whatever the real time of this one is.
        checking ??= new OfflineAudioContext(1, 1, 44_100);
        original.apply(known ? new GainNode(checking).gain : this, args);
        // Scripts may give a number as text.
        const values = args.map((value) => (typeof value === 'object' ? value : Number(value)));
        if (known) change(known, changes[name](...(values as [never, never, never])));
        return this;
      },
    });
  };
  for (const name of Object.keys(changes)) replace(name as keyof typeof changes);
}

const add =
  (event: ParamEvent): Change =>
  (events, now, initial) =>
    withEvent(events, event, now, initial);

const changes = {
  setValueAtTime: (value: number, time: number) => add({ kind: 'set', time, value }),
  linearRampToValueAtTime: (value: number, time: number) => add({ kind: 'linear', time, value }),
  exponentialRampToValueAtTime: (value: number, time: number) => add({ kind: 'exponential', time, value }),
  setTargetAtTime: (value: number, time: number, timeConstant: number) =>
    add({ kind: 'target', time, value, timeConstant }),
  setValueCurveAtTime: (values: Iterable<number>, time: number, duration: number) =>
    add({ kind: 'curve', time, values: [...values], duration }),
  cancelScheduledValues:
    (time: number): Change =>
    (events, now) =>
      withoutEvents(events, Math.max(now, time)),
  cancelAndHoldAtTime:
    (time: number): Change =>
    (events, now, initial) =>
      heldAt(events, Math.max(now, time), initial),
};

function change(known: Known, changed: Change): void {
  const { currentTime: now } = known.context;
  known.events = changed(known.events, now, known.initial);
  // Only the last of the past events still matters: scripts may change a gain in each frame.
  const past = known.events.findLastIndex(({ time }) => time <= now);
  const last = known.events[past];
  if (!last) return;
  known.initial = valueAt(known.events.slice(0, past), last.time, known.initial);
  known.events = known.events.slice(past);
}

function redefine(owner: object, name: string, accessors: PropertyDescriptor): void {
  Object.defineProperty(owner, name, { ...accessors, configurable: true, enumerable: true });
}
