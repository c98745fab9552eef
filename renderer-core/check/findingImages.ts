// Images of findings: the frames with boxes around what is wrong, and one sheet with all of them.
import { join } from 'node:path';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { createFolder, openFileOutput } from '../project/output/outputTarget.ts';
import { contactSheet, type DrawnImage, drawImage, imageTag } from '../render/snapshot/frameImages.ts';
import type { RenderPlace } from '../render/types.ts';
import type { CheckFinding } from './checkReport.ts';
import type { Box } from './sight.ts';

/** A finding, and the image of its frame. */
export type Still = { finding: CheckFinding; picture: string };

/** At most this many images for each check: the others look alike. */
const mostOfCheck = 3;
const mostStills = 40;

/** Writes the images into `folder`, and returns their paths. */
export async function drawStills(
  stills: readonly Still[],
  findings: readonly CheckFinding[],
  plan: RenderPlan,
  folder: string,
  { session, site, browsers }: RenderPlace,
): Promise<string[]> {
  const chosen = chooseStills(stills.filter(({ finding }) => findings.includes(finding)));
  if (chosen.length === 0) return [];
  await createFolder(folder);
  const lease = await browsers.lease({ timezone: 'UTC', locale: 'en-US', graphics3d: false });
  const size = { width: plan.width, height: plan.height };
  const written: string[] = [];
  const write = async (name: string, image: DrawnImage): Promise<void> => {
    const target = await openFileOutput(join(folder, name), { signal: session.signal });
    try {
      await drawImage(lease.launched.browser, site.server, image, 'png', target.temporary);
      await target.commit();
      written.push(target.path);
    } finally {
      await target.discard();
    }
  };
  try {
    for (const [index, still] of chosen.entries()) await write(nameOf(still.finding, index), stillPage(still, size));
    const shown = chosen.map(({ finding }, index) => ({ file: written[index] ?? '', caption: captionOf(finding) }));
    await write('findings.png', contactSheet(shown, size));
  } finally {
    await lease.release();
  }
  return written;
}

function chooseStills(stills: readonly Still[]): Still[] {
  const counts = new Map<string, number>();
  return stills
    .filter(({ finding: { rule } }) => {
      const count = (counts.get(rule) ?? 0) + 1;
      counts.set(rule, count);
      return count <= mostOfCheck;
    })
    .slice(0, mostStills);
}

function nameOf({ rule, frame, row }: CheckFinding, index: number): string {
  const ofRow = row === null ? '' : `-row-${row + 1}`;
  return `${String(index + 1).padStart(2, '0')}-${rule}${ofRow}-frame-${frame}.png`;
}

const captionOf = ({ rule, seconds, row }: CheckFinding): string =>
  `${rule}, ${Number(seconds.toFixed(2))} s${row === null ? '' : `, row ${row + 1}`}`;

/** The part of the frame that is not concerned is darker. */
function stillPage({ finding: { box }, picture }: Still, size: { width: number; height: number }): DrawnImage {
  return { ...size, html: `${imageTag(0, size)}${box ? outline(box, size) : ''}`, files: [picture] };
}

const room = 6;

function outline({ left, top, width, height }: Box, size: { width: number; height: number }): string {
  const x = Math.max(0, left - room);
  const y = Math.max(0, top - room);
  const right = Math.min(size.width, left + width + room);
  const bottom = Math.min(size.height, top + height + room);
  const line = Math.max(2, Math.round(size.width / 480));
  return `<div style="position:absolute;box-sizing:border-box;left:${x}px;top:${y}px;width:${right - x}px;height:${bottom - y}px;border:${line}px solid #ff2d6f;box-shadow:0 0 0 ${line}px #fff8,0 0 0 9999px #0006"></div>`;
}
