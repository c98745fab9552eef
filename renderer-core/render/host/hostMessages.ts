// What a client and the render host send each other: JSON, one message a line.
import type { Socket } from 'node:net';
import { type ErrorDetails, errorCodes, errorToJson, UserError } from '../../errors.ts';
import type { ErrorJson } from '../../reports/errorJson.ts';
import type { RenderEvent, RenderReport } from '../renderReport.ts';
import type { SnapshotReport } from '../snapshot/snapshotReport.ts';
import type { SnapshotRequest } from '../snapshot/takeSnapshot.ts';
import type { RenderRequest } from '../types.ts';

/** A client sends one request. The end of its connection cancels it too. */
export type ClientMessage = HostRequest | { type: 'cancel' };

/** What a host can do, by name: the request and its report. */
export type HostWork = {
  render: { request: RenderRequest; report: RenderReport };
  snapshot: { request: SnapshotRequest; report: SnapshotReport };
};

/** Functions and streams stay with the client. */
export type Sendable<Request> = Omit<Request, 'signal' | 'onEvent' | 'onPlan' | 'stdout'>;

export type HostRequest = {
  [Name in keyof HostWork]: { type: Name; request: Sendable<HostWork[Name]['request']> };
}[keyof HostWork] & {
  /** The client's working directory and environment, as they would count in its own process. */
  folder: string;
  env: Record<string, string>;
  /** Process ID. The host ends when none of its owners runs any more. */
  owner: number;
};

/** After events comes one message of another type. `refused`: the client must do the work in its own process. */
export type HostMessage =
  | { type: 'event'; event: RenderEvent }
  | { type: 'done'; report: HostWork[keyof HostWork]['report'] }
  | { type: 'error'; error: ErrorJson }
  | { type: 'refused' };

export function sendMessage(socket: Socket, message: HostMessage | ClientMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls `onMessage` for each line. */
export function receiveMessages<Message>(socket: Socket, onMessage: (message: Message) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onMessage(JSON.parse(line));
  });
}

/** After an unexpected error, the client renders itself: the host may be the reason. */
export const errorMessage = (error: unknown): HostMessage =>
  error instanceof UserError ? { type: 'error', error: errorToJson(error) } : { type: 'refused' };

export function errorOf({ code, message, hint, place, problems, details }: ErrorJson): UserError {
  const isKnown = (name: string): name is keyof typeof errorCodes => Object.hasOwn(errorCodes, name);
  return new UserError(isKnown(code) ? code : 'render_failed', message, {
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { place }),
    ...(problems === undefined ? {} : { problems }),
    ...(details === undefined ? {} : { details: details as ErrorDetails }),
  });
}

/** Variables that differ between the shells and editors of a user, and that no render depends on. */
const ignored = /^(?:_|PWD|OLDPWD|SHLVL|npm_.*|VSCODE_.*|VITEST_.*)$/;

/** The environment of a render, in a fixed order. */
export const renderEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env)
      .filter((entry): entry is [string, string] => entry[1] !== undefined && !ignored.test(entry[0]))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
