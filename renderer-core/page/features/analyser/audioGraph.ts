// Which nodes of an AudioContext are connected. Scripts cannot ask for that.

/** `output`: the number of the output of `from`. */
export type Connection = { from: AudioNode; to: AudioNode; output: number };

export type AudioGraph = {
  /** The connections to a node. */
  inputs(node: AudioNode): readonly Connection[];
};

/** Call before scripts run. */
export function watchConnections(window: Window & typeof globalThis): AudioGraph {
  const { AudioNode, AudioParam } = window;
  const inputs = new WeakMap<AudioNode, readonly Connection[]>();
  const outputs = new WeakMap<AudioNode, readonly Connection[]>();
  const { connect, disconnect } = AudioNode.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const remove = (removed: readonly Connection[]): void => {
    const rest = (connections: readonly Connection[] = []) => connections.filter((each) => !removed.includes(each));
    for (const { from, to } of removed) {
      inputs.set(to, rest(inputs.get(to)));
      outputs.set(from, rest(outputs.get(from)));
    }
  };
  /** Of a node, those to `to` and from `output`; undefined for any. */
  const find = (from: AudioNode, to?: AudioNode, output?: unknown): readonly Connection[] =>
    (outputs.get(from) ?? []).filter(
      (each) => (to === undefined || each.to === to) && (output === undefined || each.output === output),
    );
  Object.assign(AudioNode.prototype, {
    connect(this: AudioNode, ...args: unknown[]) {
      const result = connect?.apply(this, args);
      const [to, output = 0] = args;
      if (to instanceof AudioNode && find(this, to, output).length === 0) {
        const connection = { from: this, to, output: Number(output) };
        inputs.set(to, [...(inputs.get(to) ?? []), connection]);
        outputs.set(this, [...(outputs.get(this) ?? []), connection]);
      }
      return result;
    },
    disconnect(this: AudioNode, ...args: unknown[]) {
      disconnect?.apply(this, args);
      const [first, second] = args;
      if (first instanceof AudioNode) remove(find(this, first, second));
      else if (!(first instanceof AudioParam)) remove(find(this, undefined, first));
    },
  });
  return { inputs: (node) => inputs.get(node) ?? [] };
}
