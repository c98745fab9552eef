// The report of a run as text.
import type { TortureReport } from './runTorture.ts';

/** The most problems of each list that are printed. */
const shownProblems = 10;

export function printReport(report: TortureReport): void {
  const { options, seconds, kills, skipped, renders, restarts, internalErrorShare, problems, logged } = report;
  const all = Object.values(kills).reduce((sum, count) => sum + count, 0);
  console.log(
    `Seed ${options.seed}, ${options.database}, instances: ${options.instances}. ${all} kills in ${seconds} s: ${list(kills)}.` +
      (skipped > 0 ? ` ${skipped} found no process.` : ''),
  );
  console.log(`Renders: ${list(renders)}.`);
  console.log(
    `Restarts after the death of a worker, browser or ffmpeg: ${restarts.workerDeaths}; of a service: ${restarts.interruptions}.`,
  );
  console.log(
    `Share of internal_error: ${(internalErrorShare * 100).toFixed(2)} %. Videos without a thumbnail: ${report.withoutThumbnail}.`,
  );
  for (const [name, found] of Object.entries(problems)) {
    console.log(`${name}: ${found.length}`);
    for (const problem of found.slice(0, shownProblems)) console.log(`  ${problem}`);
  }
  console.log('Log of the service:');
  for (const [message, count] of Object.entries(logged)) console.log(`  ${count} times: ${message}`);
}

const list = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
