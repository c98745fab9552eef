// Warnings of animated SVG files in styles and in `<image>`. The browser moves them in real time, so a render shows them at
// random times. In `<img>`, they follow the composition (runtime/svg).
import * as l10n from '@vscode/l10n';
import { referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { isAnimatedSvg } from '../model/svgAnimations.ts';
import { sheetUrls, type WrittenUrl } from './assetReferences.ts';
import type { OpenProject } from './types.ts';

type Project = Pick<OpenProject, 'graph' | 'files'>;

/** One warning for each SVG file, at its first use. */
export function movingDrawings(project: Project): string[] {
  const seen = new Set<string>();
  return [...realTimeUrls(project), ...sheetUrls(project)].flatMap(({ file, text, start, url }) => {
    const path = referenceCandidates(file, url).find((candidate) => /\.svg$/i.test(candidate));
    if (path === undefined || seen.has(path)) return [];
    seen.add(path);
    if (!isAnimatedSvg(project.files.read(path) ?? '')) return [];
    const { line, column } = lineAndColumn(text, start);
    return l10n.t`${file}:${line}:${column}: The animations of ${path} run in real time, so every render shows other frames of them. Use an <img>, or put the <svg> into the page: there they follow the composition.`;
  });
}

const realTimeTags = new Set(['image', 'feImage']);

function realTimeUrls({ graph }: Project): WrittenUrl[] {
  return [...graph.files].flatMap(([file, { assetReferences, text }]) =>
    assetReferences
      .filter(({ tag, attribute }) => realTimeTags.has(tag) || attribute === null || attribute === 'style')
      .map(({ url, span }) => ({ file, text, url, start: span.start })),
  );
}
