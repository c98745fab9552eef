// A tree row as plain data.
import { opensInEditor } from '../render/output/outputKind.ts';
import type { Thumbnail } from './thumbnailFile.ts';

export type RowPosition = { line: number; character: number };

/** `id` must not change between updates, so that the tree keeps rows expanded and selected. */
export type ViewNode = {
  id: string;
  label: string;
  description?: string;
  /** Markdown. */
  tooltip?: string;
  /** Shown above the tooltip. */
  thumbnail?: Thumbnail;
  /** A codicon and its theme color. */
  icon?: { name: string; color?: string };
  /** Space-separated words for the `when` clauses of the menus in package.json. */
  context?: string;
  /** Initial state of a row with children; undefined for a row without children. */
  fold?: 'open' | 'closed';
  /** URI of a file; the row shows its problems. */
  resource?: string;
  /** The file and range that a click opens. */
  opens?: { uri: string; range?: { start: RowPosition; end: RowPosition } };
  /** Absolute path of a video that a click opens. The focus stays in the tree, as in the explorer. */
  plays?: string;
  /** The command that a click runs. */
  runs?: { command: string; args?: readonly unknown[] };
  /** URI of the composition, for the menu commands. */
  uri?: string;
  /** Id of the history entry. */
  entryId?: string;
  renderId?: string;
  /** File name for the download of a cloud render. */
  saveAs?: string;
  /** Absolute path of the video. */
  output?: string;
  /** Starts at 0. */
  row?: number;
  /** Children that need not be requested when the row is expanded. */
  children?: readonly ViewNode[];
};

/** The click action for an output. A video is opened with VS Code's command, which keeps the focus in the tree. */
export function outputClick(output: string): Pick<ViewNode, 'plays' | 'runs'> {
  if (opensInEditor(output)) return { plays: output };
  return { runs: { command: 'framework.renders.open', args: [{ output }] } };
}

/** The thumbnail of a finished video; none for a folder of frames. */
export function videoThumbnail(file: string, poster?: number): Pick<ViewNode, 'thumbnail'> {
  if (!/\.(?:mp4|webm|mov|gif)$/i.test(file)) return {};
  return { thumbnail: { kind: 'video', file, ...(poster === undefined ? {} : { poster }) } };
}

/** The rows whose content changed; undefined when rows were added, removed or moved. */
export function changedNodes(before: readonly ViewNode[], after: readonly ViewNode[]): ViewNode[] | undefined {
  if (before.length !== after.length) return undefined;
  const changed: ViewNode[] = [];
  for (const [index, node] of after.entries()) {
    const old = before[index];
    if (old?.id !== node.id || old.fold !== node.fold) return undefined;
    const children = changedNodes(old.children ?? [], node.children ?? []);
    if (!children) return undefined;
    changed.push(...children);
    if (JSON.stringify({ ...old, children: 0 }) !== JSON.stringify({ ...node, children: 0 })) changed.push(node);
  }
  return changed;
}
