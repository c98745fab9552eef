// Compares a painted frame with the browser's own screenshot of it, both in WebAssembly memory.

/** The functions of `convert.wasm` for comparisons. */
export type ComparedPixels = {
  tileError(a: number, b: number, stride: number, left: number, top: number, right: number, bottom: number): number;
  countDifferences(
    a: number,
    b: number,
    stride: number,
    width: number,
    height: number,
    tolerance: number,
    scratch: number,
    counts: number,
  ): void;
};

/** Positions of two frames of RGBA pixels, and of free memory: at least `scratchBytes`. */
export type FramePair = { a: number; b: number; scratch: number; stride: number; width: number; height: number };

export type Area = { x: number; y: number; width: number; height: number };

/**
 * `colors`: peak signal-to-noise ratio in dB of the mean colors of all 16x16 blocks; 99 means equal. `worstTile`: the same
 * for the worst 64x64 tile. `differing`: the highest number of differing pixels in 16x16 pixels, and the area around them
 * in which pixels differ.
 */
export type Comparison = {
  colors: number;
  worstTile: { decibels: number; area: Area };
  differing: { pixels: number; area: Area };
};

const cellSize = 8;
const tileSize = 64;

const cellsOf = (pixels: number): number => Math.ceil(pixels / cellSize);

/** Rows for smoothing, and a byte for each cell; see `countDifferences` in convert.as.ts. */
export function scratchBytes(width: number, height: number): number {
  return 6 * 4 * (width + 16) + cellsOf(width) * cellsOf(height);
}

/** `tolerance`: in levels of 255. */
export function compareFrames(
  pixels: ComparedPixels,
  memory: WebAssembly.Memory,
  pair: FramePair,
  tolerance: number,
): Comparison {
  const { a, b, stride, width, height, scratch } = pair;
  const counts = scratch + 6 * 4 * (width + 16);
  pixels.countDifferences(a, b, stride, width, height, tolerance, scratch, counts);
  const grid = {
    counts: new Uint8Array(memory.buffer, counts, cellsOf(width) * cellsOf(height)),
    columns: cellsOf(width),
    rows: cellsOf(height),
  };
  return { ...compareTiles(pixels, pair), differing: densestDifference(grid, pair) };
}

function compareTiles(pixels: ComparedPixels, { a, b, stride, width, height }: FramePair) {
  let total = 0;
  let worst = { error: 0, area: { x: 0, y: 0, width: 0, height: 0 } };
  for (let y = 0; y < height; y += tileSize) {
    for (let x = 0; x < width; x += tileSize) {
      const area = { x, y, width: Math.min(tileSize, width - x), height: Math.min(tileSize, height - y) };
      const error = pixels.tileError(a, b, stride, x, y, x + area.width, y + area.height);
      total += error * area.width * area.height;
      if (error > worst.error) worst = { error, area };
    }
  }
  return {
    colors: decibels(total / (width * height)),
    worstTile: { decibels: decibels(worst.error), area: worst.area },
  };
}

const decibels = (meanSquare: number): number =>
  meanSquare === 0 ? 99 : Math.min(99, 10 * Math.log10(255 ** 2 / meanSquare));

type Grid = { counts: Uint8Array; columns: number; rows: number };

/** The cells from column `x` and row `y` on that are inside the grid. */
function* cellsIn({ columns, rows }: Grid, x: number, y: number, size: number): Generator<number> {
  for (let row = Math.max(0, y); row < Math.min(rows, y + size); row++)
    for (let column = Math.max(0, x); column < Math.min(columns, x + size); column++) yield row * columns + column;
}

/** Finds the 2x2 cells with the most differing pixels, and the connected cells around them. */
function densestDifference(grid: Grid, frame: { width: number; height: number }): Comparison['differing'] {
  const { counts, columns, rows } = grid;
  const count = (x: number, y: number): number => (x < columns && y < rows ? (counts[y * columns + x] ?? 0) : 0);
  let densest = { pixels: 0, x: columns, y: rows };
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixels = count(x, y) + count(x + 1, y) + count(x, y + 1) + count(x + 1, y + 1);
      if (pixels > densest.pixels) densest = { pixels, x, y };
    }
  }
  return { pixels: densest.pixels, area: areaAround(grid, [...cellsIn(grid, densest.x, densest.y, 2)], frame) };
}

/** The bounds of the cells with differing pixels that are connected with `start`. */
function areaAround(grid: Grid, start: readonly number[], frame: { width: number; height: number }): Area {
  const found = new Set<number>();
  const pending = [...start];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    if (found.has(cell) || grid.counts[cell] === 0) continue;
    found.add(cell);
    pending.push(...cellsIn(grid, (cell % grid.columns) - 1, Math.floor(cell / grid.columns) - 1, 3));
  }
  if (found.size === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const columns = [...found].map((cell) => cell % grid.columns);
  const rows = [...found].map((cell) => Math.floor(cell / grid.columns));
  const [left, top] = [least(columns) * cellSize, least(rows) * cellSize];
  const right = Math.min(frame.width, (greatest(columns) + 1) * cellSize);
  const bottom = Math.min(frame.height, (greatest(rows) + 1) * cellSize);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const greatest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
