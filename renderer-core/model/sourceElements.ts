// Which `<source>` of a video or audio element the browser chooses, as far as the markup tells. The page itself asks the browser
// (page/features/video/mediaSources.ts); a test compares the types.
import { attributeValue, type HtmlElement } from './text/html.ts';

/** `never`: the browser does not load it. `maybe`: a media query decides. */
export type SourceUse = 'always' | 'maybe' | 'never';

/** Whether the browser loads a `<source>`. Always `always` for other elements, and `maybe` in `<picture>`. */
export function sourceUse(element: HtmlElement): SourceUse {
  const { tag, parent } = element;
  if (tag !== 'source' || !parent) return 'always';
  if (parent.tag !== 'video' && parent.tag !== 'audio') return 'maybe';
  const candidates = candidateSources(parent);
  if (!candidates.includes(element)) return 'never';
  return candidates[0] === element && !hasQuery(element) ? 'always' : 'maybe';
}

/** The sources from which the browser chooses, in their order; the last one is chosen if no media query fits the page. */
export function candidateSources(media: HtmlElement): HtmlElement[] {
  if (media.attributes.has('src')) return [];
  const sources = media.children.filter((child) => child.tag === 'source' && textOf(child, 'src') !== '');
  const playable = sources.filter((source) => isPlayableType(textOf(source, 'type')));
  // Files that no browser plays are converted.
  const suitable = playable.length > 0 ? playable : sources;
  const last = suitable.findIndex((source) => !hasQuery(source));
  return last < 0 ? suitable : suitable.slice(0, last + 1);
}

const textOf = (element: HtmlElement, name: string): string => (attributeValue(element, name) ?? '').trim();

const hasQuery = (source: HtmlElement): boolean => !/^(?:all)?$/i.test(textOf(source, 'media'));

const [aac, h264, webm] = ['mp4a\\.(?:40\\.[25]|67|69|6b)', 'avc[13](?:\\.[0-9a-f]{6})?', 'vp8(?:\\.0)?|vp9(?:\\.0)?'];
const modern = 'vp09\\..+|av01\\..+';
const oneOf = (...codecs: string[]): RegExp => new RegExp(`^(?:${codecs.join('|')})$`, 'i');

/** The codecs that Chromium plays, by container. */
const containers: [types: RegExp, codecs: RegExp][] = [
  [/^video\/mp4$/, oneOf(h264, modern, aac, 'mp3', 'opus', 'flac')],
  [/^audio\/mp4$/, oneOf(aac, 'mp3', 'opus', 'flac')],
  [/^video\/(?:x-m4v|3gpp)$/, oneOf(h264, aac)],
  [/^audio\/x-m4a$/, oneOf(aac)],
  [/^video\/webm$/, oneOf(webm, modern, 'opus', 'vorbis')],
  [/^audio\/webm$/, oneOf('opus', 'vorbis')],
  [
    /^(?:video\/(?:x-)?matroska|audio\/x-matroska)$/,
    oneOf(h264, webm, modern, aac, 'mp3', 'opus', 'vorbis', 'flac', '1'),
  ],
  [/^(?:video|application)\/ogg$/, oneOf('vp8(?:\\.0)?', 'opus', 'vorbis', 'flac')],
  [/^audio\/ogg$/, oneOf('opus', 'vorbis', 'flac')],
  [/^audio\/(?:mpeg|(?:x-)?mp3)$/, oneOf('mp3', 'mp4a\\.6[9b]')],
  [/^audio\/(?:x-)?wav$/, oneOf('1')],
  [/^audio\/(?:aac|flac)$/, oneOf()],
];

/** Whether the browser tries a file with this `type`: a MIME type, maybe with codecs. Without a type, it reads the file. */
export function isPlayableType(type: string): boolean {
  if (type === '') return true;
  const [container = ''] = type.toLowerCase().split(';', 1);
  const [, quoted, plain] = /;\s*codecs\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? [];
  const codecs = (quoted ?? plain ?? '').split(',').map((codec) => codec.trim());
  const found = containers.find(([types]) => types.test(container.trim()));
  return found !== undefined && codecs.every((codec) => codec === '' || found[1].test(codec));
}
