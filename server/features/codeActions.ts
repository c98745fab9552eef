// Code actions: fixes for findings, "fix all", ways to ignore a finding, and refactorings.
import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver-types';
import type { Finding, Fix, TextEdit } from '../../renderer-core/lint/finding.ts';
import type { Span } from '../../renderer-core/model/text/spans.ts';
import { type DocLink, diagnostic } from './diagnostics.ts';
import { ignoreActions, type Manifest } from './ignoreActions.ts';
import { refactorings } from './refactor/refactorings.ts';
import { type SourceFile, spanOf } from './sourceFile.ts';
import { type FileEdits, workspaceEdit } from './workspaceEdit.ts';

/** For `editor.codeActionsOnSave`. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.framework`;

/** The kind of actions that ignore a finding, unless quick fixes are requested. */
const ignoreKind = 'ignore.framework';

/** `only`: the requested kinds; undefined means all that suit the position. */
export type CodeActionRequest = {
  only?: readonly string[];
  manifest?: Manifest | undefined;
  docLink: DocLink;
  /** Whether the user invoked the action, as opposed to an automatic request when the cursor moves. */
  isInvoked?: boolean;
  createsFiles?: boolean;
};

/** The actions for a range. `findings`: all findings of the file. */
export function codeActions(
  file: SourceFile,
  findings: readonly Finding[],
  range: Range,
  { only, manifest, docLink, isInvoked, createsFiles }: CodeActionRequest,
): CodeAction[] {
  const wants = (kind: string) =>
    only === undefined || only.some((one) => one === '' || kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  const here = wants(CodeActionKind.QuickFix) ? findings.filter(({ span }) => overlap(span, spanOf(file, range))) : [];
  if (here.length > 0) {
    for (const finding of here) actions.push(...quickFixes(file, finding, docLink));
    for (const rule of new Set(here.map((finding) => finding.rule))) actions.push(...fixRule(file, findings, rule));
    actions.push(...here.flatMap((finding) => addFonts(file, finding, docLink)));
  }
  // Only on request, for saving and the source action menu, not for the light bulb.
  if (only !== undefined && wants(fixAllKind)) {
    const edits = safeEdits(findings);
    if (edits.length > 0) {
      const title = 'Apply all safe fixes';
      actions.push({ title, kind: fixAllKind, edit: workspaceEdit(file, edits) });
    }
  }
  // Without a selection, refactorings need an explicit request; otherwise the light bulb would show at every cursor position.
  const isSelected = spanOf(file, range).start < spanOf(file, range).end;
  if (isSelected || isInvoked || (only !== undefined && only.length > 0)) {
    actions.push(...refactorings(file, range, { wants, createsFiles: createsFiles ?? false }));
  }
  // VS Code moves actions with diagnostics to the front, and those of an unknown kind to the end of the menu.
  const kind = only?.length ? CodeActionKind.QuickFix : ignoreKind;
  for (const finding of firstOfEachRule(here))
    actions.push(...ignoreActions(file, finding, manifest).map((ignore) => ({ ...ignore, kind })));
  return actions;
}

function quickFixes(file: SourceFile, finding: Finding, docLink: DocLink): CodeAction[] {
  const diagnostics = [diagnostic(file, finding, docLink)];
  const best = finding.fixes.find(({ isSafe }) => isSafe) ?? finding.fixes.find(({ isPreferred }) => isPreferred);
  return finding.fixes.map((fix) => ({
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics,
    edit: workspaceEdit(file, fix.edits),
    ...(fix === best ? { isPreferred: true } : {}),
  }));
}

/** Actions for the command line, which copies fonts into the project. */
function addFonts(file: SourceFile, finding: Finding, docLink: DocLink): CodeAction[] {
  const diagnostics = [diagnostic(file, finding, docLink)];
  return (finding.fonts ?? []).map((font) => {
    const title = `Add the font "${font}" to the project`;
    const command = { title, command: 'framework.addFont', arguments: [{ uri: file.uri, font }] };
    return { title, kind: CodeActionKind.QuickFix, diagnostics, command };
  });
}

/** One action for all findings of a rule, if at least two of them have a safe fix. */
function fixRule(file: SourceFile, findings: readonly Finding[], rule: string): CodeAction[] {
  const same = findings.filter((finding) => finding.rule === rule && finding.fixes.some(({ isSafe }) => isSafe));
  if (same.length < 2) return [];
  const edit = workspaceEdit(file, safeEdits(same));
  return [{ title: `Fix all ${same.length} ${rule} problems in this file`, kind: CodeActionKind.QuickFix, edit }];
}

/** The first safe fix of each finding. Fixes that overlap an earlier one are left for the next round. */
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

/** Touching counts, so that a cursor directly after a finding selects it. */
function overlap(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function firstOfEachRule(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ rule }, index) => findings.findIndex((other) => other.rule === rule) === index);
}
