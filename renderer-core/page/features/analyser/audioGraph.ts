// Which nodes of an AudioContext are connected. Scripts cannot ask for that.

export type AudioGraph = {
  /** The nodes whose sound a node gets. */
  inputs(node: AudioNode): Iterable<AudioNode>;
};

/** Call before scripts run. */
export function watchConnections(window: Window & typeof globalThis): AudioGraph {
  const { AudioNode } = window;
  const inputs = new WeakMap<AudioNode, Set<AudioNode>>();
  const outputs = new WeakMap<AudioNode, Set<AudioNode>>();
  const { connect, disconnect } = AudioNode.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  Object.assign(AudioNode.prototype, {
    connect(this: AudioNode, ...args: unknown[]) {
      const result = connect?.apply(this, args);
      const [to] = args;
      if (to instanceof AudioNode) {
        add(inputs, to, this);
        add(outputs, this, to);
      }
      return result;
    },
    disconnect(this: AudioNode, ...args: unknown[]) {
      disconnect?.apply(this, args);
      const [from] = args;
      for (const to of outputs.get(this) ?? []) {
        // A number is an output of this node; nodes with several are rare.
        if (from instanceof AudioNode && from !== to) continue;
        inputs.get(to)?.delete(this);
        outputs.get(this)?.delete(to);
      }
    },
  });
  return { inputs: (node) => inputs.get(node) ?? [] };
}

function add(map: WeakMap<AudioNode, Set<AudioNode>>, key: AudioNode, node: AudioNode): void {
  const known = map.get(key);
  if (known) known.add(node);
  else map.set(key, new Set([node]));
}
