// What a language feature is given: one composition file, its project, and the way from offsets to positions.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Location, Range } from 'vscode-languageserver-types';
import type { Project } from '../../renderer-core/lint/project.ts';
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { Span } from '../../renderer-core/model/spans.ts';

/** A composition file as it is now, saved or not. Features are functions of one of these and an offset or a range. */
export type SourceFile = {
  /** Project-relative, POSIX. */
  path: string;
  uri: string;
  document: TextDocument;
  composition: Composition;
  project: Project;
  /** Another composition file of the project. */
  fileAt(path: string): SourceFile | undefined;
  /** The URI of any file of the project, whether it is there or not. */
  uriOf(path: string): string;
  /** Seconds of a media file of the project, once it has been looked at; undefined until then. */
  mediaDuration(path: string): number | undefined;
};

/** A span of the file as a range of lines and characters. */
export function rangeOf({ document }: SourceFile, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

export function spanOf({ document }: SourceFile, range: Range): Span {
  return { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
}

export function locationOf(file: SourceFile, span: Span): Location {
  return { uri: file.uri, range: rangeOf(file, span) };
}
