// What is in a composition file: its composition, the variables, and the clips in the order of time, one inside another.
import type { Range } from 'vscode-languageserver-types';
import { attr } from '../../renderer-core/model/attributes.ts';
import type { Clip, MediaKind } from '../../renderer-core/model/clips.ts';
import { attributeValue, type HtmlElement } from '../../renderer-core/model/html.ts';
import { type Span, textOf } from '../../renderer-core/model/spans.ts';
import type { ResolvedClip } from '../../renderer-core/model/timing.ts';
import type { DeclaredVariable, VariableType } from '../../renderer-core/model/variables.ts';
import { clipTimes, targetOf } from './clipTimes.ts';
import { rangeOf, type SourceFile } from './file.ts';
import { declarationsElement } from './jsonAttributes.ts';
import { onePerPlace } from './onePerPlace.ts';
import { insideQuotes } from './spelling.ts';

/** Something in a composition file that has a name and a place. */
export type OutlineItem = {
  what: 'composition' | 'variables' | 'clip' | 'host' | VariableType | MediaKind;
  name: string;
  /** Times and track of a clip, type and default of a variable, size and length of a composition. */
  detail: string;
  /** URI of the file that a host embeds, if there is one. */
  target?: string;
  range: Range;
  /** Where to go: the start tag of an element, the id of a variable. */
  selectionRange: Range;
  children: OutlineItem[];
};

/** One composition at the top; nothing for a file without one. */
export function outline(file: SourceFile): OutlineItem[] {
  const { root, id } = file.composition;
  if (!root) return [];
  const variables = variablesItem(file);
  const children = [...(variables ? [variables] : []), ...timelineItems(file)];
  const item: OutlineItem = {
    what: 'composition',
    name: id?.text || file.path.slice(file.path.lastIndexOf('/') + 1),
    detail: formatOf(file),
    range: rangeOf(file, rootSpan(file, root)),
    selectionRange: rangeOf(file, id?.text ? id.span : root.startTag),
    children,
  };
  return [item];
}

/** The root, with what declares its variables. */
function rootSpan({ composition }: SourceFile, root: HtmlElement): Span {
  const holder = declarationsElement(composition)?.span ?? root.span;
  return { start: Math.min(root.span.start, holder.start), end: Math.max(root.span.end, holder.end) };
}

/** `1920 × 1080, 5 s`. */
function formatOf({ composition: { width, height, duration } }: SourceFile): string {
  const size = width?.value && height?.value ? `${width.value} × ${height.value}` : '';
  return [size, duration?.value ? `${duration.value} s` : ''].filter((part) => part !== '').join(', ');
}

function variablesItem(file: SourceFile): OutlineItem | undefined {
  const { variables } = file.composition;
  const attribute = declarationsElement(file.composition)?.attributes.get(attr.compositionVariables);
  if (!attribute || variables.declared.length === 0) return undefined;
  return {
    what: 'variables',
    name: 'Variables',
    detail: String(variables.declared.length),
    range: rangeOf(file, attribute.span),
    selectionRange: rangeOf(file, attribute.nameSpan),
    children: variables.declared.map((variable) => variableItem(file, variable)),
  };
}

function variableItem(file: SourceFile, { declaration, span, idSpan, fields }: DeclaredVariable): OutlineItem {
  const { id, type, default: value } = declaration;
  return {
    what: type,
    name: id,
    detail: fields.default && value !== undefined ? `${type} = ${JSON.stringify(value)}` : type,
    range: rangeOf(file, span),
    selectionRange: rangeOf(file, insideQuotes(file.composition.text, idSpan)),
    children: [],
  };
}

/** What the outline shows of an element: its clip, or null for one that lasts as long as its composition. */
type Row = { element: HtmlElement; clip: Clip | null; time: ResolvedClip | undefined; children: Row[] };

/** Clips, hosts, inline compositions and media, nested as their elements are, in the order of time. */
function timelineItems(file: SourceFile): OutlineItem[] {
  const { composition } = file;
  const { byElement } = clipTimes(file);
  const clips = new Map(composition.clips.map((clip) => [clip.element, clip]));
  const shown = [composition.clips, composition.hosts, composition.inlineCompositions, composition.media].flat();
  const rows = new Map<HtmlElement, Row>();
  for (const { element } of onePerPlace(shown, ({ element }) => element.startTag.start)) {
    if (element === composition.root) continue;
    rows.set(element, { element, clip: clips.get(element) ?? null, time: byElement.get(element), children: [] });
  }
  const top: Row[] = [];
  for (const row of rows.values()) (rowAround(rows, row.element)?.children ?? top).push(row);
  return itemsOf(file, top);
}

