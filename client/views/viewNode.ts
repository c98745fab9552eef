// A row of a tree as plain data: what is shown, what may be done with it, and where it leads.
import { opensInside } from '../render/outputKind.ts';

export type Place = { line: number; character: number };

/** `id` stays the same as long as it is the same thing, so that the tree keeps what is open and selected. */
export type ViewNode = {
  id: string;
  label: string;
  description?: string;
  /** Markdown. */
  tooltip?: string;
  /** A codicon, and the colour of the theme that it has. */
  icon?: { name: string; color?: string };
  /** Words that the menus in package.json look for. */
  context?: string;
  /** Without it there is nothing below. */
  fold?: 'open' | 'closed';
  /** URI of a file whose problems colour the row. */
  resource?: string;
  /** A file that a click opens, at a place. */
  opens?: { uri: string; range?: { start: Place; end: Place } };
  /** Absolute path of a video that a click shows. As with any file of the editor's own lists, the focus stays in the list. */
  plays?: string;
  /** A command that a click runs. */
  runs?: { command: string; args?: readonly unknown[] };
  /** What commands of the menus are for: a composition's file. */
  uri?: string;
  /** The entry of the history, the hosted render, the row's video. */
  entryId?: string;
  renderId?: string;
  /** Name of the file that a hosted render is downloaded to. */
  saveAs?: string;
  output?: string;
  /** Counts from 0. */
  row?: number;
  /** Where it is not asked for again when it is opened. */
  children?: readonly ViewNode[];
};

/** What a click on something rendered does: opening a video takes the keyboard from nobody. */
export function outputClick(output: string): Pick<ViewNode, 'plays' | 'runs'> {
  if (opensInside(output)) return { plays: output };
  return { runs: { command: 'framework.renders.open', args: [{ output }] } };
}

/** The rows that say something else than before; undefined where there are others, or in another order. */
export function changedNodes(before: readonly ViewNode[], after: readonly ViewNode[]): ViewNode[] | undefined {
  if (before.length !== after.length) return undefined;
  const changed: ViewNode[] = [];
  for (const [index, node] of after.entries()) {
    const old = before[index];
    if (old?.id !== node.id || old.fold !== node.fold) return undefined;
    const below = changedNodes(old.children ?? [], node.children ?? []);
    if (!below) return undefined;
    changed.push(...below);
    if (JSON.stringify({ ...old, children: 0 }) !== JSON.stringify({ ...node, children: 0 })) changed.push(node);
  }
  return changed;
}
