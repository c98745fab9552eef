// Estimates of time, size and cost of a render, from what earlier renders have measured. Nothing is invented: without a
// measurement there is no estimate.
import { creditsFor } from '../../cloud/client/prices.ts';
import type { RenderEntry } from '../render/history.ts';
import { type RenderChoice, videoOf } from './renderChoice.ts';

/** What `framework render --dry-run --json` prints, as far as it is used. */
export type PlannedVideo = {
  width: number;
  height: number;
  fps: { num: number; den: number };
  frames: number;
  duration: number;
  format: string;
  quality: string;
};

/** What `framework serverless render --dry-run --json` prints. */
export type AwsEstimate = {
  chunks: number;
  seconds: number;
  cost: { usd: number };
  assumed: { framesPerSecond: number };
};

/** What an estimate is based on, as data; the host turns it into a sentence. */
export type Estimate<Basis> = { amount: number; basis: Basis };

/** A completed render of this composition. `isSameSize`: its frames had as many pixels. */
export type Earlier = { name: string; frames: number; framesPerSecond: number; isSameSize: boolean };

export type Estimates = {
  /** Seconds. */
  time:
    | Estimate<{ kind: 'earlier'; earlier: Earlier } | { kind: 'aws'; chunks: number; framesPerSecond: number }>
    | undefined;
  bytes: Estimate<Earlier> | undefined;
  /** Credits of the hosted service, or US dollars. Nothing on this computer. */
  cost: Estimate<{ unit: 'credits' | 'usd' | 'free' }>;
};

type Facts = {
  choice: RenderChoice;
  plan: PlannedVideo;
  composition: string;
  entries: readonly RenderEntry[];
  aws?: AwsEstimate | undefined;
  /** Number of videos like the planned one. Default 1. */
  videos?: number;
};

export function estimate({ choice, plan: one, composition, entries, aws, videos = 1 }: Facts): Estimates {
  const plan = { ...one, frames: one.frames * videos, duration: one.duration * videos };
  const earlier = earlierRender({ choice, plan, composition, entries });
  return { time: timeOf(choice, plan, earlier, aws), bytes: bytesOf(plan, earlier), cost: costOf(choice, plan, aws) };
}

type Measurement = { earlier: Earlier; bytesPerPixel: number; pixelsPerSecond: number };

/** The newest completed render on this computer with the same format, quality and color; preferably of the same size. */
function earlierRender({ choice, plan, composition, entries }: Facts): Measurement | undefined {
  const pixels = plan.width * plan.height;
  const like = entries.filter(
    ({ composition: uri, state, video = {}, measured }) =>
      uri === composition &&
      state === 'completed' &&
      measured !== undefined &&
      (video.format ?? 'mp4') === plan.format &&
      (video.quality ?? 'standard') === plan.quality &&
      video.color === videoOf(choice).color,
  );
  const found = like.find(({ measured }) => measured?.pixels === pixels) ?? like[0];
  if (!found?.measured || found.measured.elapsedMs <= 0) return undefined;
  const { frames, bytes, elapsedMs, pixels: measuredPixels } = found.measured;
  const seconds = elapsedMs / 1000;
  const name = (found.output ?? found.name).replaceAll('\\', '/');
  return {
    earlier: {
      name: name.slice(name.lastIndexOf('/') + 1),
      frames,
      framesPerSecond: frames / seconds,
      isSameSize: measuredPixels === pixels,
    },
    bytesPerPixel: bytes / (frames * measuredPixels),
    pixelsPerSecond: (frames * measuredPixels) / seconds,
  };
}

function timeOf(
  { target }: RenderChoice,
  { width, height, frames }: PlannedVideo,
  measured: Measurement | undefined,
  aws: AwsEstimate | undefined,
): Estimates['time'] {
  if (target === 'aws' && aws)
    return {
      amount: aws.seconds,
      basis: { kind: 'aws', chunks: aws.chunks, framesPerSecond: aws.assumed.framesPerSecond },
    };
  // The service has a queue and other machines.
  if (target !== 'local' || !measured) return undefined;
  const { pixelsPerSecond, earlier } = measured;
  return { amount: (frames * width * height) / pixelsPerSecond, basis: { kind: 'earlier', earlier } };
}

function bytesOf({ width, height, frames }: PlannedVideo, measured: Measurement | undefined): Estimates['bytes'] {
  if (!measured) return undefined;
  return { amount: frames * width * height * measured.bytesPerPixel, basis: measured.earlier };
}

function costOf({ target, video }: RenderChoice, plan: PlannedVideo, aws: AwsEstimate | undefined): Estimates['cost'] {
  if (target === 'cloud')
    return { amount: creditsFor(plan.duration, video.resolution ?? '1080p'), basis: { unit: 'credits' } };
  if (target === 'aws' && aws) return { amount: aws.cost.usd, basis: { unit: 'usd' } };
  return { amount: 0, basis: { unit: 'free' } };
}
