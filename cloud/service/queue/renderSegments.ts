// Finished segments of a requeued render. They are stored until it ends, so that its next attempt continues with them.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ServiceContext } from '../context.ts';
import type { RenderRow } from '../storage/tables.ts';
import type { Lease } from './leases.ts';
import { openResult } from './openResult.ts';

type Stored = Pick<RenderRow, 'id' | 'segments'>;

/** The folder of segments inside the folder of a worker. */
export const segmentsFolder = (folder: string): string => join(folder, 'segments');

const keyOf = (render: string, name: string): string => `segments/${render}-${name}`;
const namesOf = ({ segments }: Stored): string[] => JSON.parse(segments ?? '[]') as string[];

/** The objects of a render's segments. */
export const segmentKeys = (render: Stored): string[] => namesOf(render).map((name) => keyOf(render.id, name));

/** Copies the segments of earlier attempts into the worker's folder. */
export async function fetchSegments({ objects }: ServiceContext, render: Stored, folder: string): Promise<void> {
  const names = namesOf(render);
  if (names.length === 0) return;
  await mkdir(segmentsFolder(folder), { mode: 0o700 });
  for (const name of names) {
    const found = await objects.get(keyOf(render.id, name));
    if (found) await pipeline(found.body, createWriteStream(join(segmentsFolder(folder), name), { mode: 0o600 }));
  }
}

/** Stores the segments in the worker's folder that were not stored before. */
export async function storeSegments(
  { database, objects, log }: ServiceContext,
  { render, owner }: Lease,
  folder: string,
): Promise<void> {
  const stored = namesOf(render);
  const found = await readdir(segmentsFolder(folder)).catch(() => []);
  const names = found.filter((name) => !name.startsWith('.') && !stored.includes(name));
  if (names.length === 0) return;
  // Named before they are stored, so that they are deleted even if this service is killed meanwhile.
  const { numUpdatedRows } = await database
    .updateTable('renders')
    .set({ segments: JSON.stringify([...stored, ...names]) })
    .where('id', '=', render.id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'rendering')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  try {
    for (const name of names) {
      const file = await openResult(segmentsFolder(folder), name);
      await objects.put(keyOf(render.id, name), file.createReadStream(), { contentType: 'application/octet-stream' });
    }
  } catch (error) {
    // The render only takes longer without them.
    log('warn', 'segments could not be stored', { render: render.id, error: String(error) });
  }
}

/** Deletes the segments of a render that has ended. If that fails, retention repeats it. */
export async function deleteSegments({ database, objects, log }: ServiceContext, render: Stored): Promise<void> {
  if (render.segments === null) return;
  try {
    for (const key of segmentKeys(render)) await objects.delete(key);
    await database.updateTable('renders').set({ segments: null }).where('id', '=', render.id).execute();
  } catch (error) {
    log('warn', 'segments could not be deleted', { render: render.id, error: String(error) });
  }
}
