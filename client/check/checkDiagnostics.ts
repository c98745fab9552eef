// Findings of checks in the Problems view, with their fixes. They stay until the next check, or until their text changes.
import {
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticSeverity,
  Disposable,
  l10n,
  languages,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import type { CheckFinding, CheckReport } from '../../renderer-core/check/checkReport.ts';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { PreviewAt } from '../preview/previewCommands.ts';

/** What the editor reads of a report. */
export type ShownReport = Pick<CheckReport, 'root' | 'findings' | 'rows' | 'looked'>;

/** `rowsUri`: the data file whose rows were checked. */
export type Checked = { composition: CompositionInfo; report: ShownReport; rowsUri?: string };

export type CheckDiagnostics = Disposable & {
  /** Replaces the findings of this composition. */
  show(checked: Checked): void;
};

type Shown = { uri: Uri; diagnostic: Diagnostic; finding: CheckFinding; checked: Checked };

export function createCheckDiagnostics(): CheckDiagnostics {
  const collection = languages.createDiagnosticCollection('framework.check');
  let shown: Shown[] = [];
  const update = (next: Shown[]): void => {
    shown = next;
    const byFile = new Map<string, Diagnostic[]>();
    for (const { uri, diagnostic } of shown)
      byFile.set(uri.toString(), [...(byFile.get(uri.toString()) ?? []), diagnostic]);
    collection.clear();
    for (const [uri, diagnostics] of byFile) collection.set(Uri.parse(uri), diagnostics);
  };
  const subscriptions = Disposable.from(
    collection,
    workspace.onDidChangeTextDocument((change) => {
      const own = shown.filter(({ uri }) => uri.toString() === change.document.uri.toString());
      if (own.length > 0 && change.contentChanges.length > 0) update(shown.flatMap((one) => afterChange(one, change)));
    }),
    languages.registerCodeActionsProvider(
      { language: 'html', scheme: 'file' },
      {
        provideCodeActions: (document, range) =>
          shown
            .filter(({ uri, diagnostic }) => isIn(uri, document) && diagnostic.range.intersection(range))
            .flatMap(actionsFor),
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
  );
  return {
    show(checked) {
      const { composition, report } = checked;
      const others = shown.filter((one) => one.checked.composition.uri !== composition.uri);
      update([...others, ...report.findings.map((finding) => toShown(finding, checked))]);
    },
    dispose: () => subscriptions.dispose(),
  };
}

const isIn = (uri: Uri, document: TextDocument): boolean => uri.toString() === document.uri.toString();

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function toShown(finding: CheckFinding, checked: Checked): Shown {
  const { file, line, column, endLine, endColumn, message, severity, rule, rows } = finding;
  const uri = Uri.joinPath(Uri.parse(checked.composition.projectUri), file);
  const range = new Range(line - 1, column - 1, endLine - 1, endColumn - 1);
  const text = rows.length === 0 ? message : l10n.t('{0} (row {1})', message, rows.map(rowNumber).join(', '));
  const diagnostic = new Diagnostic(range, text, severities[severity]);
  diagnostic.source = 'check';
  diagnostic.code = rule;
  return { uri, diagnostic, finding, checked };
}

/** Findings move with the text in front of them, and those whose own text changes are out of date. */
function afterChange(one: Shown, { document, contentChanges }: TextDocumentChangeEvent): Shown[] {
  if (!isIn(one.uri, document)) return [one];
  let { range } = one.diagnostic;
  for (const { range: changed, text } of contentChanges) {
    if (changed.start.isAfterOrEqual(range.end)) continue;
    if (changed.end.isAfter(range.start) || changed.end.line === range.start.line) return [];
    const lines = text.split('\n').length - 1 - (changed.end.line - changed.start.line);
    range = new Range(range.start.translate(lines), range.end.translate(lines));
  }
  one.diagnostic.range = range;
  return [one];
}

function actionsFor({ uri, diagnostic, finding, checked }: Shown): CodeAction[] {
  const { composition, rowsUri } = checked;
  const fixes = finding.fixes.map(({ title, edits }) => {
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    const document = workspace.textDocuments.find((one) => isIn(uri, one));
    action.edit = new WorkspaceEdit();
    for (const edit of edits.flatMap((file) => file.edits)) {
      if (!document) continue;
      const moved = document.offsetAt(diagnostic.range.start) - finding.span.start;
      const [start, end] = [document.positionAt(edit.span.start + moved), document.positionAt(edit.span.end + moved)];
      action.edit.replace(uri, new Range(start, end), edit.text);
    }
    return action;
  });
  const at: PreviewAt = { uri: composition.uri, time: finding.seconds };
  const command = (title: string, place: PreviewAt): CodeAction => {
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    action.command = { title, command: 'framework.previewAt', arguments: [place] };
    return action;
  };
  const [row] = finding.rows;
  return [
    ...fixes,
    ...(row === undefined || rowsUri === undefined
      ? [command(l10n.t('Show in Preview'), at)]
      : [command(l10n.t('Show Row {0} in Preview', rowNumber(row)), { ...at, row: { uri: rowsUri, index: row } })]),
  ];
}
