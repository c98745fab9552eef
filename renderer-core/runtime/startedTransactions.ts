// Requests and transactions of databases that scripts have started.
import { type Begin, endWith } from './begin.ts';

/** A request ends with an event. Opening a database also waits for the transaction that creates its stores. */
export function watchDatabases(window: Window & typeof globalThis, begin: Begin): void {
  const { IDBFactory, IDBObjectStore, IDBIndex, IDBCursor, IDBRequest, IDBDatabase } = window;
  const owners = { IDBFactory, IDBObjectStore, IDBIndex, IDBCursor };
  for (const [owner, { prototype }] of Object.entries(owners)) {
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof method !== 'function' || name === 'constructor') continue;
      Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
        const result: unknown = method.apply(this, args);
        if (result instanceof IDBRequest) endWith(result, ['success', 'error'], begin(`${owner}.${name}()`));
        return result;
      });
    }
  }
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
    const started = transaction.apply(this, args);
    endWith(started, ['complete', 'abort'], begin('IDBDatabase.transaction()'));
    return started;
  };
}
