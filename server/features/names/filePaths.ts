// Every place in a file that names another file of the project: hosts, attributes and styles, values of variables, scripts.
import { attr } from '../../renderer-core/model/attributes.ts';
import { referenceCandidates } from '../../renderer-core/model/graph.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import type { SourceFile } from './file.ts';
import { jsonAttributes, jsonNodes } from './jsonAttributes.ts';
import { namesIn } from './names.ts';
import { onePerPlace } from './onePerPlace.ts';
import { insideQuotes, type Layer } from './spelling.ts';

/**
 * One reference to a file. `url` is what is meant, without escapes; `span` covers it. `target` is the project-relative file
 * that it names: one that is there, else the likeliest. `from` is the file that it is relative to: values that a host gives are
 * relative to what it embeds. `isPlain`: the text is not part of a style or list, in which some signs mean something.
 */
export type FilePath = {
  url: string;
  span: Span;
  layers: readonly Layer[];
  target: string;
  from: string;
  by: 'host' | 'html' | 'value' | 'script';
  isPlain: boolean;
};

/** The references of a file in the order they stand, without those in scripts. Never throws. */
export function filePaths(file: SourceFile): FilePath[] {
  const { composition } = file;
  const paths: FilePath[] = [];
  const add = (path: Omit<FilePath, 'target' | 'from'>) => {
    const target = targetOf(file, file.path, path.url);
    if (target !== undefined) paths.push({ ...path, target, from: file.path });
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
  return onePerPlace([...paths, ...valuePaths(file)], ({ span }) => span.start);
}

/** The file that a reference means: one that is there, else the likeliest; undefined for another place than the project. */
function targetOf({ project }: SourceFile, from: string, url: string): string | undefined {
  const candidates = referenceCandidates(from, url);
  return candidates.find((path) => project.exists(path) === true) ?? candidates[0];
}

function attributeLayer(element: HtmlElement, name: string): Layer {
  return { as: 'attribute', quote: element.attributes.get(name)?.quote ?? '' };
}

/** A text that could be a file's path at all: most values are not, and need not be looked for. */
const pathLike = /^[^\s<>{}|*"][^\n<>{}|*"]*\.\w{1,8}(?:[?#].*)?$/;

/** Strings in declarations and values that name files which are there. */
function valuePaths(file: SourceFile): FilePath[] {
  const { composition, project } = file;
  const hosts = new Map(composition.hosts.map(({ element, src }) => [element, src.text]));
  return jsonAttributes(composition).flatMap(({ of, element, attribute, root }) => {
    if (of === 'grading' || !root) return [];
    const source = hosts.get(element);
    const from = (source !== undefined && project.target(file.path, source)) || file.path;
    return [...jsonNodes(root)].flatMap((node): FilePath[] => {
      if (node.kind !== 'string' || !pathLike.test(node.value)) return [];
      const target = targetOf(file, from, node.value);
      if (target === undefined || project.exists(target) !== true) return [];
      const layers: Layer[] = [{ as: 'json' }, { as: 'attribute', quote: attribute.quote }];
      const span = insideQuotes(composition.text, node.span);
      return [{ url: node.value, span, layers, target, from, by: 'value', isPlain: true }];
    });
  });
}

/** Strings in scripts that name files which are there. */
export function scriptPaths(file: SourceFile): FilePath[] {
  return namesIn(file.composition).scripts.texts.flatMap(({ value, span, quote, use }): FilePath[] => {
    if (use !== 'text' || !pathLike.test(value)) return [];
    const target = targetOf(file, file.path, value);
    if (target === undefined || file.project.exists(target) !== true) return [];
    const layers: Layer[] = [{ as: 'script-text', quote }];
    return [{ url: value, span, layers, target, from: file.path, by: 'script', isPlain: true }];
  });
}
