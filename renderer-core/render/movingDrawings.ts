// Warnings of animated SVG files in styles and in `<image>`. The browser moves them in real time, so a render shows them at
// random times.
import * as l10n from '@vscode/l10n';
import { type ProjectGraph, referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { isAnimatedSvg } from '../model/svgAnimations.ts';

/** A URL in `text`, the text of `file`, that is loaded as an image. */
type ImageUrl = { file: string; text: string; start: number; url: string };

/** `read` returns undefined for a missing file. One warning for each SVG file. */
export function movingDrawings(graph: ProjectGraph, read: (path: string) => string | undefined): string[] {
  const warnings = new Map<string, string>();
  const seen = new Set<string>();
  for (const { file, text, start, url } of realTimeUrls(graph)) {
    const path = referenceCandidates(file, url).find((candidate) => /\.svg$/i.test(candidate));
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    if (!isAnimatedSvg(read(path) ?? '')) continue;
    const { line, column } = lineAndColumn(text, start);
    warnings.set(
      path,
      l10n.t`${file}:${line}:${column}: The animations of ${path} run in real time, so every render shows other frames of them. Use an <img>, or put the <svg> into the page: there they follow the composition.`,
    );
  }
  return [...warnings.values()];
}

/** In `<img>`, animated files follow the composition (runtime/svg). */
const realTimeTags = new Set(['image', 'feImage']);

function realTimeUrls(graph: ProjectGraph): ImageUrl[] {
  return [...graph.files].flatMap(([file, { assetReferences, text }]) =>
    assetReferences
      .filter(({ tag, attribute }) => realTimeTags.has(tag) || attribute === null || attribute === 'style')
      .map(({ url, span }) => ({ file, text, start: span.start, url })),
  );
}
