// What a page costs while it is being captured, measured on the browser's own processes.
import { readFile } from 'node:fs/promises';
import type { LaunchedBrowser } from '../capture/launch.ts';

/** `cores`: how many the browser keeps busy. `memory`: bytes of its largest process; null where that cannot be read. */
export type Load = { cores: number; memory: number | null };

type Reading = { at: number; cpuSeconds: number; processes: { type: string; id: number }[] };

/** Starts to measure; the function that it resolves to tells the load since then. */
export async function measureLoad(launched: LaunchedBrowser): Promise<() => Promise<Load>> {
  const before = await read(launched);
  return async () => {
    const after = await read(launched);
    const seconds = Math.max(0.001, (after.at - before.at) / 1000);
    return {
      cores: Math.max(0, after.cpuSeconds - before.cpuSeconds) / seconds,
      memory: await largest(after.processes.filter(({ type }) => type === 'renderer').map(({ id }) => id)),
    };
  };
}

async function read({ browser }: LaunchedBrowser): Promise<Reading> {
  const session = await browser.target().createCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const cpuSeconds = processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    return { at: performance.now(), cpuSeconds, processes: processInfo };
  } finally {
    await session.detach().catch(() => undefined);
  }
}

/** Linux tells what a process itself holds; shared libraries count for everybody once. */
async function largest(processes: readonly number[]): Promise<number | null> {
  const sizes = await Promise.all(
    processes.map(async (id) => {
      const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
      return 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0);
    }),
  );
  const most = Math.max(0, ...sizes);
  return most > 0 ? most : null;
}
