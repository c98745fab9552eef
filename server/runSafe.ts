// What stands around every answer: cancelling gets through first, and what goes wrong inside never reaches the editor.
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { nextTurn } from './turns.ts';

/** Makes a request's handler. When `answer` fails, that is logged, and the client gets `empty`. */
export type Guard = <Params, Result>(
  name: string,
  empty: Result,
  answer: (params: Params, token: CancellationToken) => Result | Promise<Result>,
) => (params: Params, token: CancellationToken) => Promise<Result>;

export function createGuard(log: (message: string) => void): Guard {
  return (name, empty, answer) => async (params, token) => {
    // What was sent while the request waited is read first: it may be its cancelling, or a newer text.
    await nextTurn();
    stopIfCancelled(token);
    try {
      return await answer(params, token);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      log(`${name} failed: ${describe(error)}`);
      return empty;
    }
  };
}

/** Throws what the client expects as the answer to a cancelled request. */
export function stopIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested)
    throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled');
}

export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
