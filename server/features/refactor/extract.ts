// Extract to sub-composition: elements of a file become a file of their own, with a host in their place that shows the same.
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { applyEdits } from '../../renderer-core/lint/applyFixes.ts';
import { addAttribute, removeAttribute, setAttribute } from '../../renderer-core/lint/attributeEdits.ts';
import type { TextEdit } from '../../renderer-core/lint/finding.ts';
import { attr } from '../../renderer-core/model/attributes.ts';
import { encodeAttributeText } from '../../renderer-core/model/attributeText.ts';
import { attributeValue, type HtmlElement } from '../../renderer-core/model/html.ts';
import { type Span, textOf } from '../../renderer-core/model/spans.ts';
import { addSeconds, type Timeline } from '../../renderer-core/model/timing.ts';
import { clipTimes, round } from './clipTimes.ts';
import { textEdit } from './edits.ts';
import { elementsToExtract, whyNot } from './extractable.ts';
import { descendants, type MovedStyles, movedStyles } from './extractStyles.ts';
import { type MovedVariables, movedVariables } from './extractVariables.ts';
import type { SourceFile } from './file.ts';
import { filePaths } from './filePaths.ts';
import { newUrl } from './fileRename.ts';
import { freshName } from './freshName.ts';
import { namesIn } from './names.ts';
import { wrap } from './spelling.ts';

/** `disabled` says why it cannot be done with what is selected, where something is. */
export type Extraction = { id: string; edit: WorkspaceEdit } | { disabled: string };

type Extract = {
  file: SourceFile;
  elements: readonly HtmlElement[];
  /** The element that becomes the root of the new file; null for several, or for media: they get one around them. */
  root: HtmlElement | null;
  id: string;
  path: string;
  hostTag: string;
  times: Timeline;
  variables: MovedVariables;
  styles: MovedStyles;
};

/** Of the elements in a selection, or of the one at the cursor; undefined where there is none. Never throws. */
export function extraction(file: SourceFile, selected: Span): Extraction | undefined {
  const elements = elementsToExtract(file, selected);
  const [first] = elements;
  if (!first) return undefined;
  const times = clipTimes(file);
  const hostTag = isInParagraph(first) ? 'span' : 'div';
  const disabled = whyNot(file, elements, times, hostTag);
  if (disabled !== undefined) return { disabled };
  const root = elements.length === 1 && first.tag !== 'video' && first.tag !== 'audio' ? first : null;
  const id = newId(file, first);
  const styles = movedStyles(file.composition, elements);
  const moved = [...elements.map(({ span }) => span), ...styles.moved];
  const variables = movedVariables(file, moved);
  const extract: Extract = { file, elements, root, id, path: newPath(file, id), hostTag, times, variables, styles };
  return { id, edit: workspaceEdit(extract) };
}

function isInParagraph(element: HtmlElement): boolean {
  for (let at = element.parent; at; at = at.parent) if (at.tag === 'p') return true;
  return false;
}

/** After the element's id, which clips that wait for it go on naming; else after its class, and nobody else's. */
function newId({ composition }: SourceFile, element: HtmlElement): string {
  const names = namesIn(composition);
  const taken = new Set([
    ...names.ids.filter((place) => place.element !== element).map(({ id }) => id),
    ...names.compositions.map(({ id }) => id),
  ]);
  const own = attributeValue(element, 'id') ?? '';
  if (own !== '' && !taken.has(own)) return own;
  const word = own || attributeValue(element, 'class')?.trim().split(/\s+/)[0] || element.tag;
  return freshName(plainName(word), (name) => taken.has(name), '-');
}

/** What can be a file's name everywhere, and an id. */
const plainName = (word: string): string => word.replace(/[^\w-]+/g, '-').replace(/^[-\d]+|-+$/g, '') || 'part';

function newPath({ project }: SourceFile, id: string): string {
  const pathOf = (name: string) => `compositions/${name}.html`;
  return pathOf(freshName(plainName(id), (name) => project.exists(pathOf(name)) === true, '-'));
}

