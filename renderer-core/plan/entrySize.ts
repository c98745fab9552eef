// The size of the composition to render. Files that embed it are read only if it does not declare its size.
import { attr } from '../model/attributes.ts';
import { type Composition, parseComposition } from '../model/composition.ts';
import { type CompositionSize, compositionSize } from '../model/compositionSize.ts';
import { referenceBase, referenceCandidates } from '../model/graph.ts';

type HtmlFiles = {
  /** Undefined when the file does not exist. */
  read(path: string): string | undefined;
  exists(path: string): boolean;
  /** The paths of the HTML files of the project, sorted. */
  htmlFiles(): string[];
};

export function entrySize(path: string, entry: Composition, files: HtmlFiles): CompositionSize {
  const { width, height } = entry;
  if (width && height) return { width: width.value, height: height.value };
  const compositions = new Map([[path, entry]]);
  for (const from of files.htmlFiles()) {
    const text = compositions.has(from) ? '' : (files.read(from) ?? '');
    // Only files that embed others can be hosts.
    if (text.includes(attr.compositionSrc)) compositions.set(from, parseComposition(text));
  }
  const target = (from: string, source: string) => {
    const base = referenceBase(from, compositions.get(from) ?? { base: null });
    return referenceCandidates(base, source).find((candidate) => files.exists(candidate)) ?? null;
  };
  const embeds = (from: string, to: string) =>
    compositions.get(from)?.hosts.some(({ src }) => target(from, src.text) === to) ?? false;
  return compositionSize(path, {
    composition: (one) => compositions.get(one),
    embeddersOf: (to) => [...compositions.keys()].filter((from) => embeds(from, to)).sort(),
    target,
  });
}
