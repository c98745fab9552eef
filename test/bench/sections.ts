// The tables of the benchmark. Every comparison is printed as a ratio, and none is asserted.
import type { DeterminismRow } from './determinism.ts';
import type { Row } from './measureCase.ts';
import { type Column, figure, table } from './table.ts';

const notes = `Seconds are wall time of the whole command. Peak memory is the proportional set
size of its whole process tree. PSNR (dB) and SSIM are against lossless frames, over the first ten seconds:
"screenshot" are the browser's own screenshots, "own frames" are our painted frames, whose text edges are rasterized
slightly differently and as correctly. x264 alone encodes the screenshots' raw frames from a file, with our arguments
and as many encoders as our render had pages.`;

export function speedTable(rows: readonly Row[]): string {
  const columns: Column<Row>[] = [
    { title: 'Composition', text: ({ name }) => name },
    { title: 'Quality', text: ({ quality }) => quality },
    { title: 'Tool', text: ({ tool }) => tool },
    { title: 'Seconds', text: ({ seconds }) => figure(seconds), numeric: true },
    { title: 'Frames/s', text: (row) => figure(speed(row)), numeric: true },
    { title: 'Times the peer', text: (row) => figure(timesPeer(rows, row)), numeric: true },
    { title: 'Peak MiB', text: ({ peakMiB }) => figure(peakMiB, 0), numeric: true },
    { title: 'File KB', text: ({ kilobytes }) => figure(kilobytes, 0), numeric: true },
    { title: 'PSNR, screenshot', text: ({ psnr }) => figure(psnr), numeric: true },
    { title: 'PSNR, own frames', text: ({ psnrOwn }) => figure(psnrOwn), numeric: true },
    { title: 'SSIM', text: ({ ssim }) => figure(ssim, 4), numeric: true },
    { title: 'Capture', text: ({ note }) => note },
  ];
  return `### Speed, memory, size and likeness\n\n${table(columns, rows)}\n\n${notes}`;
}

function speed({ frames, seconds }: Row): number {
  return frames / seconds;
}

function timesPeer(rows: readonly Row[], row: Row): number | null {
  const peer = rows.find((one) => one.tool === 'peer' && one.name === row.name && one.quality === row.quality);
  return peer ? speed(row) / speed(peer) : null;
}

export function firstFrameTable(rows: readonly Row[]): string {
  const columns: Column<Row>[] = [
    { title: 'Composition', text: ({ name }) => name },
    { title: 'Quality', text: ({ quality }) => quality },
    { title: 'Milliseconds', text: ({ firstFrameMs }) => figure(firstFrameMs, 0), numeric: true },
  ];
  const ours = rows.filter(({ tool }) => tool === 'ours');
  const text = 'From the call to the first captured frame, the browser started included, its files already in memory.';
  return `### Time to the first frame\n\n${table(columns, ours)}\n\n${text}`;
}

/** Peak memory of the deck at both lengths, if both were measured. It grows with the length in a renderer that keeps frames. */
export function memoryTable(rows: readonly Row[]): string {
  const decks = rows.filter(({ name, tool }) => name.startsWith('slide-deck') && tool !== 'x264 alone');
  const pairs = decks.flatMap((short) => {
    const long = decks.find((one) => one.tool === short.tool && one.quality === short.quality && one !== short);
    return long && short.frames <= long.frames && decks.indexOf(short) < decks.indexOf(long) ? [{ short, long }] : [];
  });
  if (pairs.length === 0) return '';
  const columns: Column<(typeof pairs)[number]>[] = [
    { title: 'Tool', text: ({ short }) => short.tool },
    { title: 'Quality', text: ({ short }) => short.quality },
    { title: 'Peak MiB, 10 s', text: ({ short }) => figure(short.peakMiB, 0), numeric: true },
    { title: 'Peak MiB, 60 s', text: ({ long }) => figure(long.peakMiB, 0), numeric: true },
    {
      title: 'Ratio',
      text: ({ short, long }) => figure((long.peakMiB ?? Number.NaN) / (short.peakMiB ?? Number.NaN), 2),
      numeric: true,
    },
  ];
  return `### Memory and length\n\n${table(columns, pairs)}`;
}

export function determinismTable(rows: readonly DeterminismRow[]): string {
  if (rows.length === 0) return '';
  const columns: Column<DeterminismRow>[] = [
    { title: 'Composition', text: ({ name }) => name },
    { title: 'Pages', text: ({ workers }) => workers },
    { title: 'Frames', text: ({ frames }) => String(frames), numeric: true },
    { title: 'Different screenshots', text: ({ differentFrames }) => differentText(differentFrames), numeric: true },
    { title: 'PSNR between the mp4 files', text: ({ psnr }) => figure(psnr), numeric: true },
    { title: 'Same bytes', text: ({ sameBytes }) => (sameBytes ? 'yes' : 'no') },
  ];
  const text =
    'Rendered with --workers 1 and with --workers 2: hashes of the lossless frames, and the two default mp4 files.';
  return `### The same frames from one page and two\n\n${table(columns, rows)}\n\n${text}`;
}

function differentText(frames: readonly number[]): string {
  return frames.length === 0 ? 'none' : `${frames.length}, from ${frames[0]} to ${frames.at(-1)}`;
}
