// The service's log: one JSON object a line.
import type { ServiceLog } from './context.ts';

export function createLog(write: (line: string) => void, now: () => number = Date.now): ServiceLog {
  return (level, message, facts = {}) => {
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...facts })}\n`);
  };
}
