// The attribute table: the only file that contains the attribute names of the contract.

/**
 * Attribute names by the key that the code uses. They are separate from the specs below, so that the page script bundles
 * only the names.
 */
export const attr = {
  compositionVariables: 'data-composition-variables',
  compositionId: 'data-composition-id',
  compositionSrc: 'data-composition-src',
  variableValues: 'data-variable-values',
  width: 'data-width',
  height: 'data-height',
  sizes: 'data-sizes',
  fps: 'data-fps',
  duration: 'data-duration',
  posterTime: 'data-poster-time',
  timezone: 'data-timezone',
  locale: 'data-locale',
  loudness: 'data-loudness',
  start: 'data-start',
  trackIndex: 'data-track-index',
  hasAudio: 'data-has-audio',
  mediaStart: 'data-media-start',
  playbackRate: 'data-playback-rate',
  volume: 'data-volume',
  fadeIn: 'data-fade-in',
  fadeOut: 'data-fade-out',
  duck: 'data-duck',
  loop: 'loop',
  muted: 'muted',
  colorGrading: 'data-color-grading',
  varText: 'data-var-text',
  varSrc: 'data-var-src',
  varIf: 'data-var-if',
  captionsSrc: 'data-captions-src',
  captionsWords: 'data-captions-words',
} as const;

export type AttributeKey = keyof typeof attr;
export type AttributeName = (typeof attr)[AttributeKey];

/** The elements on which an attribute has a meaning. `composition` is the root or any other composition element. */
export type AttributeTarget =
  | 'html'
  | 'composition'
  | 'host'
  | 'clip'
  | 'video'
  | 'audio'
  | 'img'
  | 'source'
  | 'captions'
  | 'any';

/** How an attribute's text is read. */
export type AttributeValueKind =
  | 'declarations'
  | 'values'
  | 'grading'
  | 'composition-id'
  | 'path'
  | 'captions'
  | 'number'
  | 'sizes'
  | 'frame-rate'
  | 'timezone'
  | 'locale'
  | 'start'
  | 'flag'
  | 'duck'
  | 'variable-id'
  | 'condition';

/**
 * Bounds of a number; `above` is exclusive. With `lenient`, a number outside the range is clamped with a warning, because
 * the video can still be rendered. Otherwise it is an error and the attribute is ignored.
 */
export type NumberRange = { min?: number; max?: number; above?: number; integer?: boolean; lenient?: boolean };

export type AttributeSpec = {
  on: readonly AttributeTarget[];
  value: AttributeValueKind;
  range?: NumberRange;
  /** One or two sentences for a hover or a completion list. */
  doc: string;
  /** An example value with its quotes. */
  example: string;
};

/** Ranges that the page script also needs; separate constants, so that it bundles nothing else. */
export const mediaStartRange = { min: 0, lenient: true };
export const playbackRateRange = { min: 0.1, max: 5, lenient: true };
export const volumeRange = { min: 0, max: 1, lenient: true };
export const fadeRange = { min: 0, lenient: true };
export const loudnessRange = { min: -50, max: -5 };

