// Signed URLs of files, below `/files/` of the service. The service checks each request, so that the files of a suspended account
// cannot be read any more.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import type { ServiceEnv } from '../api/requestEnv.ts';
import type { FileLabel } from './objectStore.ts';
import type { Database } from './tables.ts';

export type FileUrlOptions = {
  publicUrl: string;
  urlKey: Buffer;
  now(): number;
  /** Whether the file may be read now, whatever was signed. */
  mayRead?(key: string): Promise<boolean>;
};

/** A file that a request may read, for `secondsLeft`. */
export type SignedFile = FileLabel & { key: string; secondsLeft: number };

export const signFileUrl = (
  { publicUrl, urlKey }: FileUrlOptions,
  key: string,
  { expiresAt, filename, contentType }: FileLabel & { expiresAt: number },
): string => {
  const expires = String(Math.ceil(expiresAt / 1000));
  const query = new URLSearchParams({ expires, name: filename, type: contentType });
  query.set('signature', sign(urlKey, [key, expires, filename, contentType]));
  return `${publicUrl}/files/${key}?${query}`;
};

/** `GET /files/<key>`. */
export function mountFiles(
  app: Hono<ServiceEnv>,
  options: FileUrlOptions,
  send: (c: Context<ServiceEnv>, file: SignedFile) => Promise<Response>,
): void {
  app.get('/files/:folder/:name', async (c) => send(c, await signedFile(c, options)));
}

/** Throws ApiError `permission_denied`. */
async function signedFile(c: Context<ServiceEnv>, { urlKey, now, mayRead }: FileUrlOptions): Promise<SignedFile> {
  const key = `${c.req.param('folder')}/${c.req.param('name')}`;
  const { expires = '', name = '', type = '', signature = '' } = c.req.query();
  const expected = Buffer.from(sign(urlKey, [key, expires, name, type]));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new ApiError('permission_denied', 'The signature of this URL is invalid.');
  const secondsLeft = Number(expires) - now() / 1000;
  if (secondsLeft <= 0)
    throw new ApiError('permission_denied', 'This URL has expired. Get the render again for a new URL.');
  if (mayRead && !(await mayRead(key)))
    throw new ApiError('permission_denied', 'The account of this file is suspended.');
  return { key, filename: name, contentType: type, secondsLeft };
}

function sign(urlKey: Buffer, parts: readonly string[]): string {
  return createHmac('sha256', urlKey).update(parts.join('\n')).digest('base64url');
}

/** Files are named by their render. */
export async function isOfActiveAccount(database: Database, key: string): Promise<boolean> {
  const render = key.slice(key.indexOf('/') + 1, key.lastIndexOf('.'));
  const account = await database
    .selectFrom('renders')
    .innerJoin('accounts', 'accounts.id', 'renders.account_id')
    .select('accounts.suspended_at')
    .where('renders.id', '=', render)
    .executeTakeFirst();
  return account === undefined || account.suspended_at === null;
}
