// One transport for two previews.
import { expect, test } from 'vitest';
import { createCompareTransport, type TransportState } from '../../../client/preview/compareTransport.ts';
import type { PreviewState } from '../../../preview/messages.ts';

const state = (time: number, more: Partial<PreviewState> = {}): PreviewState => ({
  ...{ time, frame: time * 10, playing: false, exact: true, hdr: false, duration: 4, frames: 40, fps: 10 },
  ...{ width: 320, height: 180, inFrame: 0, outFrame: 40, ...more },
});

/** `sent`: the messages since the last call, such as `left seek 1.5`. */
function transportOf() {
  let messages: string[] = [];
  let shown: TransportState | undefined;
  const transport = createCompareTransport(
    (side, message) => messages.push([side, message.type, 'time' in message ? message.time : ''].join(' ').trim()),
    (next) => {
      shown = next;
    },
  );
  return {
    transport,
    shown: () => shown,
    sent() {
      const all = messages;
      messages = [];
      return all;
    },
  };
}

/** Both pages show their poster frames; the left one was faster. */
function opened(right: Partial<PreviewState> = {}) {
  const open = transportOf();
  open.transport.update('left', state(1.5));
  open.transport.update('right', state(1.5, right));
  open.sent();
  return open;
}

test('shows both at the poster frame of the first that is loaded', () => {
  const { transport, sent, shown } = transportOf();
  transport.update('left', state(1.5));
  expect(sent()).toEqual(['right seek 1.5']);
  transport.shown('right');
  expect(sent()).toEqual(['right seek 1.5']);
  transport.update('right', state(3));
  expect(sent()).toEqual([]);
  expect(shown()).toEqual({ playing: false, time: 1.5, duration: 4, frame: 15, frames: 40 });
});

test('plays and pauses both, at one time', () => {
  const { transport, sent, shown } = opened();
  transport.togglePlay();
  expect(sent()).toEqual(['left play', 'right play']);
  transport.update('left', state(2, { playing: true }));
  transport.update('right', state(2.1, { playing: true }));
  expect(shown()).toMatchObject({ playing: true, time: 2 });
  transport.togglePlay();
  expect(sent()).toEqual(['left pause', 'right pause', 'left seek 2', 'right seek 2']);
});

test('steps frames, from the first to the last one', () => {
  const { transport, sent } = opened();
  transport.step(1);
  expect(sent()).toEqual(['left seek 1.6', 'right seek 1.6']);
  transport.seek(Number.POSITIVE_INFINITY);
  expect(sent()).toEqual(['left seek 3.9', 'right seek 3.9']);
  transport.seek(-1);
  expect(sent()).toEqual(['left seek 0', 'right seek 0']);
});

test('starts both again at the end of the longer one', () => {
  const { transport, sent } = opened({ duration: 6, frames: 60 });
  transport.togglePlay();
  sent();
  transport.update('left', state(3.9));
  expect(sent()).toEqual([]);
  transport.update('right', state(5.9, { duration: 6, frames: 60 }));
  expect(sent()).toEqual(['left seek 0', 'right seek 0', 'left play', 'right play']);
});

test('continues after the values of one side have changed', () => {
  const { transport, sent } = opened();
  transport.togglePlay();
  transport.update('left', state(2, { playing: true }));
  sent();
  transport.shown('right');
  expect(sent()).toEqual(['right seek 2', 'right play']);
});

test('leaves the shorter video at its end when the longer one plays on', () => {
  const { transport, sent } = opened({ duration: 6, frames: 60 });
  transport.seek(5);
  sent();
  transport.togglePlay();
  expect(sent()).toEqual(['right play']);
  // Its values have changed.
  transport.shown('left');
  expect(sent()).toEqual(['left seek 5']);
});

test('starts both again only once', () => {
  const { transport, sent } = opened({ duration: 6, frames: 60 });
  transport.togglePlay();
  transport.update('right', state(5.9, { duration: 6, frames: 60 }));
  sent();
  transport.update('left', state(0, { playing: true }));
  expect(sent()).toEqual([]);
});

test('pauses only while it plays', () => {
  const { transport, sent } = opened();
  transport.pause();
  expect(sent()).toEqual([]);
  transport.togglePlay();
  sent();
  transport.pause();
  expect(sent()).toEqual(['left pause', 'right pause', 'left seek 1.5', 'right seek 1.5']);
});
