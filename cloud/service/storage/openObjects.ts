// Opens the object store that the settings name: a folder on disk or an S3 bucket.
import { join } from 'node:path';
import type { ServiceApp } from '../api/requestEnv.ts';
import type { ServiceSettings } from '../settings.ts';
import { createDiskObjects } from './diskObjects.ts';
import type { ObjectStore } from './objectStore.ts';

export type OpenObjects = { objects: ObjectStore; mount(app: ServiceApp): void };

type ObjectLocation = Pick<ServiceSettings, 'objects' | 'dataDir' | 'publicUrl'>;

/** Files in a bucket are read at the bucket's own URLs, so they need no route. */
export async function openObjects(
  { objects: kind, dataDir, publicUrl }: ObjectLocation,
  { urlKey, now, env }: { urlKey: Buffer; now: () => number; env: NodeJS.ProcessEnv },
): Promise<OpenObjects> {
  if (kind.kind === 's3') {
    // Its warning about future versions would corrupt a log that programs read.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    // Loading the SDK takes a second, so it is only imported where a bucket is used.
    const { openS3Objects } = await import('./s3Objects.ts');
    return { objects: await openS3Objects(kind, { now, env }), mount: () => undefined };
  }
  const disk = createDiskObjects({ folder: join(dataDir, 'objects'), publicUrl, urlKey, now });
  return { objects: disk, mount: disk.mount };
}
