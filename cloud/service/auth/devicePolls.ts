// How often devices poll for their approval, as RFC 8628 requires.
import type { LimitCount, OpenLimitCounts } from '../storage/limitCounts.ts';

export type DevicePolls = {
  /** Counts a poll. Returns whether the device has not waited; it must then wait longer each time. */
  isTooSoon(device: string): Promise<boolean>;
};

/** In milliseconds: the interval of a client that gets none from the server, and its increase. */
const firstInterval = 5_000;
const increase = 5_000;
/** Requests of a client that waits correctly can arrive a little closer to each other. */
const tolerance = 1_000;

export function createDevicePolls({ openCounts, now }: { openCounts: OpenLimitCounts; now(): number }): DevicePolls {
  const counts = openCounts('device polls');
  return { isTooSoon: (device) => counts.change(device, (count) => pollOnce(count, now())) };
}

function pollOnce(count: LimitCount | undefined, time: number): [LimitCount, boolean] {
  const isTooSoon = count !== undefined && time < count.freeAt;
  const failures = (count?.failures ?? 0) + (isTooSoon ? 1 : 0);
  const freeAt = time + firstInterval + failures * increase - tolerance;
  return [{ failures, freeAt, last: time }, isTooSoon];
}
