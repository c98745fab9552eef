// Inserts renders into the database in any state.
import { Readable } from 'node:stream';
import { newId } from '../../../cloud/service/storage/ids.ts';
import type { RenderRow } from '../../../cloud/service/storage/tables.ts';
import { renderRow } from './serviceDatabase.ts';
import type { WebService } from './webService.ts';

/** Returns the ID. If the row names a video, it is created too. */
export async function addRender(service: WebService, email: string, row: Partial<RenderRow>): Promise<string> {
  const { database, objects } = service.context;
  const account = await database
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  if (row.video_key) await objects.put(row.video_key, Readable.from(['video']), { contentType: 'video/mp4' });
  const render = renderRow(newId('rnd'), { account_id: account.id, created_at: service.context.now(), ...row });
  await database.insertInto('renders').values(render).execute();
  return render.id;
}
