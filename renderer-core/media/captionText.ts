// The text of a file of captions.
import type { CaptionKind } from '../plan/formats.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';

type Captions = NonNullable<RenderPlan['captions']>['cues'];

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
