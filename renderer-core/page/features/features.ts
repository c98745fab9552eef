// The table of features.
import type { ProjectGraph } from '../../model/graph.ts';
import type { PageNeeds } from '../runtime/page.ts';
import { backdrop } from './backdrop/backdrop.ts';
import { banding } from './banding/banding.ts';
import { canvas } from './canvas/canvas.ts';
import { depth } from './depth/depth.ts';
import type { Feature } from './feature.ts';
import { mergeTraits, type PageTraits } from './pageTraits.ts';
import { topLayer } from './topLayer/topLayer.ts';
import { video } from './video/video.ts';
import { webgl } from './webgl/webgl.ts';

export const features: readonly Feature[] = [backdrop, banding, canvas, depth, topLayer, video, webgl];

/** What the files of a project show about its page. */
export function expectedOf(graph: ProjectGraph): { needs: PageNeeds; traits: PageTraits } {
  const expected = features.map(({ expect }) => expect?.(graph));
  return {
    needs: mergeNeeds(...expected.map((one) => one?.needs)),
    traits: mergeTraits(...expected.map((one) => one?.traits)),
  };
}

export function mergeNeeds(...given: readonly (Partial<PageNeeds> | undefined)[]): PageNeeds {
  const needs = (name: keyof PageNeeds) => given.some((one) => one?.[name] === true);
  return { graphics3d: needs('graphics3d'), displayRate: needs('displayRate') };
}
