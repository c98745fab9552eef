// The tables of the conversion to 10 bits (deepPixels.as.ts): light of half floats, and the curves of HDR. 1 is the white of
// pages.
import { white } from '../../plan/brightness.ts';
import type { HdrCurve } from '../../plan/deepColor.ts';

/** The value of a half float. Infinite ones and NaN become large. */
export function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const value = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -value : value;
}

/** IEC 61966-2-1, continued below 0 and above 1. */
export function srgbLight(value: number): number {
  const size = Math.abs(value);
  return Math.sign(value) * (size <= 0.04045 ? size / 12.92 : ((size + 0.055) / 1.055) ** 2.4);
}

/** SMPTE ST 2084. */
export function pqSignal(light: number): number {
  const power = (Math.min(light * white, 10_000) / 10_000) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
}

/** Rec. ITU-R BT.2100: the curve of HLG, by the light of the scene from 0 to 1. */
export function hlgSignal(scene: number): number {
  const light = Math.min(scene, 1);
  return light <= 1 / 12 ? Math.sqrt(3 * light) : 0.17883277 * Math.log(12 * light - 0.28466892) + 0.55991073;
}

/** Rec. ITU-R BT.2100: from the light of a display of 1,000 nits to that of the scene, by the luminance of the display. */
export function hlgSceneFactor(luminance: number): number {
  const display = white / 1000;
  return display * (Math.max(luminance, darkest) * display) ** (-0.2 / 1.2);
}

const darkest = 2 ** -27;

/** From 0 and 2^-27 to 2^7, with 256 steps between two powers of 2. */
const curveTable = (curve: (light: number) => number): Float32Array =>
  Float32Array.from({ length: 34 * 256 + 1 }, (_, index) =>
    curve(index === 0 ? 0 : (1 + (index % 256) / 256) * darkest * 2 ** (index >> 8)),
  );

/** What `useTables` takes. Empty tables are not used. */
export function deepTables(hdr: HdrCurve | null): Record<'light' | 'curve' | 'scene', Float32Array> {
  const none = new Float32Array();
  if (hdr === null) return { light: none, curve: none, scene: none };
  return {
    light: Float32Array.from({ length: 65_536 }, (_, bits) => srgbLight(halfValue(bits))),
    curve: curveTable(hdr === 'pq' ? pqSignal : hlgSignal),
    scene: hdr === 'pq' ? none : curveTable(hlgSceneFactor),
  };
}
