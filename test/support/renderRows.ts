// Renders as rows of the database, in any state, without anybody rendering them.
import { Readable } from 'node:stream';
import { newId } from '../../renderer-core/service/ids.ts';
import type { RenderRow } from '../../renderer-core/service/tables.ts';
import type { WebService } from './webService.ts';

/** Its id. A video that is named is there, too. */
export async function addRender(service: WebService, email: string, row: Partial<RenderRow>): Promise<string> {
  const { database, objects } = service.context;
  const account = await database
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  if (row.video_key) await objects.put(row.video_key, Readable.from(['video']), { contentType: 'video/mp4' });
  const render: RenderRow = {
    id: newId('rnd'),
    account_id: account.id,
    status: 'queued',
    progress: 0,
    title: null,
    callback_id: null,
    callback_url: null,
    asset_id: null,
    project_url: 'https://example.com/project.zip',
    composition: 'index.html',
    fps: null,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    aspect_ratio: null,
    variables: '{}',
    strict_variables: 0,
    video_key: null,
    video_bytes: null,
    thumbnail_key: null,
    duration: null,
    credits: null,
    failure_code: null,
    failure_message: null,
    warnings: null,
    created_at: service.context.now(),
    started_at: null,
    completed_at: null,
    deleted_at: null,
    lease_owner: null,
    lease_expires_at: null,
    attempts: 0,
    ...row,
  };
  await database.insertInto('renders').values(render).execute();
  return render.id;
}
