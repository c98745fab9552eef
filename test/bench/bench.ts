// npm run bench: compares speed, memory, file size and fidelity of our renders with the peer's, and with x264 alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browserVersion, findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import type { Quality } from '../../renderer-core/plan/formats.ts';
import { chooseCases } from './cases.ts';
import { type DeterminismRow, measureDeterminism } from './determinism.ts';
import { measureCase, type Row, type Tools } from './measureCase.ts';
import { installPeer, peerNodeVersion, peerPackages } from './peer.ts';
import { determinismTable, firstFrameTable, memoryTable, speedTable } from './sections.ts';
import { machineFacts, writeResults } from './table.ts';

const help = `npm run bench -- [composition...] [options]
  --runs N         measure everything N times, alternating between the tools (default: 1)
  --quality Q      measure only this quality: standard or draft (repeatable)
  --seconds N      cut every composition to N seconds, to test the benchmark
  --skip-peer      do not measure the peer
  --write          write the tables to docs/benchmarks.md
  --browser PATH   browser for both tools`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    quality: { type: 'string', multiple: true, default: ['standard', 'draft'] },
    seconds: { type: 'string', default: 'Infinity' },
    'skip-peer': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    browser: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const runs = positive('--runs', values.runs);
  const chosen = chooseCases(positionals, positive('--seconds', values.seconds));
  const qualities = values.quality.map(asQuality);
  const browser = await findBrowser(values.browser === undefined ? {} : { path: values.browser });
  const ffmpeg = await findFfmpeg();
  const withPeer = !values['skip-peer'];
  if (withPeer) await installPeer();
  const tools: Tools = { browser, ffmpeg: ffmpeg.path, withPeer, report: (text) => console.error(text) };
  const versions = {
    browser: await browserVersion(browser),
    ffmpeg: ffmpeg.version,
    peer: withPeer ? `${peerPackages[0]} on node ${await peerNodeVersion()}` : 'not measured',
  };

  const rows: Row[] = [];
  const determinism: DeterminismRow[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'framework-bench-'));
  try {
    for (const one of chosen) {
      rows.push(...(await measureCase(one, qualities, runs, tools, join(folder, one.name))));
    }
    // The long deck gives the same result as the short one.
    for (const one of chosen.filter(({ seconds }) => seconds <= 10)) {
      determinism.push(await measureDeterminism(one, tools, join(folder, one.name)));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  const sections = [
    machineFacts(versions, runs),
    speedTable(rows),
    firstFrameTable(rows),
    memoryTable(rows),
    determinismTable(determinism),
  ].filter((section) => section !== '');
  const results = sections.join('\n\n');
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
