// The text of a file of captions.
import type { CaptionKind } from '../plan/formats.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';

type Captions = NonNullable<RenderPlan['captions']>['cues'];

/** A sample of mp4 and mov has at most 65,535 bytes. A character has up to four. */
const longest = 16_000;

/** Captions for a track, which shows one text at a time: those that overlap are joined where they do. In the order of their starts. */
export function withoutOverlaps(captions: Captions): Captions {
  const borders = [...new Set(captions.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const joined: Captions = [];
  let [first, next] = [0, 0];
  for (const [index, start] of borders.entries()) {
    const end = borders[index + 1];
    if (end === undefined) break;
    while ((captions[first]?.end ?? end) <= start) first++;
    while ((captions[next]?.start ?? end) <= start) next++;
    const shown = captions.slice(first, next).filter((one) => one.end > start);
    if (shown.length === 0) continue;
    const text = [...shown.map((one) => one.text).join('\n')].slice(0, longest).join('');
    const before = joined.at(-1);
    if (before?.end === start && before.text === text) before.end = end;
    else joined.push({ start, end, text });
  }
  return joined;
}

/** The text of a WebVTT or SRT file. */
export function captionText(captions: Captions, kind: CaptionKind): string {
  const comma = kind === 'srt' ? ',' : '.';
  const cues = captions.map(({ start, end, text }, index) => {
    // An empty line would end the caption.
    const lines = text.replace(/\n\s*\n/g, '\n');
    const times = `${timestamp(start, comma)} --> ${timestamp(end, comma)}`;
    return kind === 'srt' ? `${index + 1}\n${times}\n${lines}\n` : `${times}\n${escaped(lines)}\n`;
  });
  return [...(kind === 'vtt' ? ['WEBVTT\n'] : []), ...cues].join('\n');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function timestamp(seconds: number, comma: string): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
  return `${clock}${comma}${String(ms % 1000).padStart(3, '0')}`;
}
