// Facts about time and size: clips, hosts, compositions and the numbers in their attributes, in Markdown.
import { attr } from '../../renderer-core/model/attributes.ts';
import type { Clip } from '../../renderer-core/model/clips.ts';
import { parseFrameRateNumber, parseNumber } from '../../renderer-core/model/fields.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import { indexById, type ResolvedClip, referencedClip } from '../../renderer-core/model/timing.ts';
import { mergeValues, shortForm } from '../../renderer-core/model/values.ts';
import {
  clipTimes,
  framesPerSecond,
  mediaLength,
  round,
  seconds,
  secondsAndFrames,
  targetOf,
  timeSpan,
} from './clipTimes.ts';
import { code, compositionDetail, plain } from './describe.ts';
import type { SourceFile } from './file.ts';
import type { ValuePlace } from './place.ts';

/** When a clip shows: start, end and duration in seconds and frames. With `id`, of the clip that it refers to. Null for no clip. */
export function clipFacts(file: SourceFile, of: HtmlElement | Clip, id?: string): string | null {
  const { clips } = file.composition;
  const own = 'tag' in of ? clips.find(({ element }) => element === of) : of;
  const clip = own && id !== undefined ? referencedClip(own, id, indexById(clips)) : own;
  if (!clip) return null;
  const time = clipTimes(file).byElement.get(clip.element);
  const name = `**${plain(clip.name)}**`;
  return time ? `${name} ${timeFacts(file, time)}` : `${name} has no start that can be worked out.`;
}

function timeFacts(file: SourceFile, time: ResolvedClip): string {
  const { start, end, shows } = time;
  const fps = framesPerSecond(file);
  const lines = [
    `shows ${timeSpan(time)}`,
    `- Start: ${secondsAndFrames(start, fps)}`,
    end === null ? '- End: not known' : `- End: ${secondsAndFrames(end, fps)}`,
    ...(end === null ? [] : [`- Duration: ${secondsAndFrames(end - start, fps)}`]),
  ];
  if (shows.end !== null && shows.end <= shows.start) lines.push('- Never seen: the clip around it does not show then');
  else if (shows.start !== start || shows.end !== end)
    lines.push(`- Seen ${timeSpan(shows)}, while the clip around it shows`);
  return `${lines[0]}\n\n${lines.slice(1).join('\n')}\n\nAt ${round(fps)} frames a second.`;
}

/** What an element is to us: a host, a clip, a composition. Null for other elements. */
export function elementFacts(file: SourceFile, element: HtmlElement): string | null {
  const parts = [hostFacts(file, element), clipFacts(file, element)].filter((part) => part !== null);
  if (element === file.composition.root) {
    const detail = compositionDetail(file.composition);
    const fps = `${round(framesPerSecond(file))} frames a second`;
    parts.push(`**${plain(file.composition.id?.text ?? '')}** — composition${detail ? ` · ${detail}` : ''} · ${fps}`);
  }
  return parts.length > 0 ? parts.join('\n\n---\n\n') : null;
}

/** The embedded file, and the values that its variables have in this instance. Null when there is no such file. */
export function hostFacts(file: SourceFile, element: HtmlElement): string | null {
  const target = element.attributes.has(attr.compositionSrc) ? targetOf(file, element) : undefined;
  if (!target) return null;
  const detail = compositionDetail(target.composition);
  const lines = [`[${plain(target.path)}](<${file.uriOf(target.path)}>)${detail ? ` — ${detail}` : ''}`];
  const { declarations } = target.composition;
  const given = file.composition.hosts.find((host) => host.element === element)?.values?.values ?? {};
  const values = mergeValues(declarations, given);
  const shown = declarations.slice(0, 20).map(({ id }) => {
    const value = values[id] === undefined ? 'no value' : code(shortForm(values[id]));
    return `- ${plain(id)}: ${value}${Object.hasOwn(given, id) ? '' : ' (default)'}`;
  });
  if (shown.length > 0) lines.push(shown.join('\n'));
  if (declarations.length > shown.length) lines.push(`and ${declarations.length - shown.length} more`);
  return lines.join('\n\n');
}

/** What a number means, with its unit. Null where there is nothing to add. */
export function valueFacts(file: SourceFile, { key, text, element }: ValuePlace): string | null {
  const value = key === 'fps' ? parseFrameRateNumber(text.text) : parseNumber(text.text);
  if (value === null) return null;
  switch (key) {
    case 'duration':
      return clipFacts(file, element) ?? `**${secondsAndFrames(value, framesPerSecond(file))}**`;
    case 'width':
    case 'height':
      return sizeFacts(element) ?? `**${value} pixels**`;
    case 'fps':
      return value > 0 ? `**${round(value)} frames a second**, ${round(1000 / value)} ms each` : null;
    case 'mediaStart':
      return `**${seconds(value)}**`;
    case 'playbackRate':
      return rateFacts(file, element, value);
    case 'volume':
      return value > 0 ? `**${round(value * 100)} %**, ${round(20 * Math.log10(value))} dB` : '**silent**';
    default:
      return null;
  }
}

function sizeFacts({ attributes }: HtmlElement): string | null {
  const width = parseNumber(attributes.get(attr.width)?.value ?? '');
  const height = parseNumber(attributes.get(attr.height)?.value ?? '');
  if (!width || !height || width < 0 || height < 0) return null;
  const divisor = commonDivisor(width, height);
  const ratio = Math.max(width, height) / divisor <= 100 ? `, ${width / divisor}:${height / divisor}` : '';
  return `**${width} × ${height} pixels**${ratio}`;
}

function commonDivisor(a: number, b: number): number {
  return b < 1 || !Number.isInteger(b) || !Number.isInteger(a) ? 1 : a % b === 0 ? b : commonDivisor(b, a % b);
}

function rateFacts(file: SourceFile, element: HtmlElement, rate: number): string {
  const media = file.composition.media.find((each) => each.element === element);
  const length = media && mediaLength(file, media);
  return `**${round(rate)} times** the recorded speed${length === undefined ? '' : `; the file then lasts ${seconds(length)}`}`;
}
