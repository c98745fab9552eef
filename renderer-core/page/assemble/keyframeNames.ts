// Keyframes have names for the whole page, so those of an embedded file get other names where files differ.
import { type CssNode, generate, walk } from 'css-tree';
import type { Span } from '../../model/text/spans.ts';

const isKeyframes = (node: CssNode) => node.type === 'Atrule' && /^(?:-webkit-)?keyframes$/i.test(node.name);

/** The keyframes of rules: their text by name. The last ones of a name count, but all are compared. */
export function keyframesIn(rules: readonly CssNode[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const rule of rules) {
    walk(rule, (node) => {
      const name = nameOf(node)?.name;
      if (name !== undefined) found.set(name, (found.get(name) ?? '') + generate(node));
    });
  }
  return found;
}

/** For each file: the names of its keyframes for which an earlier file has different ones. */
export function clashingKeyframes(files: Iterable<[string, ReadonlyMap<string, string>]>): Map<string, Set<string>> {
  const first = new Map<string, string>();
  const clashing = new Map<string, Set<string>>();
  for (const [file, keyframes] of files) {
    const names = [...keyframes].filter(([name, text]) => (first.get(name) ?? text) !== text).map(([name]) => name);
    clashing.set(file, new Set(names));
    for (const [name, text] of keyframes) if (!first.has(name)) first.set(name, text);
  }
  return clashing;
}

/** Changes the names of keyframes and the animations that use them. */
export function renameKeyframes(rules: readonly CssNode[], rename: (name: string) => string): void {
  for (const rule of rules) {
    walk(rule, (node) => {
      if (node.type === 'Declaration' && isAnimation.test(node.property)) {
        walk(node.value, (part) => setName(part, rename));
      } else {
        const part = nameOf(node)?.part;
        if (part) setName(part, rename);
      }
    });
  }
}

/** The spans of the names in `clashing` in the text of a `style` attribute. */
export function animationNames(style: string, clashing: ReadonlySet<string>): Span[] {
  return [...style.matchAll(/(?<![-\w])(?:-webkit-)?animation(?:-name)?\s*:[^;]*/gi)].flatMap((declaration) =>
    [...declaration[0].matchAll(/[-\w\u0080-\uffff]+/g)]
      .filter(([word]) => clashing.has(word))
      .map(({ 0: word, index }) => ({
        start: declaration.index + index,
        end: declaration.index + index + word.length,
      })),
  );
}

const isAnimation = /^(?:-webkit-)?animation(?:-name)?$/i;

function nameOf(node: CssNode): { part: CssNode; name: string } | undefined {
  if (!isKeyframes(node) || node.type !== 'Atrule' || node.prelude?.type !== 'AtrulePrelude') return undefined;
  const part = node.prelude.children.first;
  if (part?.type === 'Identifier') return { part, name: part.name };
  return part?.type === 'String' ? { part, name: part.value } : undefined;
}

function setName(part: CssNode, rename: (name: string) => string): void {
  if (part.type === 'Identifier') part.name = rename(part.name);
  if (part.type === 'String') part.value = rename(part.value);
}
