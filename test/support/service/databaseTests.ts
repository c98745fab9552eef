// Tests that run on SQLite and on PostgreSQL. Locks, transactions, types and orders depend on the database; other tests run only
// on SQLite.

export type OtherTest = (title: string, run: () => Promise<void>) => void;

/** For PostgreSQL: registers no test. */
export const notHere: OtherTest = () => undefined;
