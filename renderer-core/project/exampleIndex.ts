// The format of `examples/examples.json`. Does not use Node, because VS Code for the Web reads it too.

/** Paths are relative to the folder `examples/<name>`, with slashes. */
export type Example = {
  name: string;
  title: string;
  /** One line for a list. */
  description: string;
  /** Size and duration to display: `1920×1080, 9 s`. */
  shape: string;
  /** The composition to open first. */
  open: string;
  /** All files of a project that is created from the example. */
  files: string[];
};

/** `shared` maps files to the same file of another example. Only packaged examples have it. */
export type ExampleIndex = { examples: Example[]; shared?: Record<string, string> };

export const indexFile = 'examples.json';

/** The path of an example's file below the folder of examples. */
export function sourceOf({ shared = {} }: ExampleIndex, { name }: Example, file: string): string {
  const path = `${name}/${file}`;
  return shared[path] ?? path;
}
