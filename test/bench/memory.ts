// Peak memory of our renders of 10 and of 60 seconds. It grows with the length in a renderer that keeps frames.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Case, prepareProject } from './cases.ts';
import { medianOf, type Tools } from './measureCase.ts';
import { renderOurs } from './ours.ts';

/** Compositions that have something to show for a minute: one with many equal frames, and one without any. */
export const longCases = ['slide-deck', 'particles'];

const lengths = [10, 60] as const;

export type MemoryRow = { name: string; short: number | null; long: number | null };

/** `scale`: 1, or less to test the benchmark. */
export async function measureMemory(
  one: Case,
  { rounds, scale }: { rounds: number; scale: number },
  { browser, ffmpeg, report }: Tools,
  folder: string,
): Promise<MemoryRow> {
  const peaks = lengths.map((): (number | null)[] => []);
  await mkdir(folder, { recursive: true });
  for (const seconds of lengths) await prepareProject(one, seconds * scale, join(folder, String(seconds)), 'ours');
  for (let round = 0; round < rounds; round++) {
    for (const [index, seconds] of lengths.entries()) {
      const project = join(folder, String(seconds));
      const { peakMiB } = await renderOurs(browser, ffmpeg, { project, output: join(folder, 'out.mp4') });
      peaks[index]?.push(peakMiB);
      report(`${one.name}, memory of ${seconds} s: ${peakMiB?.toFixed(0)} MiB`);
    }
  }
  await rm(folder, { recursive: true, force: true });
  const [short, long] = peaks.map(medianOf);
  return { name: one.name, short: short ?? null, long: long ?? null };
}
