// Shows a place of the source that belongs to what was picked in a preview.
import { Position, Range, type TextDocument, Uri, ViewColumn, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';

/** A place by its offset, or by a line and a column that count from 1. */
export type SourceAt = { file: string; offset: number } | { file: string; line?: number; column?: number };

/** Where the file is shown already, else beside the preview; the editor gets the focus. */
export async function showSource({ projectUri, uri }: CompositionInfo, at: SourceAt): Promise<void> {
  const target = Uri.joinPath(Uri.parse(projectUri), at.file);
  const document = await workspace.openTextDocument(target);
  const place = document.validatePosition(positionOf(document, at));
  await window.showTextDocument(document, {
    viewColumn: columnOf(target.toString()) ?? columnOf(uri) ?? ViewColumn.One,
    selection: new Range(place, place),
  });
}

function positionOf(document: TextDocument, at: SourceAt): Position {
  if ('offset' in at) return document.positionAt(at.offset);
  return new Position(Math.max(0, (at.line ?? 1) - 1), Math.max(0, (at.column ?? 1) - 1));
}

/** Also of a tab that is behind another. */
function columnOf(uri: string): ViewColumn | undefined {
  const group = window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => (input as { uri?: Uri } | undefined)?.uri?.toString() === uri),
  );
  return group?.viewColumn;
}
