// An image of the sounds of a video: a lane with the waveform of each, and one of the mix.
import type { DrawnImage } from '../render/snapshot/frameImages.ts';

/** `peaks`: the loudest sample of each column of the image, from 0 to 1. */
export type SoundLane = { title: string; note: string; peaks: readonly number[] };

export const columns = 1200;
const laneHeight = 96;
const titleHeight = 30;
const gap = 20;

/** `duration` in seconds. */
export function soundsImage(lanes: readonly SoundLane[], duration: number): DrawnImage {
  const rows = lanes.map(
    (lane) =>
      `<section><h2>${escapeText(lane.title)}<span>${escapeText(lane.note)}</span></h2><svg viewBox="0 -1 ${columns} 2" preserveAspectRatio="none"><path d="${waveform(lane.peaks)}"/></svg></section>`,
  );
  const marks = timeMarks(duration).map((time) => `<i style="left:${(100 * time) / duration}%">${time} s</i>`);
  const style = `body{background:#1b1b1f;color:#d8d8dc;font:16px/${titleHeight}px system-ui,sans-serif}
main{position:relative;padding:${gap}px ${gap}px 0}
section{margin-bottom:${gap}px}h2{margin:0;font:inherit;white-space:nowrap}span{float:right;color:#9d9da6;font-variant-numeric:tabular-nums}
svg{display:block;width:${columns}px;height:${laneHeight}px;background:#26262c}path{fill:#4cc2ff}section:last-of-type path{fill:#7ddc8a}
nav{position:relative;height:${titleHeight}px;color:#9d9da6;font-variant-numeric:tabular-nums}i{position:absolute;font-style:normal}`;
  return {
    width: columns + 2 * gap,
    height: lanes.length * (laneHeight + titleHeight + gap) + titleHeight + gap,
    html: `<style>${style}</style><main>${rows.join('')}<nav>${marks.join('')}</nav></main>`,
    files: [],
  };
}

function waveform(peaks: readonly number[]): string {
  const at = (sign: number) => (peak: number, index: number) => `${index} ${(sign * Math.max(peak, 0.004)).toFixed(3)}`;
  const above = peaks.map(at(-1));
  const below = peaks.map(at(1)).reverse();
  return `M${[...above, ...below].join('L')}Z`;
}

/** At most ten times, at round seconds. */
export function timeMarks(duration: number): number[] {
  const step = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600].find((each) => duration / each <= 10) ?? 7200;
  return Array.from({ length: Math.ceil(duration / step) }, (_, index) => index * step);
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
