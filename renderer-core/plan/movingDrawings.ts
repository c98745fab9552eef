// Warnings of SVG files with animations in images. The browser moves them in real time, so a render shows them at random times.
import * as l10n from '@vscode/l10n';
import { type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { projectInstances } from '../model/projectInstances.ts';
import { lineAndColumn } from '../model/spans.ts';

/** A URL in `text`, the text of `file`, that is loaded as an image. */
type ImageUrl = { file: string; text: string; start: number; url: string };

/** `values`: those given for the entry. `read` returns undefined for a missing file. One warning for each SVG file. */
export function movingDrawings(
  graph: ProjectGraph,
  values: Readonly<Record<string, unknown>>,
  read: (path: string) => string | undefined,
): string[] {
  const warnings = new Map<string, string>();
  const seen = new Set<string>();
  for (const { file, text, start, url } of [...writtenUrls(graph), ...boundUrls(graph, values)]) {
    const path = referenceCandidates(file, url).find((candidate) => /\.svg$/i.test(candidate));
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    if (!isAnimated(read(path) ?? '')) continue;
    const { line, column } = lineAndColumn(text, start);
    warnings.set(
      path,
      l10n.t`${file}:${line}:${column}: The animations of ${path} run in real time, so every render shows other frames of them. Put the <svg> into the page, where they follow the composition.`,
    );
  }
  return [...warnings.values()];
}

/** Animations of SVG, or of CSS. */
export const isAnimated = (svg: string): boolean =>
  /<(?:\w+:)?(?:animate(?:Transform|Motion)?|set)[\s/>]|@(?:-webkit-)?keyframes\s/.test(svg);

const imageTags = new Set(['img', 'source', 'image', 'feImage']);

function writtenUrls(graph: ProjectGraph): ImageUrl[] {
  return [...graph.files].flatMap(([file, { assetReferences, text }]) =>
    assetReferences
      .filter(({ tag, attribute }) => imageTags.has(tag) || attribute === null || attribute === 'style')
      .map(({ url, span }) => ({ file, text, start: span.start, url })),
  );
}

/** The values of variables that elements are bound to. */
function boundUrls(graph: ProjectGraph, given: Readonly<Record<string, unknown>>): ImageUrl[] {
  return projectInstances(graph, given).flatMap(({ file, composition: { bindings, text }, values }) =>
    bindings.flatMap(({ kind, id, element }) => {
      const url = values[id.text];
      const isImage = kind === 'src' && imageTags.has(element.tag) && typeof url === 'string';
      return isImage ? [{ file, text, start: id.span.start, url }] : [];
    }),
  );
}
