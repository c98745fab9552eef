// Shows the problems of previews in the Problems view.
import { Diagnostic, DiagnosticSeverity, type Disposable, languages, Range, Uri, workspace } from 'vscode';
import type { PreviewProblem } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';

export type PreviewDiagnostics = Disposable & {
  /** Replaces the problems of this composition. */
  show(composition: CompositionInfo, problems: readonly PreviewProblem[]): void;
};

export function createPreviewDiagnostics(): PreviewDiagnostics {
  const collection = languages.createDiagnosticCollection('framework.preview');
  /** By composition, because several compositions can have problems in the same file. */
  const shown = new Map<string, [Uri, Diagnostic][]>();
  return {
    show(composition, problems) {
      if (problems.length === 0) shown.delete(composition.uri);
      else
        shown.set(
          composition.uri,
          problems.map((problem) => toDiagnostic(composition, problem)),
        );
      const byFile = new Map<string, Diagnostic[]>();
      for (const [uri, diagnostic] of [...shown.values()].flat())
        byFile.set(uri.toString(), [...(byFile.get(uri.toString()) ?? []), diagnostic]);
      collection.clear();
      for (const [uri, diagnostics] of byFile) collection.set(Uri.parse(uri), diagnostics);
    },
    dispose: () => collection.dispose(),
  };
}

function toDiagnostic({ projectUri, path }: CompositionInfo, problem: PreviewProblem): [Uri, Diagnostic] {
  const { file = path, line = 1, column = 1 } = problem.place ?? {};
  const uri = Uri.joinPath(Uri.parse(projectUri), file);
  const [row, character] = [Math.max(0, line - 1), Math.max(0, column - 1)];
  const document = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const position = new Range(row, character, row, character + 1);
  const range = document?.getWordRangeAtPosition(document.validatePosition(position.start)) ?? position;
  const text = problem.hint === undefined ? problem.message : `${problem.message}\n${problem.hint}`;
  const severity = problem.severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
  const diagnostic = new Diagnostic(range, text, severity);
  diagnostic.source = 'preview';
  return [uri, diagnostic];
}
