// HDR footage with patches of known light, and the light of patches in videos. An implementation of Rec. ITU-R BT.2100 of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../project.ts';
import { referenceFfmpeg } from './ffmpeg.ts';

export type Curve = 'pq' | 'hlg';
/** Red, green and blue of BT.2020 in cd/m². */
export type Light = [red: number, green: number, blue: number];

/** Patches have this width and height, and are in a row. */
export const patchSize = 32;

const [m1, m2, c1, c2, c3] = [2610 / 16_384, 2523 / 32, 107 / 128, 2413 / 128, 2392 / 128];
const toPq = (nits: number): number => {
  const power = (nits / 10_000) ** m1;
  return ((c1 + c2 * power) / (1 + c3 * power)) ** m2;
};
const fromPq = (signal: number): number => {
  const power = Math.max(0, signal) ** (1 / m2);
  return 10_000 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
};
const luminance = ([red, green, blue]: Light): number => 0.2627 * red + 0.678 * green + 0.0593 * blue;
const toHlg = (light: number): number =>
  light <= 1 / 12 ? Math.sqrt(3 * light) : 0.17883277 * Math.log(12 * light - 0.28466892) + 0.55991073;
const fromHlg = (signal: number): number =>
  signal <= 0.5 ? Math.max(0, signal) ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12;

function encode(light: Light, curve: Curve): number[] {
  if (curve === 'pq') return light.map(toPq);
  const scene = (luminance(light) / 1000) ** (-1 / 6) / 1000;
  return light.map((value) => (value === 0 ? 0 : toHlg(value * scene)));
}

function decode(signal: Light, curve: Curve): Light {
  if (curve === 'pq') return signal.map(fromPq) as Light;
  const scene = signal.map(fromHlg) as Light;
  return scene.map((value) => 1000 * value * luminance(scene) ** 0.2) as Light;
}

const kinds = {
  webm: '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 2 -b:v 0',
  mp4: '-c:v libx265 -preset ultrafast -crf 2 -x265-params log-level=error -tag:v hvc1',
};

/** A second of footage in 30 fps, as VP9 in webm or as HEVC in mp4; with 8 bits as H.264. `patchWidth`: even. */
export function hdrFootage(
  patches: readonly Light[],
  curve: Curve,
  kind: keyof typeof kinds = 'webm',
  bits: 8 | 10 = 10,
  patchWidth = patchSize,
): Buffer {
  const [width, height] = [patches.length * patchWidth, patchSize];
  const planes = [0, 1, 2].map((plane) => {
    const part = plane === 0 ? 1 : 1 / 2;
    const row = patches.flatMap((patch) => {
      const [red = 0, green = 0, blue = 0] = encode(patch, curve);
      const luma = luminance([red, green, blue]);
      const codes = [64 + 876 * luma, 512 + (896 * (blue - luma)) / 1.8814, 512 + (896 * (red - luma)) / 1.4746];
      return Array<number>(part * patchWidth).fill(Math.round(codes[plane] ?? 0));
    });
    return Buffer.from(Uint16Array.from(Array.from({ length: part * patchSize }, () => row).flat()).buffer);
  });
  const file = join(temporaryFolder(), `footage.${kind}`);
  const transfer = curve === 'pq' ? 'smpte2084' : 'arib-std-b67';
  const raw = `-f rawvideo -pix_fmt yuv420p10le -s ${width}x${height} -r 30`;
  const tags = `-color_primaries bt2020 -color_trc ${transfer} -colorspace bt2020nc -color_range tv`;
  const encoder = bits === 10 ? `${kinds[kind]} -pix_fmt yuv420p10le` : '-c:v libx264 -crf 2 -pix_fmt yuv420p';
  const args = `-y -v error ${raw} -i - ${encoder} ${tags}`;
  const frame = Buffer.concat(planes);
  execFileSync(referenceFfmpeg, [...args.split(' '), file], { input: Buffer.concat(Array(30).fill(frame)) });
  return readFileSync(file);
}

/** The light at a place in each frame of a video of 10 bits. */
export function lightIn(file: string, curve: Curve, size: { width: number; height: number }) {
  const args = ['-v', 'error', '-i', file, '-vsync', '0', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-'];
  const raw = execFileSync(referenceFfmpeg, args, { maxBuffer: 2 ** 30 });
  const codes = new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2);
  const { width, height } = size;
  const pixels = width * height;
  return Array.from({ length: codes.length / (1.5 * pixels) }, (_, frame) => (x: number, y: number): Light => {
    const start = frame * 1.5 * pixels;
    const chroma = start + pixels + (y >> 1) * (width / 2) + (x >> 1);
    const luma = ((codes[start + y * width + x] ?? 0) - 64) / 876;
    const red = luma + (1.4746 * ((codes[chroma + pixels / 4] ?? 0) - 512)) / 896;
    const blue = luma + (1.8814 * ((codes[chroma] ?? 0) - 512)) / 896;
    return decode([red, (luma - 0.2627 * red - 0.0593 * blue) / 0.678, blue], curve);
  });
}
