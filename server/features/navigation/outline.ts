// The outline of a file: its composition, the variables, and the clips sorted by start time and nested like their elements.

import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver-types';
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Clip } from '../../../renderer-core/model/clips.ts';
import { compositionSize } from '../../../renderer-core/model/compositionSize.ts';
import { attributeValue, type HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { type Span, textOf } from '../../../renderer-core/model/text/spans.ts';
import type { ResolvedClip } from '../../../renderer-core/model/timing.ts';
import type { DeclaredVariable } from '../../../renderer-core/model/variables/variables.ts';
import type { OutlineItem } from '../../protocol.ts';
import { clipTimes, targetOf } from '../clipTimes.ts';
import { distinctByStart } from '../distinctByStart.ts';
import { insideQuotes } from '../names/spelling.ts';
import { declarationsElement } from '../schemas/jsonAttributes.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** One item for the composition; empty if the file has none. */
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

/** Includes the element with the variable declarations. */
function rootSpan({ composition }: SourceFile, root: HtmlElement): Span {
  const holder = declarationsElement(composition)?.span ?? root.span;
  return { start: Math.min(root.span.start, holder.start), end: Math.max(root.span.end, holder.end) };
}

/** `1920 × 1080, 5 s`. */
function formatOf({ path, project, composition: { duration } }: SourceFile): string {
  const { width, height } = compositionSize(path, project);
  const size = width && height ? `${width} × ${height}` : '';
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

/** One element of the outline. `clip` is null for an element that shows for its composition's whole duration. */
type Row = { element: HtmlElement; clip: Clip | null; time: ResolvedClip | undefined; children: Row[] };

/** Clips, hosts, inline compositions and media, nested like their elements and sorted by start time. */
function timelineItems(file: SourceFile): OutlineItem[] {
  const { composition } = file;
  const { byElement } = clipTimes(file);
  const clips = new Map(composition.clips.map((clip) => [clip.element, clip]));
  const shown = [composition.clips, composition.hosts, composition.inlineCompositions, composition.media].flat();
  const rows = new Map<HtmlElement, Row>();
  for (const { element } of distinctByStart(shown, ({ element }) => element.startTag.start)) {
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

/** Limits the recursion for malicious nesting. */
const maxDepth = 50;

function itemsOf(file: SourceFile, rows: readonly Row[], depth = 0): OutlineItem[] {
  const startOf = ({ clip, time }: Row) => time?.start ?? (clip ? Number.POSITIVE_INFINITY : 0);
  const sorted = rows.toSorted((a, b) => compare(startOf(a), startOf(b)) || compare(trackOf(a), trackOf(b)));
  return sorted.map((row) => ({
    what: kindOf(row),
    name: nameOf(file, row.element),
    detail: detailOf(file, row),
    ...embedded(file, row),
    range: rangeOf(file, row.element.span),
    selectionRange: rangeOf(file, row.element.startTag),
    children: depth < maxDepth ? itemsOf(file, row.children, depth + 1) : [],
  }));
}

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
const trackOf = ({ clip }: Row): number => clip?.trackIndex?.value ?? 0;

function nameOf(file: SourceFile, element: HtmlElement): string {
  const named = attributeValue(element, 'id')?.trim() || attributeValue(element, attr.compositionId)?.trim();
  return named || fileName(file, element) || textShown(file, element) || `<${element.tag}>`;
}

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

/** The first characters of the text in an element without children. */
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
  if (!time) return 'start unknown';
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return time.end === null ? `from ${round(time.start)} s` : `${round(time.start)} – ${round(time.end)} s`;
}

function embedded(file: SourceFile, { element }: Row): { target?: string } {
  const target = targetOf(file, element);
  return target ? { target: file.uriOf(target.path) } : {};
}

function kindOf({ element, clip }: Row): OutlineItem['what'] {
  if (element.attributes.has(attr.compositionSrc)) return 'host';
  if (element.attributes.has(attr.compositionId)) return 'composition';
  if (element.tag === 'video' || element.tag === 'audio') return element.tag;
  return clip?.media ?? 'clip';
}

/** The outline as document symbols of the protocol. */
export function documentSymbols(file: SourceFile): DocumentSymbol[] {
  return outline(file).map(symbolOf);
}

function symbolOf({ what, name, detail, range, selectionRange, children }: OutlineItem): DocumentSymbol {
  return { name, detail, kind: symbolKind(what), range, selectionRange, children: children.map(symbolOf) };
}

/** The icons for variables, clips and compositions. */
const symbolKinds: Record<OutlineItem['what'], SymbolKind> = {
  composition: SymbolKind.Class,
  variables: SymbolKind.Namespace,
  string: SymbolKind.String,
  number: SymbolKind.Number,
  color: SymbolKind.Constant,
  boolean: SymbolKind.Boolean,
  enum: SymbolKind.Enum,
  video: SymbolKind.File,
  audio: SymbolKind.File,
  image: SymbolKind.File,
  host: SymbolKind.Module,
  clip: SymbolKind.Object,
};

export function symbolKind(what: OutlineItem['what']): SymbolKind {
  return symbolKinds[what];
}
