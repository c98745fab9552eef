// npm run bench:batch: renders many rows of a short card. Compares our batch with the peer's and with the rows' own frames.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browserVersion, type FoundBrowser, findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { findFfmpeg } from '../../renderer-core/media/findFfmpeg.ts';
import type { ManifestFile } from '../../renderer-core/render/batch/manifestFile.ts';
import type { BatchReport, BatchResult } from '../../sdk/index.ts';
import { describePeer, installPeer, renderPeerBatch } from './others/peer.ts';
import { type Measured, measure } from './processTree.ts';
import { figure, machineFacts, table } from './table.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100' },
    'peer-rows': { type: 'string' },
    concurrency: { type: 'string', default: '1' },
    quality: { type: 'string', default: 'standard' },
  },
});

const colors = ['#2f6fed', '#e4572e', '#17b890', '#f5b700'];

type Row = { tool: string; rows: number; measured: Measured; times?: RowTimes };

/**
 * Seconds. `rest`: from the end of the first row to the end of the last. `own`: the sum of the same rows' times from their
 * first captured frame to the finished file.
 */
type RowTimes = { first: number; rest: number; own: number };

const folder = await mkdtemp(join(tmpdir(), 'framework-bench-'));
// A copy, because the peer writes into the project that it renders.
const project = join(folder, 'card');
await cp(join(import.meta.dirname, 'compositions/card'), project, { recursive: true });
try {
  const browser = await findBrowser({ env: process.env });
  const ffmpeg = await findFfmpeg({ env: process.env });
  await installPeer();
  const count = Number(values.rows);
  const peerCount = Number(values['peer-rows'] ?? count);
  // Warm up: reading the programs from disk is not a cost of the rows.
  await renderOurs(browser, ffmpeg.path, 1);
  await renderPeer(browser, ffmpeg.path, 1);
  const ours = await renderOurs(browser, ffmpeg.path, count);
  const peer = { tool: 'peer', rows: peerCount, measured: await renderPeer(browser, ffmpeg.path, peerCount) };
  const peerRow = peer.measured.seconds / peerCount;
  const versions = {
    browser: await browserVersion(browser, { env: process.env }),
    ffmpeg: ffmpeg.version,
    peer: await describePeer(ffmpeg.path),
  };
  const rows: Row[] = [ours, peer];
  const results = table<Row>(
    [
      { title: 'Tool', text: ({ tool }) => tool },
      { title: 'Rows', numeric: true, text: (row) => String(row.rows) },
      { title: 'Seconds', numeric: true, text: ({ measured }) => figure(measured.seconds) },
      { title: 'Seconds per row', numeric: true, text: (row) => figure(row.measured.seconds / row.rows, 2) },
      {
        title: 'Times the peer',
        numeric: true,
        text: (row) => figure((peerRow * row.rows) / row.measured.seconds),
      },
      { title: 'First row', numeric: true, text: ({ times }) => figure(times?.first) },
      {
        title: 'Other rows, times their own frames',
        numeric: true,
        text: ({ times }) => figure(times && times.rest / times.own, 2),
      },
      { title: 'Peak MiB', numeric: true, text: ({ measured }) => figure(measured.peakMiB, 0) },
    ],
    rows,
  );
  console.log(`${machineFacts(versions, 1)}\n\n${results}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeRows(count: number): Promise<string> {
  const file = join(folder, `rows-${count}.json`);
  const list = Array.from({ length: count }, (_, at) => ({
    name: `Speaker ${at}`,
    accent: colors[at % colors.length],
  }));
  await writeFile(file, JSON.stringify(list));
  return file;
}

async function renderOurs(browser: FoundBrowser, ffmpeg: string, count: number): Promise<Row> {
  const cli = join(import.meta.dirname, '../../dist/cli.js');
  const out = join(folder, `ours-${count}`);
  const measured = await measure({
    command: process.execPath,
    args: [
      ...[cli, 'render', project, '--batch', await writeRows(count), '-o', join(out, '{name}.mp4')],
      ...[
        '--batch-concurrency',
        values.concurrency,
        '--quality',
        values.quality,
        '--browser',
        browser.path,
        '--ffmpeg',
        ffmpeg,
        '--json',
        '--progress',
        'none',
      ],
    ],
    env: browser.env ?? {},
  });
  const { rows } = JSON.parse(measured.outputs[0] ?? '') as BatchReport & { rows: BatchResult[] };
  const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as ManifestFile;
  const ends = manifest.rows.map(({ completedAt }) => Date.parse(completedAt ?? ''));
  const own = rows.slice(1).flatMap((row) => (row.status === 'completed' ? [row.report] : []));
  const times = {
    first: (measured.seconds * 1000 - (Math.max(...ends) - Math.min(...ends))) / 1000,
    rest: (Math.max(...ends) - Math.min(...ends)) / 1000,
    own: own.reduce((sum, { elapsedMs, firstFrameMs }) => sum + elapsedMs - firstFrameMs, 0) / 1000,
  };
  return { tool: 'ours', rows: count, measured, times };
}

async function renderPeer(browser: FoundBrowser, ffmpeg: string, count: number): Promise<Measured> {
  const batch = await writeRows(count);
  return renderPeerBatch(browser, ffmpeg, {
    project,
    batch,
    output: join(folder, 'peer/{name}.mp4'),
    quality: values.quality,
  });
}
