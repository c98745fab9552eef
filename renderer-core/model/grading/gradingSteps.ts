// Converts a look to a few steps that an SVG filter computes exactly.
import type { GradingSpace, Look } from './grading.ts';

/** The 20 numbers of feColorMatrix: four rows of red, green, blue, alpha and a constant. */
export type ColorMatrix = readonly number[];

/** Only these two kinds, because browsers compute them per pixel without an intermediate image. */
export type GradingStep =
  /** Lookup tables for the 256 encoded sRGB values of each channel. */
  | { kind: 'tables'; channels: readonly [number[], number[], number[]] }
  | { kind: 'matrix'; matrix: ColorMatrix; space: GradingSpace };

/** The steps of a look in order; empty if the look changes nothing. */
export function gradingSteps(look: Look): GradingStep[] {
  const { saturation, vibrance } = look.adjust;
  const steps: GradingStep[] = [];
  const channels = [table(look, 0), table(look, 1), table(look, 2)] as const;
  // These curves never mix channels, so all of them fit into one table that is rounded once.
  if (channels.some((values) => values.some((value, index) => value !== index)))
    steps.push({ kind: 'tables', channels });
  if (vibrance !== 0) steps.push(...vibranceSteps(vibrance));
  if (saturation !== 0) {
    steps.push({ kind: 'matrix', matrix: saturationMatrix(1 + saturation), space: look.colorSpace });
  }
  return steps;
}

/** The luminance weight of each primary of sRGB and Rec. 709. */
const luma = [0.2126, 0.7152, 0.0722] as const;

/** Moves each color away from the gray of its luminance (above 1) or towards it; 0 results in that gray. */
export function saturationMatrix(amount: number): ColorMatrix {
  const row = (channel: number) => [
    ...luma.map((weight, other) => weight * (1 - amount) + (other === channel ? amount : 0)),
    0,
    0,
  ];
  return [...row(0), ...row(1), ...row(2), 0, 0, 0, 1, 0];
}

/**
 * Vibrance changes small differences of red and blue from gray most, and the largest ones not at all. One matrix separates
 * the differences, a table changes them, and a second matrix recombines them. 128 means no difference, so grays stay exact.
 */
function vibranceSteps(vibrance: number): GradingStep[] {
  const [red, green, blue] = luma;
  const toRed = 2 * (1 - red);
  const toBlue = 2 * (1 - blue);
  const scale = 254 / 255;
  const middle = 128 / 255;
  const apart = [
    ...[red, green, blue, 0, 0],
    ...[(-red * scale) / toBlue, (-green * scale) / toBlue, scale / 2, 0, middle],
    ...[scale / 2, (-green * scale) / toRed, (-blue * scale) / toRed, 0, middle],
    ...[0, 0, 0, 1, 0],
  ];
  const back = (blues: number, reds: number) => [1, blues / scale, reds / scale, 0, (-middle * (blues + reds)) / scale];
  const together = [
    ...back(0, toRed),
    ...back((-blue * toBlue) / green, (-red * toRed) / green),
    ...back(toBlue, 0),
    ...[0, 0, 0, 1, 0],
  ];
  const same = Array.from({ length: 256 }, (_, index) => index);
  const bent = same.map((index) => {
    const difference = (index - 128) / 254;
    const more = 1 + vibrance * (1 - 2 * Math.abs(difference));
    return Math.max(0, 128 + Math.round(254 * difference * more));
  });
  return [
    { kind: 'matrix', matrix: apart, space: 'srgb' },
    { kind: 'tables', channels: [same, bent, bent] },
    { kind: 'matrix', matrix: together, space: 'srgb' },
  ];
}

function table(look: Look, channel: 0 | 1 | 2): number[] {
  const { exposure, temperature, tint } = look.adjust;
  const gain = 2 ** exposure * whiteBalance(temperature, tint, channel);
  const isLinear = look.colorSpace === 'linear';
  return Array.from({ length: 256 }, (_, index) => {
    // Exposure and white balance always work on linear light.
    const light = toLight(index / 255) * gain;
    const value = tone(look, channel, isLinear ? light : toScreen(light));
    return Math.round(255 * (isLinear ? toScreen(clamp(value)) : clamp(value)));
  });
}

/** The gain of a channel in linear light. White keeps its luminance. */
function whiteBalance(temperature: number, tint: number, channel: 0 | 1 | 2): number {
  const stops = [temperature / 2 + tint / 4, -tint / 4, -temperature / 2 + tint / 4] as const;
  const brightness = luma.reduce((sum, weight, index) => sum + weight * 2 ** (stops[index] ?? 0), 0);
  return 2 ** stops[channel] / brightness;
}

/** Applies the tone curves in order. Each one is monotonic at every strength, so that tones keep their order. */
function tone({ adjust, darkTint, brightTint, colorSpace }: Look, channel: 0 | 1 | 2, value: number): number {
  const { contrast, highlights, shadows, whites, blacks } = adjust;
  let y = value;
  let u = clamp(y);
  y += 0.15 * (blacks * (1 - u) ** 3 + whites * u ** 3);
  u = clamp(y);
  y += 0.8 * (shadows * u * (1 - u) ** 2 + highlights * u ** 2 * (1 - u));
  const pivot = colorSpace === 'linear' ? toLight(0.5) : 0.5;
  y = pivot + (y - pivot) * 2 ** contrast;
  u = clamp(y);
  return y + darkTint[channel] * (1 - u) ** 2 + brightTint[channel] * u ** 2;
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value));

/** The transfer function of sRGB, extended above 1. */
function toLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function toScreen(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}
