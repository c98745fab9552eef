// Requests whose client closed the connection before it had sent everything. They are no errors of the service.
import type { IncomingMessage } from 'node:http';

/** Node's error for it has the code of lost databases; before the body is read, there are other errors. */
export function isCutOff({ message, code }: NodeJS.ErrnoException, incoming: IncomingMessage | undefined): boolean {
  return (message === 'aborted' && code === 'ECONNRESET') || (incoming?.destroyed === true && !incoming.complete);
}
