// How often devices poll for their approval, as RFC 8628 requires. Kept in this process's memory: instances that share a
// database count separately.

export type DevicePolls = {
  /** Counts a poll. Returns whether the device has not waited; it must then wait longer each time. */
  isTooSoon(device: string): boolean;
};

/** In milliseconds: the interval of a client that gets none from the server, and its increase. */
const firstInterval = 5_000;
const increase = 5_000;
/** Requests of a client that waits correctly can arrive a little closer to each other. */
const tolerance = 1_000;
const maxDevices = 10_000;

/** `now` returns Unix milliseconds. */
export function createDevicePolls(now: () => number): DevicePolls {
  const devices = new Map<string, { at: number; interval: number }>();
  return {
    isTooSoon(device) {
      const time = now();
      const last = devices.get(device);
      const isTooSoon = last !== undefined && time - last.at < last.interval - tolerance;
      const interval = (last?.interval ?? firstInterval) + (isTooSoon ? increase : 0);
      // Deleted first, so that the map is ordered by time and the oldest entry is forgotten.
      devices.delete(device);
      devices.set(device, { at: time, interval });
      const [oldest] = devices.keys();
      if (devices.size > maxDevices && oldest !== undefined) devices.delete(oldest);
      return isTooSoon;
    },
  };
}
