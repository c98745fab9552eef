// Converts the edits of the linter's fixes to protocol edits.
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import type { Fix, TextEdit as SpanEdit } from '../../renderer-core/lint/finding.ts';
import { rangeOf, type SourceFile } from './sourceFile.ts';

/** The edits of one file, as spans of its current text. */
export type FileEdits = Fix['edits'][number];

/** Edits of files that are not compositions of the project are omitted. */
export function workspaceEdit(file: SourceFile, edits: readonly FileEdits[]): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const { file: path, edits: parts } of edits) {
    const target = path === file.path ? file : file.fileAt(path);
    if (!target) continue;
    changes[target.uri] = [...(changes[target.uri] ?? []), ...parts.map((edit) => textEdit(target, edit))];
  }
  return { changes };
}

export function textEdit(file: SourceFile, { span, text }: SpanEdit): TextEdit {
  return { range: rangeOf(file, span), newText: text };
}