function workspaceEdit(extract: Extract): WorkspaceEdit {
  const { file, elements, styles, variables } = extract;
  const uri = file.uriOf(extract.path);
  const first = elements[0]?.span.start ?? 0;
  const end = elements.at(-1)?.span.end ?? first;
  const ours: TextEdit[] = [
    { span: { start: first, end }, text: host(extract) },
    ...styles.moved.map((span) => ({ span: withLine(file.composition.text, span), text: '' })),
    ...variables.removal,
  ];
  const start = { line: 0, character: 0 };
  const created: TextDocumentEdit = {
    textDocument: { uri, version: null },
    edits: [{ range: { start, end: start }, newText: newFile(extract) }],
  };
  const changed: TextDocumentEdit = {
    textDocument: { uri: file.uri, version: null },
    edits: joined(file.composition.text, ours).map((edit) => textEdit(file, edit)),
  };
  return { documentChanges: [{ kind: 'create', uri }, created, changed] };
}

/** Rules that stand one behind the other leave with the lines between them, which must not be taken twice. */
function joined(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start);
  const result: TextEdit[] = [];
  for (const edit of sorted) {
    const last = result.at(-1);
    if (last && last.text === '' && edit.text === '' && edit.span.start <= last.span.end)
      result[result.length - 1] = {
        span: { start: last.span.start, end: Math.max(last.span.end, edit.span.end) },
        text: '',
      };
    else result.push(edit);
  }
  return result.filter(({ span, text: written }) => written !== textOf(text, span));
}

/** A rule with the rest of the lines that are its alone. */
function withLine(text: string, { start, end }: Span): Span {
  const from = text.slice(0, start).search(/[ \t]*$/);
  const behind = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0];
  const isOwnLine = from === 0 || /[\r\n]/.test(text[from - 1] ?? '');
  return isOwnLine && behind !== undefined ? { start: from, end: end + behind.length } : { start, end };
}

