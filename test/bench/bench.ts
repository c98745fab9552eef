// npm run bench: compares speed, memory, file size and fidelity of our renders with other tools and with the limits.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browserVersion, findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import type { Quality } from '../../renderer-core/plan/formats.ts';
import { type Case, cases, chooseCases } from './cases.ts';
import { changesOf, changesTable, costsOf, readCosts, saveCosts } from './compare.ts';
import { keepResults } from './interrupted.ts';
import { type CaseResult, measureCase, type Tools } from './measureCase.ts';
import { longCases, type MemoryRow, measureMemory } from './memory.ts';
import { describePeer, installPeer } from './others/peer.ts';
import { openRemotion, type Remotion, remotionPackages } from './others/remotion.ts';
import { failureList, firstFrameTable, memoryTable, speedTable, summaryTable } from './sections.ts';
import { machineFacts, type Versions, writeResults } from './table.ts';

const help = `npm run bench -- [composition...] [options]
  --rounds N       measure everything N times, alternating between the tools (default: 3)
  --quality Q      standard (default) or draft (repeatable)
  --seconds N      cut every composition to N seconds, to test the benchmark
  --skip-peer      do not measure the peer
  --skip-remotion  do not measure Remotion
  --resume         continue an interrupted run of the same commit with the same options
  --save FILE      write the cost of each composition, relative to limits, to a JSON file
  --compare FILE   exit with 1 if a kind of composition costs more than 5 % more than in a saved file
  --write          write the tables to docs/internals/benchmarks.md
  --browser PATH   browser for all tools

Compositions: ${cases.map(({ name }) => name).join(', ')}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    quality: { type: 'string', multiple: true, default: ['standard'] },
    seconds: { type: 'string', default: 'Infinity' },
    'skip-peer': { type: 'boolean', default: false },
    'skip-remotion': { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    save: { type: 'string' },
    compare: { type: 'string' },
    write: { type: 'boolean', default: false },
    browser: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const rounds = positive('--rounds', values.rounds);
  const seconds = positive('--seconds', values.seconds);
  const chosen = chooseCases(positionals, seconds);
  const { tools, versions } = await openTools();
  const kept = await keepResults([chosen, rounds, values.quality, versions], values.resume);
  const folder = await mkdtemp(join(tmpdir(), 'framework-bench-'));
  const results: CaseResult = { rows: [], failures: [] };
  const memory: MemoryRow[] = [];
  try {
    for (const one of chosen) {
      const { rows, failures } = await kept.measured(one.name, () =>
        measureCase(one, values.quality.map(asQuality), rounds, tools, join(folder, one.name)).catch(
          // The others are still worth their hours.
          (error): CaseResult => ({ rows: [], failures: [`${one.name}: ${error}`] }),
        ),
      );
      results.rows.push(...rows);
      results.failures.push(...failures);
    }
    const scale = Math.min(1, seconds / 10);
    for (const one of chosen.filter(({ name }) => longCases.includes(name))) {
      const measure = () => measureMemory(one, { rounds, scale }, tools, join(folder, one.name));
      memory.push(await kept.measured(`memory of ${one.name}`, measure));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await printResults([
    machineFacts(versions, rounds),
    summaryTable(results.rows),
    speedTable(results.rows),
    firstFrameTable(results.rows),
    memoryTable(memory),
    failureList([...results.failures, ...chosen.flatMap(notExpressed)]),
  ]);
  await kept.clear();
  const costs = costsOf(results.rows, chosen);
  if (values.save !== undefined) await saveCosts(values.save, costs);
  if (values.compare !== undefined) {
    const changes = changesOf(await readCosts(values.compare), costs);
    console.log(`\n${changesTable(changes)}`);
    if (changes.some(({ isRegression }) => isRegression)) process.exitCode = 1;
  }
}

async function openTools(): Promise<{ tools: Tools; versions: Versions }> {
  const { env } = process;
  const browser = await findBrowser({ env, ...(values.browser === undefined ? {} : { path: values.browser }) });
  const ffmpeg = await findFfmpeg({ env });
  const withPeer = !values['skip-peer'];
  if (withPeer) await installPeer();
  const opened: Remotion | string = values['skip-remotion'] ? 'as requested' : await openRemotion().catch(String);
  const remotion = typeof opened === 'string' ? null : opened;
  const tools = { browser, ffmpeg: ffmpeg.path, withPeer, remotion, report: (text: string) => console.error(text) };
  const versions = {
    browser: await browserVersion(browser, { env }),
    ffmpeg: ffmpeg.version,
    peer: withPeer ? await describePeer(ffmpeg.path) : 'not measured',
    remotion: remotion ? remotionPackages.join(', ') : `not measured: ${String(opened).split('\n')[0]}`,
  };
  return { tools, versions };
}

/** Why Remotion has no row for a composition. */
function notExpressed({ name, notInRemotion }: Case): string[] {
  const isMeasured = !values['skip-remotion'] && notInRemotion !== undefined;
  return isMeasured ? [`${name}: not rendered with Remotion, whose component does not support ${notInRemotion}`] : [];
}

async function printResults(sections: readonly string[]): Promise<void> {
  const results = sections.filter((section) => section !== '').join('\n\n');
  console.log(results);
  if (values.write) console.error(`Wrote ${await writeResults(results)}`);
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${option} must be a number greater than 0 (got ${text}).`);
}

function asQuality(text: string): Quality {
  if (text === 'standard' || text === 'draft') return text;
  throw new Error(`--quality must be standard or draft (got ${text}).`);
}