/** The meaning, the allowed elements and the value of each attribute. Source: the contract's attribute table. */
export const attributeSpecs: Record<AttributeKey, AttributeSpec> = {
  compositionVariables: {
    on: ['html', 'composition'],
    value: 'declarations',
    doc: 'JSON array that declares the variables of this composition: each has `id`, `type`, `label` and `default`. Place it on `<html>`, or on the composition root of a fragment or `<template>` file.',
    example: `'[{"id":"title","type":"string","label":"Title","default":"Hello"}]'`,
  },
  compositionId: {
    on: ['composition', 'host'],
    value: 'composition-id',
    doc: 'Identifier of the composition. `window.__timelines[id]` holds its timeline.',
    example: '"main"',
  },
  compositionSrc: {
    on: ['host'],
    value: 'path',
    doc: 'Embeds another composition file here. The path is relative to this file, then to the project folder.',
    example: '"compositions/intro.html"',
  },
  variableValues: {
    on: ['host', 'composition'],
    value: 'values',
    doc: 'JSON object of variable values for this instance. They override the declared defaults of the embedded composition. `$name` is the value of a variable of the file that contains this attribute.',
    example: `'{"title":"Pro","count":"$count"}'`,
  },
  width: {
    on: ['composition'],
    value: 'number',
    range: { min: 1, integer: true },
    doc: 'Width in pixels. Read once from the source, before scripts run.',
    example: '"1920"',
  },
  height: {
    on: ['composition'],
    value: 'number',
    range: { min: 1, integer: true },
    doc: 'Height in pixels. Read once from the source, before scripts run.',
    example: '"1080"',
  },
  sizes: {
    on: ['composition'],
    value: 'sizes',
    doc: 'Sizes for which the root composition has layouts, by container or media queries or by scripts. A video with the aspect ratio of one of them is laid out in that size, without bars. Its `data-width` and `data-height` are that size then.',
    example: '"1920x1080 1080x1920 1080x1080"',
  },
  fps: {
    on: ['composition'],
    value: 'frame-rate',
    range: { min: 1, max: 240 },
    doc: 'Frames per second of the root composition: a number or a fraction, 1 to 240. Default 30.',
    example: '"30"',
  },
  duration: {
    on: ['composition', 'host', 'clip', 'video', 'audio'],
    value: 'number',
    range: { above: 0 },
    doc: 'Duration in seconds. On the root it is the duration of the video, read once before scripts run; on a clip it is read again after scripts ran. Video and audio without it use the duration of their source.',
    example: '"5"',
  },
  posterTime: {
    on: ['composition'],
    value: 'number',
    range: { min: 0, lenient: true },
    doc: 'Time in seconds of the frame that represents the video: the preview opens at it, and thumbnails show it. Without it, the first frame with content after the intro is used.',
    example: '"2.5"',
  },
  timezone: {
    on: ['composition'],
    value: 'timezone',
    doc: 'Time zone of the page, on every machine: a name such as `Europe/Berlin`. Default `UTC`.',
    example: '"Europe/Berlin"',
  },
  locale: {
    on: ['composition'],
    value: 'locale',
    doc: 'Language of the page, on every machine, in which scripts format numbers and dates: a tag such as `de-CH`. Default `en-US`.',
    example: '"de-CH"',
  },
  loudness: {
    on: ['composition'],
    value: 'number',
    range: loudnessRange,
    doc: 'Loudness of the finished sound in LUFS, -50 to -5, with peaks of at most -1 dBTP. Platforms play at about -14. Default: the sound as it is mixed.',
    example: '"-14"',
  },
  start: {
    on: ['clip', 'host', 'video', 'audio', 'composition'],
    value: 'start',
    doc: 'When the clip starts: seconds in its composition, or the id of another clip to start at the end of that clip, optionally with an offset: `intro`, `intro + 0.5`, `intro - 0.5`.',
    example: '"0"',
  },
  trackIndex: {
    on: ['clip', 'host', 'video', 'audio'],
    value: 'number',
    range: { integer: true, lenient: true },
    doc: 'The track on which an editor shows the clip. It affects neither timing nor stacking.',
    example: '"1"',
  },
  hasAudio: {
    on: ['clip', 'video', 'audio'],
    value: 'flag',
    doc: 'Whether the audio of this media element is included in the video.',
    example: '"true"',
  },
  mediaStart: {
    on: ['video', 'audio', 'captions'],
    value: 'number',
    range: mediaStartRange,
    doc: 'Seconds of the media or captions file that are skipped before the clip begins.',
    example: '"2.5"',
  },
  playbackRate: {
    on: ['video', 'audio'],
    value: 'number',
    range: playbackRateRange,
    doc: 'Speed of the media, 0.1 to 5. Default 1.',
    example: '"1"',
  },
  volume: {
    on: ['video', 'audio'],
    value: 'number',
    range: volumeRange,
    doc: 'Loudness, 0 (silent) to 1 (as recorded). Default 1.',
    example: '"0.8"',
  },
  fadeIn: {
    on: ['video', 'audio'],
    value: 'number',
    range: fadeRange,
    doc: 'Seconds in which the sound rises from silence to its volume.',
    example: '"1"',
  },
  fadeOut: {
    on: ['video', 'audio'],
    value: 'number',
    range: fadeRange,
    doc: 'Seconds in which the sound falls to silence, before it ends.',
    example: '"2"',
  },
  duck: {
    on: ['video', 'audio'],
    value: 'duck',
    doc: 'Makes this sound quieter while another one is heard: the id of its clip, or the number of a track. Then optionally decibels (default -12), and the seconds in which it falls before (0.3) and rises after (0.8).',
    example: '"voice -15"',
  },
  loop: {
    on: ['video', 'audio'],
    value: 'flag',
    doc: 'Repeats the media if its source ends before the clip does.',
    example: '',
  },
  muted: {
    on: ['video', 'audio'],
    value: 'flag',
    doc: 'Excludes the audio of this element from the video.',
    example: '',
  },
  colorGrading: {
    on: ['video', 'img'],
    value: 'grading',
    doc: 'JSON object of color grading: `preset`, `intensity`, `adjust`, `colorSpace`. A field that is exactly `$name`, or `$` followed by the name in braces, takes the value of that variable.',
    example: `'{"preset":"$look","adjust":{"exposure":0.2}}'`,
  },
  varText: {
    on: ['any'],
    value: 'variable-id',
    doc: 'Sets the text of the element to the value of this variable of its composition.',
    example: '"title"',
  },
  varSrc: {
    on: ['img', 'video', 'audio', 'source', 'captions'],
    value: 'variable-id',
    doc: 'Sets `src`, or the file of `data-captions-src`, to the value of this variable of its composition. Relative, http, https, blob and `data:image/` URLs only.',
    example: '"photo"',
  },
  varIf: {
    on: ['any'],
    value: 'condition',
    doc: 'The element and its clips exist only if a variable of its composition has a value: `badge`, `!badge`, `plan=pro`, `plan!=pro`. Decided before scripts run. Empty texts, 0 and false count as no value.',
    example: '"showBadge"',
  },
  captionsSrc: {
    on: ['any'],
    value: 'captions',
    doc: 'Shows the captions of a WebVTT or SRT file of the project: the one of the current time, as content of this element. Times count from the start of the element if it is a clip, else from the start of its composition.',
    example: '"talk.vtt"',
  },
  captionsWords: {
    on: ['captions'],
    value: 'flag',
    doc: 'Shows captions word by word, if the file has times of words. Each word is an element `[data-cue-word]` with `--word-start` and `--word-seconds`.',
    example: '',
  },
};

/** The spec of an attribute by its HTML name; undefined for attributes that the contract does not define. */
export function attributeSpec(name: string): AttributeSpec | undefined {
  const key = attributeKey(name);
  return key && attributeSpecs[key];
}

/** The key of an attribute by its HTML name; undefined for attributes that the contract does not define. */
export function attributeKey(name: string): AttributeKey | undefined {
  for (const [key, known] of Object.entries(attr)) {
    if (known === name) return key as AttributeKey;
  }
  return undefined;
}
