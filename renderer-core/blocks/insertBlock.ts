// Inserts a block into a composition: the edits of its text, and the file that the project needs. Command line and editor share it.
import { setAttribute } from '../lint/attributeEdits.ts';
import type { TextEdit } from '../lint/finding.ts';
import type { Project } from '../lint/project.ts';
import { attr } from '../model/attributes.ts';
import { type Composition, parseComposition } from '../model/composition.ts';
import { encodeAttributeText } from '../model/text/attributeText.ts';
import type { HtmlElement } from '../model/text/html.ts';
import { uniqueName } from '../model/text/uniqueName.ts';
import type { Block } from './blockIndex.ts';
import { type BlockTimes, blockTimes, freeTrack } from './blockTimes.ts';

/** `text` is the content of the block's file. Times are seconds. `duration` overrides that of the block. */
export type BlockRequest = {
  block: Pick<Block, 'name' | 'isCentered' | 'isBehind'>;
  text: string;
  at: number;
  duration?: number;
};

/** `edits` are those of the composition, in order. `file` is null if the project has the same file already. */
export type InsertedBlock = BlockTimes & {
  edits: TextEdit[];
  /** Where the block's file is in the project. */
  path: string;
  file: { path: string; text: string } | null;
  id: string;
  track: number;
};

/** Inserts a block into the composition at `path` of a project. Never throws; `problem` is the reason why it is not possible. */
export function insertBlock(
  project: Project,
  path: string,
  { block, text, at, duration }: BlockRequest,
): InsertedBlock | { problem: string } {
  const composition = project.composition(path);
  const root = composition?.root;
  if (!composition || !root) return { problem: `${path} is not a composition: no element has ${attr.compositionId}.` };
  if (root.attributes.has(attr.compositionSrc))
    return { problem: `The root element of ${path} embeds another file; insert the block there.` };
  const added = parseComposition(text);
  const times = blockTimes(composition, block, { at, natural: added.duration?.value ?? null, asked: duration });
  const isCrLf = composition.text.includes('\r\n');
  const written = isCrLf ? text.replaceAll(/\r?\n/g, '\r\n') : text;
  const target = targetFile(project, path, block.name, written);
  const id = uniqueName(block.name, (name) => idsIn(composition).has(name), '-');
  const track = freeTrack(project, path, composition, times);
  const host = hostLines({ id, url: urlOf(target.path, path), times, track, added });
  const edits = [...longer(root, times), insertion(composition, root, host, block.isBehind === true, isCrLf)];
  return {
    ...times,
    edits: edits.sort((a, b) => a.span.start - b.span.start),
    path: target.path,
    file: target.isNew ? { path: target.path, text: written } : null,
    id,
    track,
  };
}

function idsIn({ html }: Composition): ReadonlySet<string> {
  const names = ['id', attr.compositionId].flatMap((name) =>
    html.elements.map(({ attributes }) => attributes.get(name)?.value ?? ''),
  );
  return new Set(names);
}

/** An existing file with the same content, otherwise an unused path. A file never embeds itself. */
function targetFile(project: Project, host: string, name: string, text: string): { path: string; isNew: boolean } {
  const pathOf = (one: string) => `compositions/${one}.html`;
  const plain = (one: string | undefined) => one?.replaceAll('\r\n', '\n');
  const isSame = (path: string) => path !== host && plain(project.composition(path)?.text) === plain(text);
  const isTaken = (one: string) => {
    const path = pathOf(one);
    return !isSame(path) && (project.exists(path) === true || project.composition(path) !== undefined);
  };
  const path = pathOf(uniqueName(name, isTaken, '-'));
  return { path, isNew: !isSame(path) };
}

/** The relative URL from one file of the project to another. */
function urlOf(path: string, from: string): string {
  const folders = from.split('/').slice(0, -1);
  if (folders.length === 1 && path.startsWith(`${folders[0]}/`)) return path.slice(`${folders[0]}/`.length);
  return '../'.repeat(folders.length) + path;
}

type Host = { id: string; url: string; times: BlockTimes; track: number; added: Composition };

/** The lines of the element that embeds the block. Its box is the whole frame; all sizes of a block follow that box. */
function hostLines({ id, url, times, track, added }: Host): string[] {
  const values = shownValues(added);
  const attributes: [string, string][] = [
    ['id', id],
    [attr.compositionSrc, url],
    [attr.start, String(times.start)],
    [attr.duration, String(times.duration)],
    [attr.trackIndex, String(track)],
    ...(values === null ? [] : [[attr.variableValues, values] as [string, string]]),
    ['style', 'position: absolute; left: 0; top: 0; width: 100%; height: 100%'],
  ];
  return ['<div', ...attributes.map(([name, value]) => `  ${attribute(name, value)}`), '></div>'];
}

function attribute(name: string, value: string): string {
  const quote = value.includes('"') ? "'" : '"';
  return `${name}=${quote}${encodeAttributeText(value, quote)}${quote}`;
}

/** The texts of the block, which everyone changes first; its other variables keep their defaults. */
function shownValues({ declarations }: Composition): string | null {
  const texts = declarations.filter(({ type, default: value }) => type === 'string' && value !== '');
  const shown = texts.length > 0 ? texts : declarations;
  return shown.length === 0 ? null : JSON.stringify(Object.fromEntries(shown.map((one) => [one.id, one.default])));
}

/** The edit that makes the composition longer, if the block ends after it. */
function longer(root: HtmlElement, { compositionDuration }: BlockTimes): TextEdit[] {
  const given = root.attributes.get(attr.duration);
  return given && compositionDuration !== null ? [setAttribute(given, String(compositionDuration))] : [];
}

const invisible = /^(?:script|style|link|template|meta|title|head)$/;

/** The edit that inserts the element after the last visible child of the root, or before the first one. */
function insertion(
  { text }: Composition,
  root: HtmlElement,
  lines: readonly string[],
  isFirst: boolean,
  isCrLf: boolean,
): TextEdit {
  const container = root.tag === 'html' ? (root.children.find(({ tag }) => tag === 'body') ?? root) : root;
  const visible = container.children.filter(({ tag }) => !invisible.test(tag));
  const next = isFirst ? visible[0] : visible.at(-1);
  const indent = next ? lineIndent(text, next.span.start) : undefined;
  const deeper = indent ?? `${lineIndent(text, container.span.start) ?? ''}  `;
  const lineBreak = (isCrLf ? '\r\n' : '\n') + deeper;
  const markup = lines.join(lineBreak);
  const at = next ? (isFirst ? next.span.start : next.span.end) : container.startTag.end;
  const isLineEnd = /^[ \t]*(?:\r|\n|$)/.test(text.slice(at));
  const after = isLineEnd ? '' : lineBreak.slice(0, -2);
  const inserted = next && isFirst ? markup + lineBreak : lineBreak + markup + (next ? '' : after);
  return { span: { start: at, end: at }, text: inserted };
}

/** The white space before a position, if there is nothing else before it on its line. */
const lineIndent = (text: string, at: number): string | undefined =>
  /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, at))?.[1];
