// References to files of the project in hosts, attributes, styles, values of variables, and scripts.
import { attr } from '../../../renderer-core/model/attributes.ts';
import { referenceBase, referenceCandidates } from '../../../renderer-core/model/graph.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { distinctByStart } from '../distinctByStart.ts';
import { jsonAttributes, jsonNodes } from '../schemas/jsonAttributes.ts';
import type { SourceFile } from '../sourceFile.ts';
import { namesIn } from './names.ts';
import { insideQuotes, type Layer } from './spelling.ts';

/**
 * A reference to a file. `url`: without escapes; `span` covers it. `target`: the project-relative file that it refers to, an
 * existing one if possible. `file`: the file that it belongs to, for values of a host the
 * embedded one; `from`: what it is relative to, see `referenceBase`.
 * `isPlain`: it is not part of a style or list, where some characters have a meaning.
 */
export type FilePath = {
  url: string;
  span: Span;
  layers: readonly Layer[];
  target: string;
  from: string;
  file: string;
  by: 'host' | 'html' | 'value' | 'script';
  isPlain: boolean;
};

/** The references in a file in source order, except those in scripts. Never throws. */
export function filePaths(file: SourceFile): FilePath[] {
  const { composition } = file;
  const paths: FilePath[] = [];
  const add = (path: Omit<FilePath, 'target' | 'from' | 'file'>) => {
    const from = referenceBase(file.path, composition, path.span.start);
    const target = targetOf(file, from, path.url);
    if (target !== undefined) paths.push({ ...path, target, from, file: file.path });
  };
  for (const { element, src } of composition.hosts) {
    const layers = [attributeLayer(element, attr.compositionSrc)];
    if (src.text !== '') add({ url: src.text, span: src.span, layers, by: 'host', isPlain: true });
  }
  for (const { element, url, span, attribute } of composition.assetReferences) {
    const layers = attribute === null ? [] : [attributeLayer(element, attribute)];
    const isPlain = attribute !== null && attribute !== 'style' && attribute !== 'srcset';
    add({ url, span, layers, by: 'html', isPlain });
  }
  return distinctByStart([...paths, ...valuePaths(file)], ({ span }) => span.start);
}

/** The file that a URL refers to, an existing one if possible; undefined if it is outside the project. */
function targetOf({ project }: SourceFile, from: string, url: string): string | undefined {
  const candidates = referenceCandidates(from, url);
  return candidates.find((path) => project.exists(path) === true) ?? candidates[0];
}

function attributeLayer(element: HtmlElement, name: string): Layer {
  return { as: 'attribute', quote: element.attributes.get(name)?.quote ?? '' };
}

/** Text that could be a path. Most values are not, and need not be looked up. */
const pathLike = /^[^\s<>{}|*"][^\n<>{}|*"]*\.\w{1,8}(?:[?#].*)?$/;

/** Strings in declarations and values that refer to existing files. */
function valuePaths(file: SourceFile): FilePath[] {
  const { composition, project } = file;
  const hosts = new Map(composition.hosts.map(({ element, src }) => [element, src.text]));
  return jsonAttributes(composition).flatMap(({ of, element, attribute, root }) => {
    if (of === 'grading' || !root) return [];
    const source = hosts.get(element);
    const owner = (source !== undefined && project.target(file.path, source)) || file.path;
    const from = referenceBase(owner, project.composition(owner) ?? { base: null });
    return [...jsonNodes(root)].flatMap((node): FilePath[] => {
      if (node.kind !== 'string' || !pathLike.test(node.value)) return [];
      const target = targetOf(file, from, node.value);
      if (target === undefined || project.exists(target) !== true) return [];
      const layers: Layer[] = [{ as: 'json' }, { as: 'attribute', quote: attribute.quote }];
      const span = insideQuotes(composition.text, node.span);
      return [{ url: node.value, span, layers, target, from, file: owner, by: 'value', isPlain: true }];
    });
  });
}

/** Strings in scripts that refer to existing files. */
export function scriptPaths(file: SourceFile): FilePath[] {
  const from = referenceBase(file.path, file.composition);
  return namesIn(file.composition).scripts.texts.flatMap(({ value, span, quote, use }): FilePath[] => {
    if (use !== 'text' || !pathLike.test(value)) return [];
    const target = targetOf(file, from, value);
    if (target === undefined || file.project.exists(target) !== true) return [];
    const layers: Layer[] = [{ as: 'script-text', quote }];
    return [{ url: value, span, layers, target, from, file: file.path, by: 'script', isPlain: true }];
  });
}
