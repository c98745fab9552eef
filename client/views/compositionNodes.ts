// The rows of the Compositions view: projects, files, and the outline of each file.
import { l10n } from 'vscode';
import type { CompositionInfo, OutlineItem, ProjectInfo } from '../../server/protocol.ts';
import { compositionName, decoded } from '../compositions/compositionName.ts';
import type { ViewNode } from './viewNode.ts';

/** With more projects than this, they are shown collapsed, and the compositions of each are requested when it is expanded. */
const mostOpenProjects = 10;

/** The context of a project's row. */
export const projectContext = 'project';

/** The rows of several projects. A project with one file has only a row for it; the others have no files yet. */
export function projectNodes(projects: readonly ProjectInfo[]): ViewNode[] {
  const names = projectNames(projects.map(({ uri }) => uri));
  return projects
    .map(({ uri, compositions, only }): ViewNode => {
      const label = names.get(uri) ?? uri;
      if (only) return fileNode(only, onlyName(only, label));
      return {
        id: uri,
        label,
        description: l10n.t('{0} compositions', compositions),
        icon: { name: 'folder' },
        context: projectContext,
        fold: projects.length > mostOpenProjects ? 'closed' : 'open',
        uri,
      };
    })
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** The rows of the files of one project that has no row of its own. */
export function fileNodes(compositions: readonly CompositionInfo[]): ViewNode[] {
  return compositions.toSorted(byPath).map((one) => fileNode(one));
}

/** The rows of the files below the row of their project, whose name the main file would repeat. */
export function projectFileNodes(compositions: readonly CompositionInfo[]): ViewNode[] {
  return compositions.toSorted(byPath).map((one) => {
    const { path, title } = one;
    if (path.toLowerCase() !== 'index.html' || title === undefined) return fileNode(one);
    const node = fileNode(one, title);
    return { ...node, description: [path, node.description].filter((part) => part !== '').join(' · ') };
  });
}

/** `index.html` first, because it is rendered by default. */
function byPath(a: CompositionInfo, b: CompositionInfo): number {
  const rank = ({ path }: CompositionInfo) => (path === 'index.html' ? 0 : path.includes('/') ? 2 : 1);
  return rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** The folder names, with the parent folder when two names are equal. */
function projectNames(uris: readonly string[]): Map<string, string> {
  const parts = (uri: string) => decoded(uri).split('/');
  const last = (uri: string, count: number) => parts(uri).slice(-count).join('/');
  return new Map(
    uris.map((uri) => {
      const isUnique = uris.filter((other) => last(other, 1) === last(uri, 1)).length === 1;
      return [uri, last(uri, isUnique ? 1 : 2)];
    }),
  );
}

/** `intro`, or `intro/part.html` when the only file is not the main one. */
const onlyName = ({ path }: CompositionInfo, project: string): string =>
  path.toLowerCase() === 'index.html' ? project : `${project}/${path}`;

function fileNode(composition: CompositionInfo, label = compositionName(composition)): ViewNode {
  const { uri, projectUri, path } = composition;
  return {
    id: uri,
    label,
    description: formatText(composition),
    tooltip: tooltip(composition, label),
    ...(uri.startsWith('file:') ? { thumbnail: { kind: 'composition', uri, projectUri, path } } : {}),
    icon: { name: 'device-camera-video' },
    context: 'composition',
    fold: 'closed',
    resource: uri,
    uri,
    opens: { uri },
  };
}

/** `1920 × 1080, 5 s`. */
function formatText({ width, height, duration }: CompositionInfo): string {
  const size = width === null || height === null ? '' : `${width} × ${height}`;
  return [size, duration === null ? '' : l10n.t('{0} s', duration)].filter((part) => part !== '').join(', ');
}

function tooltip(composition: CompositionInfo, label: string): string {
  const { path, id, width, height, duration, fps, variables } = composition;
  const unknown = l10n.t('not specified');
  const rows = [
    [l10n.t('File'), path],
    [l10n.t('Composition'), id ?? unknown],
    [l10n.t('Size'), width === null || height === null ? unknown : `${width} × ${height}`],
    [l10n.t('Duration'), duration === null ? unknown : l10n.t('{0} s', duration)],
    [l10n.t('Frames per second'), fps === null ? l10n.t('30 (default)') : String(fps)],
    [l10n.t('Variables'), variables.map((variable) => variable.id).join(', ') || l10n.t('none')],
  ];
  const lines = rows.map(([name = '', value = '']) => `- ${name}: ${escaped(value)}`);
  return [`**${escaped(label)}**`, '', ...lines].join('\n');
}

/** Escapes text for Markdown, including icons. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>$~]/g, '\\$&');
}

const icons: Record<OutlineItem['what'], string> = {
  composition: 'symbol-class',
  variables: 'symbol-variable',
  string: 'symbol-string',
  number: 'symbol-number',
  color: 'symbol-color',
  boolean: 'symbol-boolean',
  enum: 'symbol-enum',
  video: 'play-circle',
  audio: 'unmute',
  image: 'file-media',
  host: 'references',
  clip: 'layers',
};

/** The outline of a file: its variables and its clips. */
export function outlineNodes(uri: string, outline: readonly OutlineItem[]): ViewNode[] {
  const [composition] = outline;
  return composition ? itemNodes(uri, uri, composition.children) : [];
}

/** Ids consist of names, so that rows stay expanded and selected while the file is edited. */
function itemNodes(uri: string, parent: string, items: readonly OutlineItem[]): ViewNode[] {
  const seen = new Map<string, number>();
  return items.map((item): ViewNode => {
    const { what, name, detail, target, selectionRange, children } = item;
    const key = `${what}:${name}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    const id = `${parent}#${key}${count === 1 ? '' : `:${count}`}`;
    const isVariables = what === 'variables';
    return {
      id,
      label: isVariables ? l10n.t('Variables') : name,
      description: detail,
      icon: { name: icons[what] },
      context: target === undefined ? what : `${what} embedded`,
      // A row with a target expands only by its arrow; this one has no target.
      ...(isVariables ? {} : { opens: { uri, range: selectionRange } }),
      ...(target === undefined ? {} : { uri: target }),
      ...(children.length === 0 ? {} : { fold: 'closed' as const, children: itemNodes(uri, id, children) }),
    };
  });
}
