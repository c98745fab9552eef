// Several instances on one PostgreSQL: each render has one owner, each credit is spent once.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { balanceOf } from '../../renderer-core/service/accounts.ts';
import {
  type Claim,
  claimRender,
  expiredClaims,
  leaseTerms,
  putBack,
  renewLease,
} from '../../renderer-core/service/claims.ts';
import { holdCredits } from '../../renderer-core/service/credits.ts';
import { openDatabase } from '../../renderer-core/service/database.ts';
import { completeRender, failRender } from '../../renderer-core/service/renderEnds.ts';
import type { Database } from '../../renderer-core/service/tables.ts';
import { findPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/project.ts';
import { addAccount, addRenders, renderRow } from '../support/serviceDatabase.ts';

const bin = findPostgres();
// On the machine that decides, missing programs are a failure.
const isMissing = bin === undefined && !process.env.CI;
if (isMissing) console.warn('PostgreSQL is not installed: its tests are skipped (Debian: apt-get install postgresql)');

const outcome = {
  video_key: 'videos/r.mp4',
  video_bytes: 5,
  thumbnail_key: null,
  fps: 30,
  aspect_ratio: '16:9',
  warnings: '[]',
  duration: 4,
  credits: 4,
};

describe.skipIf(isMissing)('with PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    if (bin === undefined) throw new Error('PostgreSQL is not installed');
    postgres = await startPostgres(bin);
  });
  afterAll(() => postgres?.stop());

  /** As many instances as asked for, on one new database with accounts `a` and `b`. */
  async function instances(count: number): Promise<Database[]> {
    const databaseUrl = postgres.createDatabase();
    const all: Database[] = [];
    for (let index = 0; index < count; index++) {
      const database = await openDatabase({ dataDir: temporaryFolder(), databaseUrl });
      onTestFinished(() => database.destroy());
      all.push(database);
    }
    for (const account of ['a', 'b']) await addAccount(all[0] as Database, account, 10);
    return all;
  }

  test('each render goes to one of the instances that ask at once', async () => {
    const all = await instances(3);
    const renders = Array.from({ length: 40 }, (_, index) => renderRow(`r${index}`, { created_at: index }));
    await addRenders(all[0] as Database, ...renders, renderRow('b', { account_id: 'b', created_at: 99 }));
    const asked = all.flatMap((database, instance) =>
      Array.from({ length: 20 }, (_, index) => claimRender(database, `${instance}-${index}`, 1000, leaseTerms)),
    );
    const ids = (await Promise.all(asked)).flatMap((claim) => (claim ? [claim.render.id] : []));
    expect(ids).toHaveLength(41);
    expect(new Set(ids).size).toBe(41);
  });

  test('two renders do not both get the last credits', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'), renderRow('s'));
    const r = (await claimRender(one, 'r', 1000, leaseTerms)) as Claim;
    const s = (await claimRender(other, 's', 1000, leaseTerms)) as Claim;
    const held = await Promise.all([holdCredits(one, r, 8, 2000), holdCredits(other, s, 8, 2000)]);
    expect(held.map(({ kind }) => kind).sort()).toEqual(['held', 'short']);
    expect(await balanceOf(one, 'a')).toBe(2);
  });

  test('a render ends once, however many try', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'));
    const claim = (await claimRender(one, 'r', 1000, leaseTerms)) as Claim;
    await holdCredits(one, claim, 4, 2000);
    const ends = await Promise.all([
      completeRender(one, claim, outcome, 3000),
      completeRender(other, claim, outcome, 3000),
      failRender(other, claim, { code: 'internal_error', message: '' }, 3000),
    ]);
    expect(ends.filter(Boolean)).toHaveLength(1);
    const ledger = await one.selectFrom('ledger').select('kind').where('render_id', '=', 'r').execute();
    const { status } = await one.selectFrom('renders').select('status').executeTakeFirstOrThrow();
    expect(ledger).toEqual(status === 'completed' ? [{ kind: 'charge' }] : []);
  });

  test('what a dead instance held is taken up by another, once', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'));
    const claim = (await claimRender(one, 'mine', 1000, leaseTerms)) as Claim;
    expect(await renewLease(one, claim, 0.5, 2000, leaseTerms)).toBe('held');
    const late = 2001 + leaseTerms.leaseMs;
    const [seen, seenToo] = [await expiredClaims(one, late), await expiredClaims(other, late)];
    expect([seen, seenToo].map(([expired]) => expired?.lease)).toEqual(['mine', 'mine']);
    const back = await Promise.all([putBack(one, claim, false), putBack(other, claim, false)]);
    expect(back.sort()).toEqual([false, true]);
    expect((await claimRender(other, 'theirs', late, leaseTerms))?.render).toMatchObject({
      attempts: 2,
      progress: 0.5,
    });
    expect(await renewLease(one, claim, 0.9, late, leaseTerms)).toBe('lost');
  });
});
