// Reads and checks `data-color-grading`, and combines preset and `adjust` into one look.
// Imports no parser, because the page script also reads gradings with it.

import { parseReference, resolveReferences } from '../references.ts';
import { didYouMean } from '../text/suggest.ts';
import {
  type Adjust,
  type AdjustKey,
  adjustLimits,
  type GradingPreset,
  gradingPresets,
  type PresetName,
  type Rgb,
} from './gradingPresets.ts';

/** The values that tone curves and saturation work on: encoded sRGB values or linear light. */
export type GradingSpace = 'srgb' | 'linear';

/** The settings of a grading. Missing and invalid fields have their defaults. */
export type GradingSettings = {
  preset: PresetName;
  /** 0 leaves the image unchanged, 1 applies the whole grading. */
  intensity: number;
  /** Each field overrides that of the preset. */
  adjust: Partial<Adjust>;
  colorSpace: GradingSpace;
};

/** `path` is the path of the field in the value. */
export type GradingProblem = { message: string; path: readonly string[] };

/** The effect on the image: preset and `adjust` combined and scaled by the intensity. */
export type Look = { adjust: Adjust; darkTint: Rgb; brightTint: Rgb; colorSpace: GradingSpace };

/** Rec. 709 has the primaries of sRGB, so both mean the same here. */
const spaces: Record<string, GradingSpace> = { srgb: 'srgb', rec709: 'srgb', linear: 'linear' };

const fields = ['preset', 'intensity', 'adjust', 'colorSpace'];
const adjustKeys = Object.keys(adjustLimits) as AdjustKey[];

/**
 * Reads the value of a grading. Invalid fields are ignored and listed. References are ignored without a problem, because
 * only an instance knows their values. Never throws.
 */
export function readGradingSettings(value: unknown): { settings: GradingSettings; problems: GradingProblem[] } {
  const problems: GradingProblem[] = [];
  const settings: GradingSettings = { preset: 'neutral', intensity: 1, adjust: {}, colorSpace: 'srgb' };
  const given = record(value, [], problems);
  complainUnknown(given, fields, [], problems);
  settings.preset = oneOf(given, 'preset', gradingNames, problems) ?? 'neutral';
  settings.intensity = number(given, 'intensity', 0, 1, [], problems) ?? 1;
  settings.colorSpace = oneOf(given, 'colorSpace', spaces, problems) ?? 'srgb';
  const adjust = record(own(given, 'adjust') ?? {}, ['adjust'], problems);
  complainUnknown(adjust, adjustKeys, ['adjust'], problems);
  for (const key of adjustKeys) {
    const amount = number(adjust, key, -adjustLimits[key], adjustLimits[key], ['adjust'], problems);
    if (amount !== undefined) settings.adjust[key] = amount;
  }
  return { settings, problems };
}

/** Resolves every reference from the values of an instance, then reads the grading. Lists unknown variables as problems. */
export function resolveGrading(
  value: unknown,
  variables: Readonly<Record<string, unknown>>,
): { settings: GradingSettings; problems: GradingProblem[] } {
  const resolved = resolveReferences(value, variables);
  const { settings, problems } = readGradingSettings(resolved.value);
  const unresolved = resolved.unresolved.map(({ name, path }) => ({
    message: `${path.join('.') || 'the grading'} refers to the unknown variable "${name}" and is ignored`,
    path: path.map(String),
  }));
  return { settings, problems: [...unresolved, ...problems] };
}

/** Combines preset and `adjust`, and scales both by the intensity. */
export function lookOf({ preset, intensity, adjust, colorSpace }: GradingSettings): Look {
  const base: GradingPreset = gradingPresets[preset];
  const amounts = adjustKeys.map((key) => [key, intensity * (adjust[key] ?? base.adjust[key] ?? 0)]);
  const tint = ([red, green, blue]: Rgb = [0, 0, 0]): Rgb => [intensity * red, intensity * green, intensity * blue];
  return {
    adjust: Object.fromEntries(amounts) as Adjust,
    darkTint: tint(base.darkTint),
    brightTint: tint(base.brightTint),
    colorSpace,
  };
}

const gradingNames = Object.fromEntries(Object.keys(gradingPresets).map((name) => [name, name])) as Record<
  string,
  PresetName
>;

const own = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const isReference = (value: unknown): boolean => typeof value === 'string' && parseReference(value) !== undefined;

function record(value: unknown, path: readonly string[], problems: GradingProblem[]): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  if (!isReference(value)) {
    problems.push({
      message: `${path.join('.') || 'the grading'} must be an object (got ${show(value)})`,
      path,
    });
  }
  return {};
}

function complainUnknown(
  given: Record<string, unknown>,
  known: readonly string[],
  path: readonly string[],
  problems: GradingProblem[],
): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const hint = didYouMean(key, known) || `; use ${known.join(', ')}`;
    problems.push({ message: `unknown field ${[...path, key].join('.')}${hint}`, path: [...path, key] });
  }
}

function number(
  given: Record<string, unknown>,
  key: string,
  min: number,
  max: number,
  path: readonly string[],
  problems: GradingProblem[],
): number | undefined {
  const value = own(given, key);
  if (value === undefined || isReference(value)) return undefined;
  const isNumber = typeof value === 'number' && !Number.isNaN(value);
  if (!isNumber || value < min || value > max) {
    const name = [...path, key].join('.');
    problems.push({
      message: `${name} must be a number from ${min} to ${max} (got ${show(value)})`,
      path: [...path, key],
    });
  }
  return isNumber ? Math.max(min, Math.min(max, value)) : undefined;
}

function oneOf<T>(
  given: Record<string, unknown>,
  key: string,
  choices: Record<string, T>,
  problems: GradingProblem[],
): T | undefined {
  const value = own(given, key);
  if (value === undefined || isReference(value)) return undefined;
  if (typeof value === 'string' && Object.hasOwn(choices, value)) return choices[value];
  const names = Object.keys(choices);
  const hint = (typeof value === 'string' && didYouMean(value, names)) || `; use ${names.join(', ')}`;
  problems.push({ message: `unknown ${key} ${show(value)}${hint}`, path: [key] });
  return undefined;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);
}
