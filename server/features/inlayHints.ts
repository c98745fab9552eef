// Inlay hints: resolved start times, durations of media files, and inherited defaults.
import {
  type InlayHint,
  InlayHintKind,
  type InlayHintLabelPart,
  type MarkupContent,
  type Range,
} from 'vscode-languageserver-types';
import { attr } from '../../renderer-core/model/attributes.ts';
import { referenceBase, referenceCandidates } from '../../renderer-core/model/graph.ts';
import type { Host } from '../../renderer-core/model/instances.ts';
import { touches } from '../../renderer-core/model/text/spans.ts';
import { formatValue } from '../../renderer-core/model/variables/values.ts';
import type { DeclaredVariable } from '../../renderer-core/model/variables/variables.ts';
import { clipTimes, seconds } from './clipTimes.ts';
import { distinctByStart } from './distinctByStart.ts';
import { locationOf, rangeOf, type SourceFile, spanOf } from './sourceFile.ts';

/** Maximum number of inherited defaults shown. */
const maxShownDefaults = 3;

/** The hints in a range, sorted by position. */
export function inlayHints(file: SourceFile, range: Range): InlayHint[] {
  const asked = spanOf(file, range);
  const hints: { at: number; hint: Omit<InlayHint, 'position'> }[] = [];
  for (const found of [...startHints(file), ...mediaHints(file), ...inheritedHints(file)]) {
    if (touches(asked, found.at)) hints.push(found);
  }
  const shown = distinctByStart(hints, ({ at }) => at);
  return shown.map(({ at, hint }) => ({ position: file.document.positionAt(at), ...hint }));
}

type Hints = { at: number; hint: Omit<InlayHint, 'position'> }[];

/** `= 2.5 s` after a start that refers to another clip. */
function startHints(file: SourceFile): Hints {
  const { composition } = file;
  if (!composition.clips.some(({ start }) => start?.kind === 'after')) return [];
  return clipTimes(file).clips.flatMap(({ clip, start, end }) => {
    const attribute = clip.element.attributes.get(attr.start);
    if (clip.start?.kind !== 'after' || !attribute) return [];
    const ends = end === null ? '' : ` and ends at ${seconds(end)}`;
    const tooltip = `${clip.name} starts at ${seconds(start)} in this file${ends}`;
    return { at: attribute.span.end, hint: { label: `= ${seconds(start)}`, paddingLeft: true, tooltip } };
  });
}

/** `12.48 s` after the source of a media element without a duration of its own. */
function mediaHints(file: SourceFile): Hints {
  return file.composition.media.flatMap(({ src, duration, element }) => {
    if (!src || duration) return [];
    const base = referenceBase(file.path, file.composition, src.span.start);
    const path = referenceCandidates(base, src.text).find((each) => file.mediaDuration(each) !== undefined);
    const length = path === undefined ? undefined : file.mediaDuration(path);
    if (path === undefined || length === undefined) return [];
    const source = [element, ...element.children].find((each) => each.attributes.get('src')?.value.trim() === src.text);
    const at = source?.attributes.get('src')?.span.end ?? src.span.end;
    const tooltip = markdown(`Duration of [${escapeMarkdown(path)}](${file.uriOf(path)})`);
    return { at, hint: { label: seconds(Math.round(length * 100) / 100), paddingLeft: true, tooltip } };
  });
}

/** The defaults that a host does not override, before the closing brace of its values. */
function inheritedHints(file: SourceFile): Hints {
  return file.composition.hosts.flatMap((host) => {
    const root = host.values?.json.root;
    const target = file.project.target(file.path, host.src.text);
    const embedded = target === null ? undefined : file.fileAt(target);
    if (root?.kind !== 'object' || host.values?.problem || !embedded) return [];
    const inherited = inheritedBy(host, embedded);
    if (inherited.length === 0) return [];
    const brace = root.span.end - 1;
    const hint: Hints[number]['hint'] = {
      label: defaultParts(embedded, inherited),
      kind: InlayHintKind.Parameter,
      paddingLeft: root.members.length > 0,
    };
    return { at: brace, hint };
  });
}

function inheritedBy({ values }: Host, embedded: SourceFile): DeclaredVariable[] {
  const given = new Set(values?.entries.map(({ id }) => id));
  return embedded.composition.variables.declared.filter(
    ({ declaration: { id, default: value } }) => value !== undefined && !given.has(id),
  );
}

function defaultParts(embedded: SourceFile, inherited: readonly DeclaredVariable[]): InlayHintLabelPart[] {
  const parts = inherited.slice(0, maxShownDefaults).map(({ declaration, idSpan }, index): InlayHintLabelPart => {
    const { id, label, default: value } = declaration;
    const link = `[${escapeMarkdown(embedded.path)}](${embedded.uri}#L${rangeOf(embedded, idSpan).start.line + 1})`;
    const tooltip = markdown(`${escapeMarkdown(label ?? id)}: default, declared in ${link}`);
    const separator = index === 0 ? '' : ', ';
    return { value: `${separator}${id}: ${formatValue(value)}`, tooltip, location: locationOf(embedded, idSpan) };
  });
  const more = inherited.slice(maxShownDefaults).map(({ declaration }) => declaration.id);
  if (more.length > 0) parts.push({ value: ` +${more.length}`, tooltip: `Also inherited: ${more.join(', ')}` });
  return parts;
}

function markdown(value: string): MarkupContent {
  return { kind: 'markdown', value };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>&]/g, '\\$&');
}
