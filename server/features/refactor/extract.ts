// Extract to sub-composition: moves elements to a new file and puts a host in their place. The frames do not change.
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { applyEdits } from '../../../renderer-core/lint/applyFixes.ts';
import { addAttribute, removeAttribute, setAttribute } from '../../../renderer-core/lint/attributeEdits.ts';
import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { attr } from '../../../renderer-core/model/attributes.ts';
import { encodeAttributeText } from '../../../renderer-core/model/text/attributeText.ts';
import { attributeValue, type HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { type Span, textOf } from '../../../renderer-core/model/text/spans.ts';
import { uniqueName } from '../../../renderer-core/model/text/uniqueName.ts';
import { addSeconds, type Timeline } from '../../../renderer-core/model/timing.ts';
import { clipTimes, round } from '../clipTimes.ts';
import { filePaths } from '../names/filePaths.ts';
import { namesIn } from '../names/names.ts';
import { wrap } from '../names/spelling.ts';
import { newUrl } from '../navigation/fileRename.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';
import { elementsToExtract, extractionProblem } from './extractable.ts';
import { descendants, type MovedStyles, movedStyles } from './extractStyles.ts';
import { type MovedVariables, movedVariables } from './extractVariables.ts';

/** `disabled`: the reason why the selected elements cannot be extracted. */
export type Extraction = { id: string; edit: WorkspaceEdit } | { disabled: string };

type Extract = {
  file: SourceFile;
  elements: readonly HtmlElement[];
  /** The element that becomes the root of the new file; null for several elements or for media, which get a new root. */
  root: HtmlElement | null;
  id: string;
  path: string;
  hostTag: string;
  times: Timeline;
  variables: MovedVariables;
  styles: MovedStyles;
};

/** Extracts the selected elements, or the one at the cursor; undefined if there is none. Never throws. */
export function extraction(file: SourceFile, selected: Span): Extraction | undefined {
  const elements = elementsToExtract(file, selected);
  const [first] = elements;
  if (!first) return undefined;
  const times = clipTimes(file);
  const hostTag = isInParagraph(first) ? 'span' : 'div';
  const disabled = extractionProblem(file, elements, times, hostTag);
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

/** The element's ID, which clips that follow it refer to; otherwise an unused name based on its class. */
function newId({ composition }: SourceFile, element: HtmlElement): string {
  const names = namesIn(composition);
  const taken = new Set([
    ...names.ids.filter((reference) => reference.element !== element).map(({ id }) => id),
    ...names.compositions.map(({ id }) => id),
  ]);
  const own = attributeValue(element, 'id') ?? '';
  if (own !== '' && !taken.has(own)) return own;
  const word = own || attributeValue(element, 'class')?.trim().split(/\s+/)[0] || element.tag;
  return uniqueName(plainName(word), (name) => taken.has(name), '-');
}

/** Turns a word into a valid file name and ID. */
const plainName = (word: string): string => word.replace(/[^\w-]+/g, '-').replace(/^[-\d]+|-+$/g, '') || 'part';

function newPath({ project }: SourceFile, id: string): string {
  const pathOf = (name: string) => `compositions/${name}.html`;
  return pathOf(uniqueName(plainName(id), (name) => project.exists(pathOf(name)) === true, '-'));
}

function workspaceEdit(extract: Extract): WorkspaceEdit {
  const { file, elements, styles } = extract;
  const uri = file.uriOf(extract.path);
  const first = elements[0]?.span.start ?? 0;
  const end = elements.at(-1)?.span.end ?? first;
  const ours: TextEdit[] = [
    { span: { start: first, end }, text: host(extract) },
    ...styles.moved.map((span) => ({ span: withLine(file.composition.text, span), text: '' })),
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

/** Merges deletions of adjacent rules: the lines between them must not be removed twice. */
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

/** A rule with its line breaks, if it is alone on its lines. */
function withLine(text: string, { start, end }: Span): Span {
  const from = text.slice(0, start).search(/[ \t]*$/);
  const behind = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0];
  const isOwnLine = from === 0 || /[\r\n]/.test(text[from - 1] ?? '');
  return isOwnLine && behind !== undefined ? { start: from, end: end + behind.length } : { start, end };
}

/** The host that replaces the elements, with their timing and values. It creates no box. */
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

/** The relative URL from one file of the project to another. */
function urlOf(path: string, from: string): string {
  const depth = from.split('/').length - 1;
  return from.startsWith('compositions/') && depth === 1
    ? path.slice('compositions/'.length)
    : '../'.repeat(depth) + path;
}

/** The new file: clip times are relative to its own start, paths to its own folder. */
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
    styles.remaining.length > 0
      ? [`<!-- Also styled by rules in ${file.path}: ${commented(styles.remaining)}. -->`]
      : [];
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

/** Removes the indentation of the first line, except from text with significant white space. */
function outdented(text: string, span: Span, edits: readonly TextEdit[]): string {
  const indent = /[ \t]*$/.exec(text.slice(0, span.start))?.[0] ?? '';
  const slice = sliceEdited(text, span, edits);
  if (indent === '' || keepsSpace.test(slice)) return slice;
  return slice.replaceAll(new RegExp(`(\\r\\n|\\n|\\r)${indent}`, 'g'), '$1');
}

const keepsSpace = /<(?:pre|textarea)\b|white-space/i;
const indented = (text: string): string => (keepsSpace.test(text) ? text : text.replace(/^(?=.*\S)/gm, '  '));

/** Makes start times relative to the new composition. */
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
  const reference = addAttribute(root, attr.compositionId, extract.id);
  // A single edit, because several at one position, or next to the removed last attribute, would count as overlapping.
  const last = removed.find(({ span }) => span.end === reference.span.end);
  const words = added.join('');
  if (last) return [...removed.filter((edit) => edit !== last), { span: last.span, text: words }];
  return [...removed, { span: reference.span, text: words }];
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
