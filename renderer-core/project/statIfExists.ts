// Looks at a file or folder that may not exist.
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Undefined also for a path that cannot be reached: using it reports the reason. */
export const statIfExists = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
