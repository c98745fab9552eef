// What can be done about findings: their fixes, all safe fixes at once, and ways to ignore them.
import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver-types';
import type { Finding, Fix, TextEdit } from '../../renderer-core/lint/finding.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import { type DocLink, diagnostic } from './diagnostics.ts';
import { type FileEdits, workspaceEdit } from './edits.ts';
import { type SourceFile, spanOf } from './file.ts';
import { ignoreActions, type Manifest } from './ignoreActions.ts';
import { refactorings } from './refactorings.ts';

/** For `editor.codeActionsOnSave`. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.framework`;

/** `only` are the kinds that the client wants; without it, it wants to be offered what is at hand. */
export type CodeActionRequest = {
  only?: readonly string[];
  manifest?: Manifest | undefined;
  docLink: DocLink;
  /** Whether the user asked, or the editor does while the cursor moves. */
  isInvoked?: boolean;
  createsFiles?: boolean;
  isOurClient?: boolean;
};

/** The actions for a range: those of the findings that touch it. `findings` are all of the file. */
export function codeActions(
  file: SourceFile,
  findings: readonly Finding[],
  range: Range,
  { only, manifest, docLink, isInvoked, createsFiles, isOurClient }: CodeActionRequest,
): CodeAction[] {
  const wants = (kind: string) =>
    only === undefined || only.some((one) => one === '' || kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  if (wants(CodeActionKind.QuickFix)) {
    const here = findings.filter(({ span }) => overlap(span, spanOf(file, range)));
    for (const finding of here) actions.push(...quickFixes(file, finding, docLink));
    for (const rule of new Set(here.map((finding) => finding.rule))) actions.push(...fixRule(file, findings, rule));
    for (const finding of firstOfEachRule(here)) {
      const diagnostics = [diagnostic(file, finding, docLink)];
      const ways = ignoreActions(file, finding, manifest);
      actions.push(...ways.map((way) => ({ ...way, kind: CodeActionKind.QuickFix, diagnostics })));
    }
  }
  // Only when asked for: it is for saving and for the menu of source actions, not for the light bulb.
  if (only !== undefined && wants(fixAllKind)) {
    const edits = safeEdits(findings);
    if (edits.length > 0) {
      const title = 'Fix all problems that can be fixed safely';
      actions.push({ title, kind: fixAllKind, edit: workspaceEdit(file, edits) });
    }
  }
  // No light bulb at every step of the cursor.
  const isSelected = spanOf(file, range).start < spanOf(file, range).end;
  if (isSelected || isInvoked || (only !== undefined && only.length > 0)) {
    const request = { wants, createsFiles: createsFiles ?? false, isOurClient: isOurClient ?? false };
    actions.push(...refactorings(file, range, request));
  }
  return actions;
}

function quickFixes(file: SourceFile, finding: Finding, docLink: DocLink): CodeAction[] {
  const diagnostics = [diagnostic(file, finding, docLink)];
  const best = finding.fixes.find(({ isSafe }) => isSafe);
  return finding.fixes.map((fix) => ({
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics,
    edit: workspaceEdit(file, fix.edits),
    ...(fix === best ? { isPreferred: true } : {}),
  }));
}

/** One action for all findings of a rule, where there are more than one that can be fixed safely. */
function fixRule(file: SourceFile, findings: readonly Finding[], rule: string): CodeAction[] {
  const same = findings.filter((finding) => finding.rule === rule && finding.fixes.some(({ isSafe }) => isSafe));
  if (same.length < 2) return [];
  const edit = workspaceEdit(file, safeEdits(same));
  return [{ title: `Fix all ${same.length} problems of ${rule} in this file`, kind: CodeActionKind.QuickFix, edit }];
}

/** The first safe fix of each finding, without those that get into each other's way: the next round does these. */
export function safeEdits(findings: readonly Finding[]): FileEdits[] {
  const taken = new Map<string, TextEdit[]>();
  for (const { fixes } of findings) {
    const fix = fixes.find(({ isSafe }) => isSafe);
    if (fix && isFree(fix, taken)) {
      for (const { file, edits } of fix.edits) taken.set(file, [...(taken.get(file) ?? []), ...edits]);
    }
  }
  const inOrder = (edits: TextEdit[]) => edits.sort((a, b) => a.span.start - b.span.start);
  return [...taken].map(([file, edits]) => ({ file, edits: inOrder(edits) }));
}

function isFree(fix: Fix, taken: ReadonlyMap<string, readonly TextEdit[]>): boolean {
  return fix.edits.every(({ file, edits }) =>
    edits.every(({ span }) => !taken.get(file)?.some((other) => overlap(other.span, span))),
  );
}

/** Touching counts, so that a cursor just behind a finding is on it. */
function overlap(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function firstOfEachRule(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ rule }, index) => findings.findIndex((other) => other.rule === rule) === index);
}
