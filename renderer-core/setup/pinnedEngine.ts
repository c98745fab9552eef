// Each release pins one browser and one FFmpeg, with which its tests render. Frames of others can differ.
import type { Engine } from '../reports/engine.ts';
import { browserVersion } from './builds.ts';
import { ffmpegRelease } from './ffmpegPackages.ts';

const milestoneOf = (version: string): string => version.split('.', 1).join('');

/** The milestone of Chromium. The builds for the systems differ in their last number. */
export const pinnedMilestone = milestoneOf(browserVersion);

export const isPinnedBrowser = (version: string): boolean => milestoneOf(version) === pinnedMilestone;

const start = 'This render uses';

export const isEngineWarning = (text: string): boolean => text.startsWith(`${start} `);

/** `Chromium 153.0.8010.0 and FFmpeg 8.1` */
export const engineText = ({ browser, ffmpeg }: Engine): string =>
  `Chromium ${browser.version} and FFmpeg ${ffmpeg.version}`;

export const isSameEngine = (one: Engine, other: Engine): boolean => engineText(one) === engineText(other);

/** `usesLibraries`: FFmpeg are the pinned libraries. Undefined for the pinned engine. */
export function engineWarning({ browser, ffmpeg }: Engine, usesLibraries: boolean): string | undefined {
  const others = [
    ...(isPinnedBrowser(browser.version) ? [] : [`Chromium ${browser.version} instead of ${pinnedMilestone}`]),
    ...(usesLibraries ? [] : [`FFmpeg ${ffmpeg.version} instead of the ${ffmpegRelease} of this release`]),
  ];
  if (others.length === 0) return undefined;
  return `${start} ${others.join(' and ')}: frames can differ from those of other machines. "framework doctor" says how to use the pinned versions.`;
}
