// Findings and fixes as plain data, for the command line and the editor.
import type { Span } from '../model/text/spans.ts';

/** `info` is worth knowing; `hint` is shown only in the editor, without a squiggle. */
export type FindingSeverity = 'error' | 'warning' | 'info' | 'hint';

/** Replaces a span of a file's text. An empty span inserts. */
export type TextEdit = { span: Span; text: string };

/** One way to fix a finding. Edits of one file never overlap and are in the order of their spans. */
export type Fix = {
  title: string;
  edits: readonly { file: string; edits: readonly TextEdit[] }[];
  /** Whether there is no other possible intention. `--fix` and "fix all" apply only safe fixes. */
  isSafe: boolean;
  /** Whether it is the most likely intention of several. Editors offer it first; `--fix` does not apply it. */
  isPreferred?: boolean;
};

/** A location that explains a finding: the first declaration, the other clip, the variable of the target. */
export type RelatedInformation = { file: string; span: Span; message: string };

/** One problem in one file. `file` is a project-relative POSIX path; `rule` is the id of a rule in the rule table. */
export type Finding = {
  rule: string;
  severity: FindingSeverity;
  message: string;
  file: string;
  span: Span;
  related: readonly RelatedInformation[];
  fixes: readonly Fix[];
  /** Unused code, which the editor fades out. */
  isUnnecessary?: boolean;
  /** Font families that `framework fonts add` can add to the project. */
  fonts?: readonly string[];
};
