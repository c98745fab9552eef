// What a video of 10 bits cannot show: footage, effects and ways to capture that end at 8 bits or at white.
import { UserError } from '../errors.ts';
import type { ProjectGraph } from '../model/graph.ts';
import { indexLines, positionAt } from '../model/text/spans.ts';
import { given } from '../model/variables/given.ts';
import type { Refusal } from '../page/features/capturePart.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { SourceLocation } from '../reports/errorJson.ts';
import type { PageFacts, ProgressReporter } from './types.ts';

/** Throws UserError with the line of the element. */
export function checkRefusals([first]: readonly Refusal[], graph: ProjectGraph): void {
  if (!first) return;
  const { message, hint, element } = first;
  throw new UserError('composition_invalid', message, { hint, ...given({ place: placeOf(element, graph) }) });
}

function placeOf({ tag, name }: Refusal['element'], { files }: ProjectGraph): SourceLocation | undefined {
  for (const [file, { html, text }] of files) {
    const found = html.elements.find(
      ({ tag: own, attributes }) =>
        own === tag && ['id', 'src'].some((attribute) => attributes.get(attribute)?.value === name),
    );
    if (found) return { file, ...positionAt(indexLines(text), found.startTag.start) };
  }
  return undefined;
}

/** Screenshots have 8 bits, and nothing in them is brighter than white. Throws UserError if the video would be wrong. */
export function checkScreenshots(
  { format, hdr, bitDepth }: RenderPlan,
  { traits }: PageFacts,
  reason: string,
  emit: ProgressReporter['emit'],
): void {
  if (hdr === 'hlg' || (hdr && format === 'png') || traits.needsPainting) {
    const what = format === 'png' ? 'HDR images' : 'This HDR video';
    throw new UserError('render_failed', `${what} cannot be made of screenshots, which the page needs: ${reason}`, {
      hint: 'Leave out --hdr, or change what cannot be painted.',
    });
  }
  if (bitDepth === 10)
    emit({
      type: 'warning',
      message: 'The frames are screenshots with 8 bits, so gradients may have bands in the video.',
    });
}

/** `limits`: elements, each with the effect that ends at white. */
export const limitsWarning = (limits: readonly string[]): string =>
  `Nothing in these elements is brighter than white: ${limits.join(', ')}`;
