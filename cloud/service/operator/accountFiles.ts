// The files of an account in the object store.
import type { Session } from '../storage/tables.ts';

export type AccountFile = {
  key: string;
  kind: 'project' | 'video' | 'thumbnail';
  asset: string | null;
  render: string | null;
};

/** Those that the account's rows name, also of deleted renders and projects whose files are not deleted yet. */
export async function accountFiles(session: Session, accountId: string): Promise<AccountFile[]> {
  const assets = await session
    .selectFrom('assets')
    .select(['id', 'object_key'])
    .where('account_id', '=', accountId)
    // Retention clears the key when it deletes the file.
    .where('object_key', '!=', '')
    .orderBy('created_at')
    .execute();
  const renders = await session
    .selectFrom('renders')
    .select(['id', 'video_key', 'thumbnail_key'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
  return [
    ...assets.map(({ id, object_key: key }): AccountFile => ({ key, kind: 'project', asset: id, render: null })),
    ...renders.flatMap(({ id, video_key, thumbnail_key }) => [
      ...(video_key === null ? [] : [file(video_key, 'video', id)]),
      ...(thumbnail_key === null ? [] : [file(thumbnail_key, 'thumbnail', id)]),
    ]),
  ];
}

const file = (key: string, kind: AccountFile['kind'], render: string): AccountFile => ({
  key,
  kind,
  asset: null,
  render,
});
