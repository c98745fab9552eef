// The files of a bucket at URLs of the service, which redirect to the bucket: what was signed for an hour can be withdrawn.
import type { Context, Hono } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import type { ServiceEnv } from '../api/requestEnv.ts';
import { type FileUrlOptions, mountFiles, type SignedFile, signFileUrl } from './fileUrls.ts';
import { disposition, type ObjectStore } from './objectStore.ts';

/** How long the bucket accepts the start of a download. */
const redirectMs = 60_000;

export async function serveFromBucket(
  bucket: ObjectStore,
  urls: FileUrlOptions,
): Promise<{ objects: ObjectStore; mount(app: Hono<ServiceEnv>): void }> {
  const label = { filename: 'a.mp4', contentType: 'video/mp4' };
  const { origin } = new URL(await bucket.signedUrl('videos/a.mp4', { expiresAt: urls.now() + redirectMs, ...label }));
  return {
    objects: { ...bucket, origin, signedUrl: async (key, file) => signFileUrl(urls, key, file) },
    mount: (app) => mountFiles(app, urls, (c, file) => redirect(c, bucket, file, urls.now() + redirectMs)),
  };
}

async function redirect(
  c: Context<ServiceEnv>,
  bucket: ObjectStore,
  { key, filename, contentType }: SignedFile,
  expiresAt: number,
): Promise<Response> {
  // The bucket's URL is signed for GET.
  if (c.req.method === 'HEAD') {
    const size = await bucket.size(key);
    if (size === undefined) throw new ApiError('not_found', 'This file was deleted.');
    const headers = { 'content-length': String(size), 'content-type': contentType, 'accept-ranges': 'bytes' };
    return new Response(null, { headers: { ...headers, 'content-disposition': disposition(filename) } });
  }
  return c.redirect(await bucket.signedUrl(key, { expiresAt, filename, contentType }), 302);
}
