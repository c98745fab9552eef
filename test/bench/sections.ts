// The tables of the benchmark. Every comparison is printed as a ratio, and none is asserted.
import { cases, kinds } from './cases.ts';
import type { Row, Tool } from './measureCase.ts';
import type { MemoryRow } from './memory.ts';
import { type Column, figure, geometricMean, table } from './table.ts';

const notes = `Seconds are wall time of the whole command, CPU seconds those of all its processes; both are medians. The spread is
the range of the rounds' seconds. Peak memory is the proportional set size of all processes. PSNR (dB) and SSIM are against
lossless frames, over the first four seconds: "screenshot" are the browser's own screenshots, "own frames" are our painted
frames, whose text edges are rasterized slightly differently and as correctly. Paint alone is our renderer with its encoders
replaced by nothing. x264 alone encodes the screenshots' raw frames from a file, with our arguments and one encoder for each
page of our render. Browser alone is one screenshot by a browser that starts as in a render. Remotion shows the same markup in one component, which seeks the GSAP timeline; its bundle is built
before, it gets one page for each core, and its default quality, and it renders once.`;

/** How many times as fast our renders are as another tool's: one number for all compositions that both rendered. */
type Ratio = { tool: Tool; quality: string; wall: NamedRatio[]; cpu: NamedRatio[] };
type NamedRatio = { name: string; ratio: number };

export function ratiosTo(tool: Tool, quality: string, rows: readonly Row[]): Ratio {
  const ours = rows.filter((row) => row.tool === 'ours' && row.quality === quality);
  const pairs = ours.flatMap((own) => {
    const other = rows.find((row) => row.tool === tool && row.name === own.name && row.quality === quality);
    return other ? [{ own, other }] : [];
  });
  return {
    tool,
    quality,
    wall: pairs.map(({ own, other }) => ({ name: own.name, ratio: perFrame(other) / perFrame(own) })),
    cpu: pairs.flatMap(({ own, other }) => {
      if (own.cpuSeconds === null || other.cpuSeconds === null) return [];
      const ratio = other.cpuSeconds / other.frames / (own.cpuSeconds / own.frames);
      return [{ name: own.name, ratio }];
    }),
  };
}

export function summaryTable(rows: readonly Row[]): string {
  const tools: Tool[] = ['peer', 'Remotion', 'paint alone', 'x264 alone'];
  const qualities = [...new Set(rows.map(({ quality }) => quality))];
  const ratios = qualities
    .flatMap((quality) => tools.map((tool) => ratiosTo(tool, quality, rows)))
    .filter(({ wall }) => wall.length > 0);
  const columns: Column<Ratio>[] = [
    { title: 'Compared with', text: ({ tool }) => tool },
    { title: 'Quality', text: ({ quality }) => quality },
    { title: 'Compositions', text: ({ wall }) => String(wall.length), numeric: true },
    ...rangeColumns('Time', ({ wall }) => wall),
    ...rangeColumns('CPU time', ({ cpu }) => cpu),
  ];
  const text = `The other tool's time divided by ours: above 1, ours takes less. The mean is geometric, of
the means of each kind of composition. The limits are below 1.`;
  return `### Summary\n\n${table(columns, ratios)}\n\n${text}`;
}

function rangeColumns(title: string, list: (ratio: Ratio) => NamedRatio[]): Column<Ratio>[] {
  const sorted = (ratio: Ratio) => [...list(ratio)].sort((a, b) => a.ratio - b.ratio);
  const named = (one: NamedRatio | undefined) => (one ? `${figure(one.ratio, 2)} (${one.name})` : figure(null));
  // Each kind has the same weight.
  const mean = (ratio: Ratio) =>
    geometricMean(
      kinds.flatMap((kind) => {
        const own = list(ratio).filter(({ name }) => cases.some((one) => one.name === name && one.kind === kind));
        return own.length > 0 ? geometricMean(own.map((one) => one.ratio)) : [];
      }),
    );
  return [
    { title: `${title}, mean`, text: (ratio) => figure(mean(ratio), 2), numeric: true },
    { title: 'lowest', text: (ratio) => named(sorted(ratio).at(0)), numeric: true },
    { title: 'highest', text: (ratio) => named(sorted(ratio).at(-1)), numeric: true },
  ];
}

