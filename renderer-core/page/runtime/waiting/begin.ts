// How work that scripts have started is counted until it ends.

/** Begins something, and returns the function that ends it. `name`: a URL or a function, for messages. */
export type Begin = (name: string) => () => void;

export function endWith(target: EventTarget, types: readonly string[], end: () => void): () => void {
  for (const type of types) target.addEventListener(type, end, { once: true });
  return end;
}