function rowAround(rows: ReadonlyMap<HtmlElement, Row>, element: HtmlElement): Row | undefined {
  for (let around = element.parent; around; around = around.parent) {
    const row = rows.get(around);
    if (row) return row;
  }
  return undefined;
}

/** Deeper than any timeline that somebody reads; it ends the walk through hostile nesting. */
const deepest = 50;

function itemsOf(file: SourceFile, rows: readonly Row[], depth = 0): OutlineItem[] {
  const startOf = ({ clip, time }: Row) => time?.start ?? (clip ? Number.POSITIVE_INFINITY : 0);
  const sorted = rows.toSorted((a, b) => compare(startOf(a), startOf(b)) || compare(trackOf(a), trackOf(b)));
  return sorted.map((row) => ({
    what: whatIs(row),
    name: nameOf(file, row.element),
    detail: detailOf(file, row),
    ...embedded(file, row),
    range: rangeOf(file, row.element.span),
    selectionRange: rangeOf(file, row.element.startTag),
    children: depth < deepest ? itemsOf(file, row.children, depth + 1) : [],
  }));
}

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
const trackOf = ({ clip }: Row): number => clip?.trackIndex?.value ?? 0;

function nameOf(file: SourceFile, element: HtmlElement): string {
  const named = attributeValue(element, 'id')?.trim() || attributeValue(element, attr.compositionId)?.trim();
  return named || fileName(file, element) || textShown(file, element) || `<${element.tag}>`;
}

/** The name of the file that an element shows or embeds. */
function fileName({ composition }: SourceFile, element: HtmlElement): string | undefined {
  const media = composition.media.find((each) => each.element === element)?.src?.text;
  const source =
    media ??
    attributeValue(element, attr.compositionSrc) ??
    (element.tag === 'img' ? attributeValue(element, 'src') : undefined);
  return source?.startsWith('data:')
    ? undefined
    : source
        ?.replace(/[?#].*$/s, '')
        .split('/')
        .at(-1)
        ?.trim() || undefined;
}

/** The beginning of the text in an element without children. */
function textShown({ composition }: SourceFile, { children, startTag, endTag }: HtmlElement): string | undefined {
  if (children.length > 0 || !endTag) return undefined;
  const text = textOf(composition.text, { start: startTag.end, end: Math.min(endTag.start, startTag.end + 200) });
  const short = text.replaceAll(/\s+/g, ' ').trim();
  return short.length > 30 ? `${short.slice(0, 29)}…` : short || undefined;
}

/** `0 – 2.5 s, track 1, → intro.html`. */
function detailOf(file: SourceFile, { element, clip, time }: Row): string {
  const name = fileName(file, element);
  const isHost = element.attributes.has(attr.compositionSrc);
  return [
    timeOf(clip, time),
    clip?.trackIndex?.value != null ? `track ${clip.trackIndex.value}` : '',
    isHost ? `→ ${name ?? '?'}` : (name ?? ''),
  ]
    .filter((part) => part !== '' && part !== nameOf(file, element))
    .join(', ');
}

function timeOf(clip: Clip | null, time: ResolvedClip | undefined): string {
  if (!clip) return '';
  if (!time) return 'start not known';
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return time.end === null ? `from ${round(time.start)} s` : `${round(time.start)} – ${round(time.end)} s`;
}

/** The file that a host shows, where there is one. */
function embedded(file: SourceFile, { element }: Row): { target?: string } {
  const target = targetOf(file, element);
  return target ? { target: file.uriOf(target.path) } : {};
}

function whatIs({ element, clip }: Row): OutlineItem['what'] {
  if (element.attributes.has(attr.compositionSrc)) return 'host';
  if (element.attributes.has(attr.compositionId)) return 'composition';
  if (element.tag === 'video' || element.tag === 'audio') return element.tag;
  return clip?.media ?? 'clip';
}
