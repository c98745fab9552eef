// Moves and trims a clip: edits of its timing attributes, or the reason why they cannot be edited.

import type { TextEdit } from 'vscode-languageserver-types';
import { addAttribute, setAttribute } from '../../../renderer-core/lint/attributeEdits.ts';
import type { TextEdit as SpanEdit } from '../../../renderer-core/lint/finding.ts';
import { type AttributeName, attr } from '../../../renderer-core/model/attributes.ts';
import type { Clip } from '../../../renderer-core/model/clips.ts';
import type { StartSpec } from '../../../renderer-core/model/startSyntax.ts';
import { encodeAttributeText } from '../../../renderer-core/model/text/attributeText.ts';
import type { HtmlAttribute } from '../../../renderer-core/model/text/html.ts';
import { addSeconds } from '../../../renderer-core/model/timing.ts';
import type { ClipChange } from '../../protocol.ts';
import { clipTimes } from '../clipTimes.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';

export type ClipEdits = { edits: TextEdit[] } | { reason: string };

/** `offset` is the start of the clip's start tag. Attributes whose values do not change are not edited. */
export function clipEdits(file: SourceFile, offset: number, change: ClipChange): ClipEdits {
  const clip = file.composition.clips.find(({ element }) => element.startTag.start === offset);
  if (!clip) return { reason: 'The preview does not show the current text yet. Try again when it does.' };
  const reason = blockedReason(file, clip, change);
  if (reason !== undefined) return { reason };
  const { startBy = 0, duration, track } = change;
  const edits = [
    ...(startBy === 0 ? [] : startEdit(file.composition.text, clip, startBy)),
    ...(startBy === 0 || duration === undefined ? [] : mediaStartEdit(file, clip, startBy)),
    ...(duration === undefined ? [] : numberEdit(clip, attr.duration, clip.duration?.value, duration)),
    ...(track === undefined ? [] : numberEdit(clip, attr.trackIndex, clip.trackIndex?.value, track)),
  ];
  return { edits: edits.map((edit) => textEdit(file, edit)) };
}

function blockedReason(file: SourceFile, clip: Clip, { startBy = 0, duration }: ClipChange): string | undefined {
  const { name } = clip;
  if (startBy !== 0) {
    const times = clipTimes(file);
    const own = times.byElement.get(clip.element);
    if (!clip.start) return `${name} cannot move because its ${attr.start} is invalid.`;
    if (!own) {
      const problem = times.problems.find((one) => one.clip === clip);
      return `${name} cannot move because its start is unknown${problem ? `: ${problem.message}` : ''}.`;
    }
    const start = addSeconds(own.start, startBy);
    if (start < 0) return `${name} cannot start ${number(-start)} s before its composition.`;
  }
  if (duration !== undefined && duration <= 0) return `${name} must be longer than 0 s.`;
  const mediaStart = newMediaStart(file, clip, startBy);
  if (duration !== undefined && mediaStart !== undefined && mediaStart < 0)
    return `${name} has no content before this: its file starts ${number(-mediaStart)} s later.`;
  return undefined;
}

/** Keeps the reference of `id + s`, and the author's spacing if the sign stays. */
function startEdit(text: string, { element, start }: Clip, by: number): SpanEdit[] {
  const attribute = element.attributes.get(attr.start);
  if (!start || !attribute) return [];
  if (start.kind === 'seconds') return [setAttribute(attribute, number(addSeconds(start.seconds, by)))];
  const offset = addSeconds(start.offset, by);
  // Unquoted values must not contain spaces.
  if (attribute.quote === '') return [setQuoted(attribute, start, offset)];
  const written = text.slice(start.idSpan.end, start.span.end);
  const sign = offset < 0 ? '-' : '+';
  const spacing = /^(\s*)([+-])(\s*)/.exec(written);
  const before = spacing?.[2] === sign ? spacing[0] : ` ${sign} `;
  const after = offset === 0 ? '' : before + number(Math.abs(offset));
  return [{ span: { start: start.idSpan.end, end: start.span.end }, text: after }];
}

function setQuoted(
  { nameSpan, span }: HtmlAttribute,
  { id }: Extract<StartSpec, { kind: 'after' }>,
  offset: number,
): SpanEdit {
  const value = offset === 0 ? id : `${id} ${offset < 0 ? '-' : '+'} ${number(Math.abs(offset))}`;
  return { span: { start: nameSpan.end, end: span.end }, text: `="${encodeAttributeText(value, '"')}"` };
}

/** When the start of a video or audio clip is trimmed, the rest keeps its frames and sound. */
function mediaStartEdit(file: SourceFile, clip: Clip, by: number): SpanEdit[] {
  const value = newMediaStart(file, clip, by);
  const current = mediaOf(file, clip)?.mediaStart?.value;
  return value === undefined ? [] : numberEdit(clip, attr.mediaStart, current ?? undefined, value);
}

/** Undefined for clips without a media file, and for loops, which have content at all times. */
function newMediaStart(file: SourceFile, clip: Clip, by: number): number | undefined {
  const media = mediaOf(file, clip);
  if (!media || media.loop) return undefined;
  return addSeconds(media.mediaStart?.value ?? 0, by * (media.playbackRate?.value ?? 1));
}

const mediaOf = ({ composition }: SourceFile, { element }: Clip) =>
  composition.media.find((media) => media.element === element);

function numberEdit(
  { element }: Clip,
  name: AttributeName,
  current: number | null | undefined,
  value: number,
): SpanEdit[] {
  if (current === value) return [];
  const attribute = element.attributes.get(name);
  return [attribute ? setAttribute(attribute, number(value)) : addAttribute(element, name, number(value))];
}

/** Writes a number without exponent and rounding errors: 0.1 + 0.2 is `0.3`. */
function number(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '');
}
