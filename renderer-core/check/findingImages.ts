// Images of findings: the frames with boxes around what is wrong, and one sheet with all of them.
import { join } from 'node:path';
import type { Size } from '../model/declaredSizes.ts';
import { createFolder, openFileOutput } from '../project/output/outputTarget.ts';
import { contactSheet, type DrawnImage, drawImage, imageTag } from '../render/snapshot/frameImages.ts';
import type { RenderPlace } from '../render/types.ts';
import type { CheckFinding } from './checkReport.ts';
import type { Box } from './sight.ts';

/** A finding, and the image of its frame, which has this size. */
export type Still = { finding: CheckFinding; picture: string; size: Size };

/** At most this many images for each check and size: the others look alike. */
const mostOfCheck = 3;
const mostStills = 40;

/** Writes the images into `folder`, and returns their paths. If there are several sizes, names and captions have them. */
export async function drawStills(
  stills: readonly Still[],
  findings: readonly CheckFinding[],
  { folder, isOneSize }: { folder: string; isOneSize: boolean },
  { session, site, browsers }: RenderPlace,
): Promise<string[]> {
  const chosen = chooseStills(stills.filter(({ finding }) => findings.includes(finding)));
  if (chosen.length === 0) return [];
  await createFolder(folder);
  const lease = await browsers.lease({ timezone: 'UTC', locale: 'en-US', graphics3d: false });
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
    for (const [index, still] of chosen.entries())
      await write(nameOf(still.finding, index, isOneSize), stillPage(still));
    const shown = chosen.map(({ finding, size }, index) => ({
      file: written[index] ?? '',
      caption: captionOf(finding, isOneSize),
      size,
    }));
    await write('findings.png', contactSheet(shown));
  } finally {
    await lease.release();
  }
  return written;
}

function chooseStills(stills: readonly Still[]): Still[] {
  const counts = new Map<string, number>();
  return stills
    .filter(({ finding: { rule, size } }) => {
      const count = (counts.get(`${rule} ${size}`) ?? 0) + 1;
      counts.set(`${rule} ${size}`, count);
      return count <= mostOfCheck;
    })
    .slice(0, mostStills);
}

function nameOf({ rule, frame, row, size }: CheckFinding, index: number, isOneSize: boolean): string {
  const ofRow = row === null ? '' : `-row-${row + 1}`;
  const ofSize = isOneSize ? '' : `-${size}`;
  return `${String(index + 1).padStart(2, '0')}-${rule}${ofSize}${ofRow}-frame-${frame}.png`;
}

const captionOf = ({ rule, seconds, row, size }: CheckFinding, isOneSize: boolean): string =>
  `${rule}, ${Number(seconds.toFixed(2))} s${row === null ? '' : `, row ${row + 1}`}${isOneSize ? '' : `, ${size}`}`;

/** The part of the frame that is not concerned is darker. */
function stillPage({ finding: { box }, picture, size }: Still): DrawnImage {
  return { ...size, html: `${imageTag(0, size)}${box ? outline(box, size) : ''}`, files: [picture] };
}

const room = 6;

function outline({ left, top, width, height }: Box, size: Size): string {
  const x = Math.max(0, left - room);
  const y = Math.max(0, top - room);
  const right = Math.min(size.width, left + width + room);
  const bottom = Math.min(size.height, top + height + room);
  const line = Math.max(2, Math.round(size.width / 480));
  return `<div style="position:absolute;box-sizing:border-box;left:${x}px;top:${y}px;width:${right - x}px;height:${bottom - y}px;border:${line}px solid #ff2d6f;box-shadow:0 0 0 ${line}px #fff8,0 0 0 9999px #0006"></div>`;
}
