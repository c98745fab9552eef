// The pipe between the service and a worker process: each message is a line of JSON. With Node's own channel for child
// processes, a worker that writes anything else to it would end the service.
import type { Readable, Writable } from 'node:stream';

/** The file descriptor of the pipe in the worker. */
export const channelFd = 3;

/** Longer than every message of a worker, whose texts are limited. */
export const maxLineLength = 1024 * 1024;

export function sendMessage(channel: Writable, message: unknown, onSent?: () => void): void {
  if (channel.writable) channel.write(`${JSON.stringify(message)}\n`, () => onSent?.());
  else onSent?.();
}

/** Calls `onError` if a line is no JSON or too long, or `onMessage` throws. Later messages are ignored. */
export function receiveMessages(
  channel: Readable,
  onMessage: (value: unknown) => void,
  { maxLength = Number.POSITIVE_INFINITY, onError }: { maxLength?: number; onError: (error: Error) => void },
): void {
  let rest = '';
  const read = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if ([...lines, rest].some(({ length }) => length > maxLength)) throw new Error('invalid message: too long');
    for (const line of lines) onMessage(parse(line));
  };
  const onData = (text: string): void => {
    try {
      read(text);
    } catch (error) {
      channel.off('data', onData).resume();
      onError(error as Error);
    }
  };
  channel.setEncoding('utf8').on('data', onData);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error('invalid message: no JSON', { cause: error });
  }
}