export function speedTable(rows: readonly Row[]): string {
  const columns: Column<Row>[] = [
    { title: 'Composition', text: ({ name }) => name },
    { title: 'Quality', text: ({ quality }) => quality },
    { title: 'Tool', text: ({ tool }) => tool },
    { title: 'Seconds', text: ({ seconds }) => figure(seconds), numeric: true },
    { title: 'Spread', text: ({ spread }) => `${figure(spread * 100, 0)} %`, numeric: true },
    { title: 'CPU seconds', text: ({ cpuSeconds }) => figure(cpuSeconds), numeric: true },
    { title: 'Frames/s', text: (row) => figure(1 / perFrame(row)), numeric: true },
    { title: 'Times the peer', text: (row) => figure(timesPeer(rows, row)), numeric: true },
    { title: 'Peak MiB', text: ({ peakMiB }) => figure(peakMiB, 0), numeric: true },
    { title: 'File KB', text: ({ kilobytes }) => figure(kilobytes, 0), numeric: true },
    { title: 'PSNR, screenshot', text: ({ likeness }) => figure(likeness?.psnr), numeric: true },
    { title: 'PSNR, own frames', text: ({ psnrOwn }) => figure(psnrOwn), numeric: true },
    { title: 'SSIM', text: ({ likeness }) => figure(likeness?.ssim, 4), numeric: true },
    { title: 'Capture', text: ({ note }) => note },
  ];
  return `### Speed, memory, size and likeness\n\n${table(columns, rows)}\n\n${notes}`;
}

function perFrame({ frames, seconds }: Row): number {
  return seconds / frames;
}

function timesPeer(rows: readonly Row[], row: Row): number | null {
  const peer = rows.find((one) => one.tool === 'peer' && one.name === row.name && one.quality === row.quality);
  return peer ? perFrame(peer) / perFrame(row) : null;
}

export function firstFrameTable(rows: readonly Row[]): string {
  const columns: Column<Row>[] = [
    { title: 'Composition', text: ({ name }) => name },
    { title: 'Quality', text: ({ quality }) => quality },
    { title: 'Milliseconds to the first frame', text: ({ firstFrameMs }) => figure(firstFrameMs, 0), numeric: true },
    { title: 'Different files', text: ({ differentFiles }) => figure(differentFiles, 0), numeric: true },
  ];
  const ours = rows.filter(({ tool }) => tool === 'ours');
  const text = `From the call to the first captured frame, the browser started included, its files already in memory.
Different files: among the rounds and one more render with \`--workers 1\`; 1 means that all have the same bytes.`;
  return `### First frame and repeatability\n\n${table(columns, ours)}\n\n${text}`;
}

export function memoryTable(rows: readonly MemoryRow[]): string {
  if (rows.length === 0) return '';
  const columns: Column<MemoryRow>[] = [
    { title: 'Composition', text: ({ name }) => name },
    { title: 'Peak MiB, 10 s', text: ({ short }) => figure(short, 0), numeric: true },
    { title: 'Peak MiB, 60 s', text: ({ long }) => figure(long, 0), numeric: true },
    { title: 'Ratio', text: ({ short, long }) => figure(short && long && long / short, 2), numeric: true },
  ];
  return `### Memory and length\n\n${table(columns, rows)}`;
}

/** What has no row, and why. */
export function failureList(failures: readonly string[]): string {
  if (failures.length === 0) return '';
  const lines = failures.map((failure) => `- ${failure.replaceAll(/\s+/g, ' ')}`);
  return `### Not measured\n\n${lines.join('\n')}`;
}
