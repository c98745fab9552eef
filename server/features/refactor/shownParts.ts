// The parts of an element that can be changed where the preview shows it: its colors, its image and its text. What sets them in
// the source, and the edit that changes it.

import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { attr } from '../../../renderer-core/model/attributes.ts';
import { encodeAttributeText } from '../../../renderer-core/model/text/attributeText.ts';
import { opaqueColor } from '../../../renderer-core/model/text/cssColors.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import type {
  ElementPart,
  PaintName,
  PartName,
  PartReference,
  PartSource,
  PartsRequest,
  PartVariable,
  ShownText,
  TextChange,
} from '../../protocol.ts';
import { relativePath } from '../navigation/fileRename.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';
import { newIdProblem } from './declareVariable.ts';
import { type GivenValue, givenValue } from './givenValue.ts';
import { newVariable } from './newVariable.ts';
import { type ColorSource, colorSources, customProperties } from './shownColors.ts';
import { changeValue, literalSpan, stale } from './shownText.ts';

type Source = PartSource & { span?: Span; edit?(value: string): TextEdit; given?: GivenValue };

const imageFile = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

export function findParts(file: SourceFile, request: PartsRequest): ElementPart[] {
  return partsOf(file, request).map(({ sources, ...part }) => ({
    ...part,
    sources: sources.map(({ span: _, edit: _edit, given: _given, ...source }) => source),
  }));
}

/** The edit that sets a part to `value`, or the draft value. */
export function changePart(file: SourceFile, request: PartsRequest, part: PartReference, value: string): TextChange {
  const source = sourceOf(file, request, part);
  if ('problem' in source) return { reason: source.problem };
  if (source.given) return changeValue(source.given, value);
  if (!source.edit) return { reason: source.reason ?? stale };
  return { uri: file.uri, version: file.document.version, edits: [textEdit(file, source.edit(value))] };
}

/** The edits that turn a part into a variable with this ID, or with one that suits it. */
export function partVariable(
  file: SourceFile,
  request: PartsRequest,
  part: PartReference,
  id?: string,
): PartVariable | { reason: string } {
  const source = sourceOf(file, request, part);
  if ('problem' in source) return { reason: source.problem };
  const reason = id === undefined ? undefined : newIdProblem(file, id);
  if (reason !== undefined) return { reason };
  const made = source.span && newVariable(file, source.span, id);
  if (!made) return { reason: source.reason ?? noVariable() };
  const edits = made.edits.map((edit) => textEdit(file, edit));
  return { id: made.declaration.id, uri: file.uri, version: file.document.version, edits };
}

const noVariable = () =>
  'This cannot become a variable. Texts without line breaks, images, and colors of elements inside the composition can.';

function sourceOf(file: SourceFile, request: PartsRequest, { name, index, value }: PartReference) {
  const source = partsOf(file, request).find((part) => part.name === name)?.sources[index];
  return source?.value === value ? source : { problem: stale };
}

function partsOf(file: SourceFile, request: PartsRequest): { name: PartName; sources: Source[]; files?: string[] }[] {
  const { html } = file.composition;
  const element = html.elements.find(({ startTag }) => startTag.start === request.offset);
  if (!element) return [];
  const isDrawn = element.tag === 'svg' || isInSvg(element);
  const paints: PaintName[] = isDrawn
    ? ['fill', 'stroke']
    : [...(request.text ? ['color' as const] : []), 'background-color'];
  const files = file.project.assets().filter((path) => imageFile.test(path));
  return [
    ...(request.text ? [{ name: 'text' as const, sources: [textSource(file, request, request.text)] }] : []),
    ...(element.tag === 'img'
      ? [
          {
            name: 'image' as const,
            sources: [imageSource(file, element, request)],
            files: files.map((path) => urlOf(file.path, path)),
          },
        ]
      : []),
    ...paints.map((name) => ({
      name,
      sources: colorSources(file.composition, name).flatMap((source) => sourcesOfColor(file, source, request)),
    })),
  ];
}

function isInSvg(element: HtmlElement): boolean {
  for (let at = element.parent; at; at = at.parent) if (at.tag === 'svg') return true;
  return false;
}

/** A reference to a project file, without the characters that end a path. */
const urlOf = (from: string, path: string): string =>
  relativePath(from, path).replace(/[%#?]/g, (sign) => encodeURIComponent(sign));

function textSource(file: SourceFile, { hosts, drafts }: PartsRequest, shown: ShownText): Source {
  const found = literalSpan(file, { shown, hosts, drafts });
  const place = { offset: shown.offset, value: shown.run?.text ?? shown.whole };
  if ('reason' in found) return { ...place, reason: found.reason };
  return 'variable' in found ? { ...place, variable: found.variable } : { ...place, span: found.span };
}

function imageSource(file: SourceFile, element: HtmlElement, request: PartsRequest): Source {
  const offset = element.startTag.start;
  const bound = element.attributes.get(attr.varSrc)?.value;
  if (bound !== undefined) return { offset, ...variableSource(file, bound, request) };
  const src = element.attributes.get('src');
  const { valueSpan, quote } = src ?? {};
  if (!src || !valueSpan) return { offset, value: '', reason: 'A script sets this image.' };
  const edit = (value: string) => ({ span: valueSpan, text: encodeAttributeText(value, quote ?? '') });
  return { offset, value: src.value, span: src.span, edit };
}

function variableSource(file: SourceFile, id: string, { hosts, drafts }: PartsRequest): Source {
  const given = givenValue(file, id, hosts, drafts);
  if (!given?.declaration) return { value: id, reason: `The variable "${id}" is not declared.` };
  return { value: String(given.value ?? ''), variable: id, given };
}

/**
 * What sets a color: the value itself, a variable, or a custom property. `followed`: the custom properties that have led to the
 * value; they may refer to each other.
 */
function sourcesOfColor(
  file: SourceFile,
  source: ColorSource,
  request: PartsRequest,
  followed: readonly string[] = [],
): Source[] {
  const { selector, element, value, span } = source;
  const where = element ? { offset: element.startTag.start } : { selector: selector ?? '' };
  const [, used] = /^var\(\s*--([\w-]+)\s*(?:,.*)?\)$/s.exec(value) ?? [];
  if (used !== undefined && file.composition.declarations.some(({ id }) => id === used))
    return [{ ...where, ...asColor(variableSource(file, used, request)) }];
  // A custom property of the author.
  const own = used === undefined || followed.includes(used) ? [] : customProperties(file.composition, used);
  if (used !== undefined && own.length > 0)
    return own.flatMap(({ selectors, ...definition }) =>
      sourcesOfColor(file, { ...source, ...definition }, request, [...followed, used]).map((found) =>
        own.length === 1 ? found : { ...found, from: [selectors, ...(found.from ?? [])] },
      ),
    );
  const property = followed.at(-1);
  const place = { ...where, ...(property === undefined ? {} : { property: `--${property}` }) };
  const color = opaqueColor(value);
  if (color === undefined) return [{ ...place, value, at: span.start, reason: notPlain(value) }];
  return [{ ...place, value: color, span, edit: (text) => ({ span, text }) }];
}

/** The value of a variable as #rrggbb: it may be a text with any notation, or with no color. */
function asColor({ given, ...source }: Source): Source {
  const value = opaqueColor(source.value);
  return given && value !== undefined ? { ...source, value, given } : { reason: notPlain(source.value), ...source };
}

const notPlain = (value: string) => `"${value}" is not a plain color.`;
