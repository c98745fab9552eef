// Which files of the object store the rows of a database need.
import { segmentKeys } from '../queue/renderSegments.ts';
import type { Session } from '../storage/tables.ts';

/** Segments of renders came with this migration. */
const segmentsSince = '006-render-time';

/**
 * Keys of files, except those of deleted projects and renders: no request or render reads them any more, and deleting them
 * again after a restore does no harm.
 */
export async function namedObjects(session: Session, migrations: readonly string[]): Promise<Set<string>> {
  const assets = await session
    .selectFrom('assets')
    .select('object_key')
    .where('deleted_at', 'is', null)
    // Retention clears the key when it deletes the file.
    .where('object_key', '!=', '')
    .execute();
  const results = await session
    .selectFrom('renders')
    .select(['video_key', 'thumbnail_key'])
    .where('deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('video_key', 'is not', null), eb('thumbnail_key', 'is not', null)]))
    .execute();
  const segments = migrations.includes(segmentsSince)
    ? await session
        .selectFrom('renders')
        .select(['id', 'segments'])
        .where('deleted_at', 'is', null)
        .where('status', 'in', ['queued', 'rendering'])
        .where('segments', 'is not', null)
        .execute()
    : [];
  return new Set([
    ...assets.map(({ object_key }) => object_key),
    ...results.flatMap(({ video_key, thumbnail_key }) => [video_key, thumbnail_key].filter((key) => key !== null)),
    ...segments.flatMap(segmentKeys),
  ]);
}
