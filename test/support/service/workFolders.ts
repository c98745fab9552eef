// The folders of renders in progress in a data folder of the service.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function renderFolders(dataDir: string): string[] {
  const work = join(dataDir, 'work');
  if (!existsSync(work)) return [];
  return readdirSync(work, { recursive: true, encoding: 'utf8' }).filter((name) => /^[^/]+\/r-[^/]+$/.test(name));
}
