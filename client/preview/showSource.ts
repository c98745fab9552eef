// Opens the source of an element or a problem of a preview.
import { Position, Range, type TextDocument, Uri, ViewColumn, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';

/** A location by its offset, or by line and column, which start at 1. */
export type SourceTarget = { file: string; offset: number } | { file: string; line?: number; column?: number };

/** Reuses the editor group that shows the file, or else that of the composition. The editor gets the focus. */
export async function showSource({ projectUri, uri }: CompositionInfo, target: SourceTarget): Promise<void> {
  const file = Uri.joinPath(Uri.parse(projectUri), target.file);
  const document = await workspace.openTextDocument(file);
  const position = document.validatePosition(positionOf(document, target));
  await showDocument(document, uri, new Range(position, position));
}

/** Shows a file where it is open, or else next to the file with this URI. */
export async function showDocument(document: TextDocument, nextTo: string, selection?: Range): Promise<void> {
  await window.showTextDocument(document, {
    viewColumn: columnOf(document.uri.toString()) ?? columnOf(nextTo) ?? ViewColumn.One,
    ...(selection ? { selection } : {}),
  });
}

function positionOf(document: TextDocument, target: SourceTarget): Position {
  if ('offset' in target) return document.positionAt(target.offset);
  return new Position(Math.max(0, (target.line ?? 1) - 1), Math.max(0, (target.column ?? 1) - 1));
}

/** The editor group with a tab of this file, also when the tab is not the active one. */
function columnOf(uri: string): ViewColumn | undefined {
  const group = window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => (input as { uri?: Uri } | undefined)?.uri?.toString() === uri),
  );
  return group?.viewColumn;
}
