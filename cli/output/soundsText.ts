// The sounds of a video as a table.
import { levelText } from '../../renderer-core/check/listSounds.ts';
import type { SoundsReport } from '../../renderer-core/check/soundsReport.ts';
import { secondsText, table } from './format.ts';

export function soundsText({ sounds, mix, image, durationSeconds, elapsedMs }: SoundsReport): string {
  const whole = `${secondsText(durationSeconds)} of video`;
  const rows = sounds.map((sound) => [
    timeText(sound.start),
    timeText(sound.end),
    levelText(sound),
    sound.name,
    sound.file,
  ]);
  const lines =
    sounds.length === 0
      ? [`No sound (${whole})`]
      : [
          ...table([['start', 'end', 'loudness and peak', 'element', 'file'], ...rows]),
          `Mix: ${levelText(mix)} (${whole}, ${secondsText(elapsedMs / 1000)})`,
        ];
  return [...lines, ...(image === undefined ? [] : [image]), ''].join('\n');
}

const timeText = (seconds: number): string => `${seconds.toFixed(2)} s`;
