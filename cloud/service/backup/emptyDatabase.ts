// Whether a PostgreSQL database can receive a backup.
import { sql } from 'kysely';
import { UserError } from '../../../renderer-core/errors.ts';
import { type DatabaseLocation, openUnmigrated } from '../storage/database.ts';

/** Tables of extensions do not count. Throws UserError `config_invalid`. */
export async function rejectFilledDatabase(location: DatabaseLocation): Promise<void> {
  const database = await openUnmigrated(location);
  try {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname limit 1`.execute(database);
    const [first] = rows;
    if (first === undefined) return;
    throw new UserError('config_invalid', `The database at DATABASE_URL is not empty: it has the table ${first.name}`, {
      hint: 'Create an empty database, and set DATABASE_URL to it. The current one stays as it is.',
    });
  } finally {
    await database.destroy();
  }
}
