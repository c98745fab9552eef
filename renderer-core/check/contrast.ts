// Contrast of colors by WCAG 2.2, and the nearest color that has enough of it.
import type { Rgba } from './sight.ts';

/** The least contrast of WCAG AA. */
export const leastContrast = (isLarge: boolean): number => (isLarge ? 3 : 4.5);

function luminance([red, green, blue]: Rgba): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** From 1 to 21, of two opaque colors. */
export function contrastRatio(a: Rgba, b: Rgba): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** A color over an opaque one. */
export function mixed([red, green, blue, alpha]: Rgba, behind: Rgba): Rgba {
  const over = (value: number, below: number) => value * alpha + below * (1 - alpha);
  return [over(red, behind[0]), over(green, behind[1]), over(blue, behind[2]), 1];
}

const steps = 64;

/**
 * The color between `color` and black or white that is nearest and has `least` over `behind`, as `#rrggbb`; null if there is
 * none with the same alpha.
 */
export function nearestColor(color: Rgba, behind: Rgba, least: number): string | null {
  for (let step = 1; step <= steps; step++) {
    for (const end of [0, 255]) {
      const toward = (value: number): number => Math.round(value + ((end - value) * step) / steps);
      const [red, green, blue] = [toward(color[0]), toward(color[1]), toward(color[2])];
      if (contrastRatio(mixed([red, green, blue, color[3]], behind), behind) >= least) return hex([red, green, blue]);
    }
  }
  return null;
}

export const hex = (channels: readonly number[]): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
