// Descriptions of times and sizes: clips, hosts, compositions and the numbers in their attributes, in Markdown.
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Clip } from '../../../renderer-core/model/clips.ts';
import { readSizes, type Size } from '../../../renderer-core/model/declaredSizes.ts';
import { parseDuck } from '../../../renderer-core/model/soundShape.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { indexById, type ResolvedClip, referencedClip } from '../../../renderer-core/model/timing.ts';
import { parseFrameRateNumber, parseNumber } from '../../../renderer-core/model/variables/fields.ts';
import { passedName } from '../../../renderer-core/model/variables/passedValues.ts';
import { formatValue, mergeValues } from '../../../renderer-core/model/variables/values.ts';
import {
  clipTimes,
  framesPerSecond,
  mediaLength,
  round,
  seconds,
  secondsAndFrames,
  targetOf,
  timeSpan,
} from '../clipTimes.ts';
import type { ValueContext } from '../cursorContext.ts';
import type { SourceFile } from '../sourceFile.ts';
import { summarizeArrivals } from './describePassed.ts';
import { compositionDetail, escapeMarkdown, inlineCode } from './descriptions.ts';

/**
 * The start, end and duration of a clip in seconds and frames. Null if there is no such clip.
 * @param id describes the clip that `of` refers to by this ID
 */
export function describeClip(file: SourceFile, of: HtmlElement | Clip, id?: string): string | null {
  const { clips } = file.composition;
  const own = 'tag' in of ? clips.find(({ element }) => element === of) : of;
  const clip = own && id !== undefined ? referencedClip(own, id, indexById(clips)) : own;
  if (!clip) return null;
  const time = clipTimes(file).byElement.get(clip.element);
  const name = `**${escapeMarkdown(clip.name)}**`;
  return time ? `${name} ${describeTimes(file, time)}` : `${name} has a start that cannot be resolved.`;
}

function describeTimes(file: SourceFile, time: ResolvedClip): string {
  const { start, end, shows } = time;
  const fps = framesPerSecond(file);
  const lines = [
    `- Start: ${secondsAndFrames(start, fps)}`,
    end === null ? '- End: not known' : `- End: ${secondsAndFrames(end, fps)}`,
    ...(end === null ? [] : [`- Duration: ${secondsAndFrames(end - start, fps)}`]),
  ];
  if (shows.end !== null && shows.end <= shows.start)
    lines.push('- Never visible: the clip that contains it does not show at that time');
  else if (shows.start !== start || shows.end !== end)
    lines.push(`- Visible ${timeSpan(shows)}, while the clip that contains it shows`);
  const shown = `shows ${timeSpan(time)}`;
  return `${shown}\n\n${lines.join('\n')}\n\n${`At ${round(fps)} frames per second.`}`;
}

/** Describes a host, clip or composition. Null for other elements. */
export function describeElement(file: SourceFile, element: HtmlElement): string | null {
  const parts = [describeHost(file, element), describeClip(file, element)].filter((part) => part !== null);
  if (element === file.composition.root) {
    const detail = compositionDetail(file);
    const fps = `${round(framesPerSecond(file))} frames per second`;
    parts.push(
      `**${escapeMarkdown(file.composition.id?.text ?? '')}** — composition${detail ? ` · ${detail}` : ''} · ${fps}`,
    );
  }
  return parts.length > 0 ? parts.join('\n\n---\n\n') : null;
}

/** Describes the embedded file and the values of its variables in this instance. Null if the file does not exist. */
export function describeHost(file: SourceFile, element: HtmlElement): string | null {
  const target = element.attributes.has(attr.compositionSrc) ? targetOf(file, element) : undefined;
  if (!target) return null;
  const detail = compositionDetail({ ...target, project: file.project });
  const lines = [`[${escapeMarkdown(target.path)}](<${file.uriOf(target.path)}>)${detail ? ` — ${detail}` : ''}`];
  const { declarations } = target.composition;
  const given = file.composition.hosts.find((host) => host.element === element)?.values?.values ?? {};
  const values = mergeValues(declarations, given);
  const shown = declarations.slice(0, 20).map(({ id }) => {
    const name = passedName(values[id]);
    if (name !== undefined && Object.hasOwn(given, id)) {
      return `- ${escapeMarkdown(id)}: ${inlineCode(`$${name}`)}, ${summarizeArrivals(file, file, name)}`;
    }
    const value = values[id] === undefined ? 'no value' : inlineCode(formatValue(values[id]));
    return `- ${escapeMarkdown(id)}: ${value}${Object.hasOwn(given, id) ? '' : ' (default)'}`;
  });
  if (shown.length > 0) lines.push(shown.join('\n'));
  if (declarations.length > shown.length) lines.push(`and ${declarations.length - shown.length} more`);
  return lines.join('\n\n');
}

/** The value of a number with its unit. Null if there is nothing to add. */
export function describeValue(file: SourceFile, { key, text, element }: ValueContext): string | null {
  if (key === 'duck') return describeDuck(text.text);
  if (key === 'sizes') return readSizes(text.text).sizes.map(sizeLine).join('\\\n') || null;
  const value = key === 'fps' ? parseFrameRateNumber(text.text) : parseNumber(text.text);
  if (value === null) return null;
  switch (key) {
    case 'duration':
      return describeClip(file, element) ?? `**${secondsAndFrames(value, framesPerSecond(file))}**`;
    case 'width':
    case 'height':
      return describeSize(element) ?? `**${value} pixels**`;
    case 'fps':
      return value > 0 ? `**${round(value)} frames per second**, ${round(1000 / value)} ms each` : null;
    case 'posterTime':
      return `**${secondsAndFrames(value, framesPerSecond(file))}**`;
    case 'fadeIn':
    case 'fadeOut':
    case 'mediaStart':
      return `**${seconds(value)}**`;
    case 'playbackRate':
      return describePlaybackRate(file, element, value);
    case 'volume':
      return value > 0 ? `**${round(value * 100)} %**, ${round(20 * Math.log10(value))} dB` : '**silent**';
    default:
      return null;
  }
}

function describeDuck(text: string): string | null {
  const spec = parseDuck(text);
  if (!spec) return null;
  const { target, gain, attack, release } = spec;
  const decibels = round(20 * Math.log10(gain));
  return `**${decibels} dB while ${target} is heard**, falling in ${seconds(attack)} and rising in ${seconds(release)}`;
}

function describeSize({ attributes }: HtmlElement): string | null {
  const width = parseNumber(attributes.get(attr.width)?.value ?? '');
  const height = parseNumber(attributes.get(attr.height)?.value ?? '');
  if (!width || !height || width < 0 || height < 0) return null;
  return sizeLine({ width, height });
}

function sizeLine({ width, height }: Size): string {
  const divisor = commonDivisor(width, height);
  const ratio = Math.max(width, height) / divisor <= 100 ? `, ${width / divisor}:${height / divisor}` : '';
  return `**${width} × ${height} pixels**${ratio}`;
}

function commonDivisor(a: number, b: number): number {
  return b < 1 || !Number.isInteger(b) || !Number.isInteger(a) ? 1 : a % b === 0 ? b : commonDivisor(b, a % b);
}

function describePlaybackRate(file: SourceFile, element: HtmlElement, rate: number): string {
  const media = file.composition.media.find((each) => each.element === element);
  const length = media && mediaLength(file, media);
  return `**${round(rate)}×** the recorded speed${length === undefined ? '' : `; the file plays for ${seconds(length)}`}`;
}
