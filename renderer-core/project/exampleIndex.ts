// What the examples are, as `examples/examples.json` says. Without Node: the editor reads it too, also in a browser tab.

/** A project to begin with. Paths are relative to its folder `examples/<name>`, POSIX. */
export type Example = {
  name: string;
  title: string;
  /** One line for a list. */
  description: string;
  /** Size and length for people: `1920×1080, 9 s`. */
  shape: string;
  /** The composition to look at first. */
  open: string;
  /** All that belongs into a project made of it. */
  files: string[];
};

/** `shared`: files that stand elsewhere below `examples/`, because another example has the same; only in packages. */
export type ExampleIndex = { examples: Example[]; shared?: Record<string, string> };

export const indexFile = 'examples.json';

/** Where the bytes of an example's file are, below the folder of examples. */
export function sourceOf({ shared = {} }: ExampleIndex, { name }: Example, file: string): string {
  const path = `${name}/${file}`;
  return shared[path] ?? path;
}
