// SourceFile: the input of every language feature. It contains one composition file, its project, and position conversion.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Location, Range } from 'vscode-languageserver-types';
import type { Project } from '../../renderer-core/lint/project.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { Span } from '../../renderer-core/model/text/spans.ts';

/** A composition file with its current text, saved or not. A feature is a function of a SourceFile and an offset or range. */
export type SourceFile = {
  /** Project-relative, POSIX. */
  path: string;
  uri: string;
  document: TextDocument;
  composition: Composition;
  project: Project;
  /** Returns another composition file of the project. */
  fileAt(path: string): SourceFile | undefined;
  /** Returns the URI of any path in the project, whether the file exists or not. */
  uriOf(path: string): string;
  /** The duration of a media file in seconds; undefined until it has been read. */
  mediaDuration(path: string): number | undefined;
};

export function rangeOf({ document }: SourceFile, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

export function spanOf({ document }: SourceFile, range: Range): Span {
  return { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
}

export function locationOf(file: SourceFile, span: Span): Location {
  return { uri: file.uri, range: rangeOf(file, span) };
}
