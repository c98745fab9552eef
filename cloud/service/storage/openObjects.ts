// Opens the object store that the settings name: a folder on disk or an S3 bucket.
import { join } from 'node:path';
import type { ServiceApp } from '../api/requestEnv.ts';
import type { ServiceSettings } from '../settings.ts';
import { createDiskObjects } from './diskObjects.ts';
import type { FileUrlOptions } from './fileUrls.ts';
import type { ObjectStore } from './objectStore.ts';

export type OpenObjects = { objects: ObjectStore; mount(app: ServiceApp): void };

type ObjectLocation = Pick<ServiceSettings, 'objects' | 'dataDir' | 'publicUrl'>;

export async function openObjects(
  { objects: kind, dataDir, publicUrl }: ObjectLocation,
  { env, ...signing }: Omit<FileUrlOptions, 'publicUrl'> & { env: NodeJS.ProcessEnv },
): Promise<OpenObjects> {
  const urls = { publicUrl, ...signing };
  if (kind.kind === 's3') {
    // Its warning about future versions would corrupt a log that programs read.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    // Loading the SDK takes a second, so it is only imported where a bucket is used.
    const { openS3Objects } = await import('./s3Objects.ts');
    const { serveFromBucket } = await import('./bucketFiles.ts');
    return serveFromBucket(await openS3Objects(kind, { now: signing.now, env }), urls);
  }
  const disk = createDiskObjects({ folder: join(dataDir, 'objects'), ...urls });
  return { objects: disk, mount: disk.mount };
}