/** What stays: when it shows, and with which values. It makes no box of its own. */
function host({ root, id, path, hostTag, variables, file }: Extract): string {
  const attributes: [string, string][] = [
    [attr.compositionId, id],
    [attr.compositionSrc, urlOf(path, file.path)],
    ...timing.flatMap((name): [string, string][] => {
      const value = root && attributeValue(root, name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
    ...(Object.keys(variables.values).length > 0
      ? [[attr.variableValues, JSON.stringify(variables.values)] as [string, string]]
      : []),
    ['style', 'display: contents'],
  ];
  return `<${hostTag}${attributes.map(([name, value]) => written(name, value)).join('')}></${hostTag}>`;
}

const timing = [attr.start, attr.duration, attr.trackIndex] as const;

function written(name: string, value: string): string {
  const quote = value.includes('"') ? "'" : '"';
  return ` ${name}=${quote}${encodeAttributeText(value, quote)}${quote}`;
}

/** The way from a file to another one of the project. */
function urlOf(path: string, from: string): string {
  const depth = from.split('/').length - 1;
  return from.startsWith('compositions/') && depth === 1
    ? path.slice('compositions/'.length)
    : '../'.repeat(depth) + path;
}

/** The elements as they stand in their new file: clips counted from its own start, paths from its own folder. */
function newFile(extract: Extract): string {
  const { file, elements, root, styles, path } = extract;
  const { text } = file.composition;
  const moves = [{ from: file.path, to: path }];
  const urls = filePaths(file).flatMap((one): TextEdit[] => {
    const url = one.target === file.path ? one.url : newUrl(file, one, moves);
    return url === one.url ? [] : [{ span: one.span, text: wrap(url, one.layers) }];
  });
  const edits = [...urls, ...startEdits(extract), ...(root ? rootEdits(extract, root) : [])];
  const css = styles.moved.map((span) => outdented(text, span, edits)).join('\n');
  const note =
    styles.left.length > 0 ? [`<!-- Styled by rules of ${file.path} too: ${commented(styles.left)}. -->`] : [];
  const body = elements.map(({ span }) => outdented(text, span, edits)).join('\n');
  const around = root
    ? body
    : `<div${rootAttributes(extract)
        .map(([name, value]) => written(name, value))
        .join('')} style="display: contents">\n${indented(body)}\n</div>`;
  const style = css === '' ? [] : [`<style>\n${indented(css)}\n</style>`];
  const inside = [...note, ...style, around].map(indented).join('\n');
  const result = `<template>\n${inside}\n</template>\n`;
  return text.includes('\r\n') ? result.replace(/\r?\n/g, '\r\n') : result;
}

const commented = (selectors: readonly string[]): string =>
  selectors
    .map((one) => one.replace(/\s+/g, ' '))
    .join('; ')
    .replaceAll('--', '- -')
    .replaceAll('>', '&gt;');

function sliceEdited(text: string, { start, end }: Span, edits: readonly TextEdit[]): string {
  const inside = edits.filter(({ span }) => span.start >= start && span.end <= end);
  const moved = inside.map((edit) => ({
    ...edit,
    span: { start: edit.span.start - start, end: edit.span.end - start },
  }));
  return applyEdits(text.slice(start, end), moved);
}

/** Without the indentation of its first line; texts whose white space shows stay as they are. */
function outdented(text: string, span: Span, edits: readonly TextEdit[]): string {
  const indent = /[ \t]*$/.exec(text.slice(0, span.start))?.[0] ?? '';
  const slice = sliceEdited(text, span, edits);
  if (indent === '' || keepsSpace.test(slice)) return slice;
  return slice.replaceAll(new RegExp(`(\\r\\n|\\n|\\r)${indent}`, 'g'), '$1');
}

const keepsSpace = /<(?:pre|textarea)\b|white-space/i;
const indented = (text: string): string => (keepsSpace.test(text) ? text : text.replace(/^(?=.*\S)/gm, '  '));

/** Clips inside that count from the start of the old composition, counted from that of the new one. */
function startEdits({ file, elements, root, times }: Extract): TextEdit[] {
  const from = root ? (times.byElement.get(root)?.start ?? 0) : 0;
  const inside = new Set(elements.flatMap((element) => [...descendants(element), ...(root ? [] : [element])]));
  return file.composition.clips.flatMap((clip): TextEdit[] => {
    const attribute = clip.element.attributes.get(attr.start);
    const start = times.byElement.get(clip.element)?.start;
    if (!inside.has(clip.element) || !attribute || start === undefined || !clip.start) return [];
    const { start: given } = clip;
    if (given.kind === 'seconds')
      return from === 0 ? [] : [setAttribute(attribute, `${addSeconds(given.seconds, -from)}`)];
    const isInside = file.composition.clips.some(({ ids, element }) => inside.has(element) && ids.includes(given.id));
    return isInside ? [] : [setAttribute(attribute, `${addSeconds(start, -from)}`)];
  });
}

function rootEdits(extract: Extract, root: HtmlElement): TextEdit[] {
  const { text } = extract.file.composition;
  const removed = timing.flatMap((name) => {
    const attribute = root.attributes.get(name);
    return attribute ? [removeAttribute(text, attribute)] : [];
  });
  const added = rootAttributes(extract).map(([name, value]) => written(name, value));
  const place = addAttribute(root, attr.compositionId, extract.id);
  // One edit: several at one place would count as touching each other, and one in a tag's last attribute as part of it.
  const last = removed.find(({ span }) => span.end === place.span.end);
  const words = added.join('');
  if (last) return [...removed.filter((edit) => edit !== last), { span: last.span, text: words }];
  return [...removed, { span: place.span, text: words }];
}

function rootAttributes({ file, root, id, times, variables }: Extract): [string, string][] {
  const { width, height, duration } = file.composition;
  const clip = root && times.byElement.get(root);
  const own =
    clip?.clip.duration?.value ?? (duration?.value ? addSeconds(duration.value, -(clip?.start ?? 0)) : undefined);
  return [
    [attr.compositionId, id],
    ...(width ? [[attr.width, width.raw] as [string, string]] : []),
    ...(height ? [[attr.height, height.raw] as [string, string]] : []),
    ...(own !== undefined && own > 0 ? [[attr.duration, `${round(own)}`] as [string, string]] : []),
    ...(variables.declarations.length > 0
      ? [[attr.compositionVariables, JSON.stringify(variables.declarations)] as [string, string]]
      : []),
  ];
}
