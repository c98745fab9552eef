// Recognizes errors of a database or an object store that will be reachable again: stopped, restarting, busy, or out of
// connections.

/** SQLSTATE classes and codes of PostgreSQL, error codes of SQLite, and those of connections. */
const codes =
  /^(?:08\w{3}|57P0[123]|53300|40P01|40001|SQLITE_(?:BUSY|LOCKED)\w*|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** Messages of the PostgreSQL client for errors without a code. */
const messages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error of the database says that it is not available now. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Responses of an object store have this field.
  if ('$metadata' in error) return false;
  return codes.test((error as NodeJS.ErrnoException).code ?? '') || messages.test(error.message);
}

/** Answers that the same request may not get later: wrong credentials, which someone will correct, and a busy store. */
const temporaryStatus = (status: number): boolean => status >= 500 || [401, 403, 408, 429].includes(status);

export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('$metadata' in error)) return isUnavailable(error);
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
  return httpStatusCode === undefined || temporaryStatus(httpStatusCode) || error.name === 'RequestTimeout';
}
