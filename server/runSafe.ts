// Wraps request handlers: cancellation is processed first, and errors are logged instead of reaching the editor.
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { yieldToEventLoop } from './scheduler.ts';

/** Wraps a handler. If it throws, the error is logged and the client receives `empty`. */
export type RunSafe = <Params, Result>(
  name: string,
  empty: Result,
  handle: (params: Params, token: CancellationToken) => Result | Promise<Result>,
) => (params: Params, token: CancellationToken) => Promise<Result>;

export function createRunSafe(log: (message: string) => void): RunSafe {
  return (name, empty, handle) => async (params, token) => {
    // Process messages that arrived in the meantime first: one can cancel this request or change the text.
    await yieldToEventLoop();
    stopIfCancelled(token);
    try {
      return await handle(params, token);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      log(`${name} failed: ${describe(error)}`);
      return empty;
    }
  };
}

/** Throws the error that the protocol expects for a cancelled request. */
export function stopIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested)
    throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled');
}

export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
