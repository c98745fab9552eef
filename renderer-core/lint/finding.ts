// What the linter says: findings and fixes as plain data, the same for the command line and the editor.
import type { Span } from '../model/spans.ts';

/** `info` is worth knowing; `hint` is shown in the editor alone, without a squiggle. */
export type FindingSeverity = 'error' | 'warning' | 'info' | 'hint';

/** A piece of a file's text to be replaced. An empty span inserts. */
export type TextEdit = { span: Span; text: string };

/** One way to put something right. Edits of one file never overlap and stand in the order of their spans. */
export type Fix = {
  title: string;
  edits: readonly { file: string; edits: readonly TextEdit[] }[];
  /** Whether it can only be what the author meant: `--fix` and "fix all" apply these alone. */
  isSafe: boolean;
};

/** A place that explains a finding: the first declaration, the other clip, the target's variable. */
export type RelatedPlace = { file: string; span: Span; message: string };

/** One thing wrong in one file. `file` is project-relative, POSIX; `rule` is the id of a row in the table of rules. */
export type Finding = {
  rule: string;
  severity: FindingSeverity;
  message: string;
  file: string;
  span: Span;
  related: readonly RelatedPlace[];
  fixes: readonly Fix[];
  /** Code that nothing uses: the editor fades it out. */
  isUnnecessary?: boolean;
};
