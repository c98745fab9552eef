// Formats sizes, durations, rates and counts.

/** `812 B`, `3.4 kB`, `12 MB`: decimal units, as in file managers. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `0.4 s`, `12.3 s`, `2 min 05 s`, `1 h 02 min`. */
export function secondsText(seconds: number): string {
  if (seconds < 59.95) return `${trimZero(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

/** `7.5`, `31`. */
export function rateText(rate: number): string {
  return rate < 9.95 ? trimZero(rate.toFixed(1)) : String(Math.round(rate));
}

/** `1 frame`, `2 frames`. */
export function countText(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** The rows as lines with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const trimZero = (text: string): string => text.replace(/\.0$/, '');
const twoDigits = (value: number): string => String(value).padStart(2, '0');
