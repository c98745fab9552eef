// Converts findings to diagnostics.
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
} from 'vscode-languageserver-types';
import type { Finding, FindingSeverity } from '../../renderer-core/lint/finding.ts';
import { rules } from '../../renderer-core/lint/ruleTable.ts';
import { readLintConfig } from '../../renderer-core/lint/settings.ts';
import { manifestBatches } from './batch/batchTarget.ts';
import { locationOf, rangeOf, type SourceFile } from './sourceFile.ts';

/** Shown as the source in the editor's list of problems. */
export const diagnosticSource = 'framework';

const severities: Record<FindingSeverity, DiagnosticSeverity> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Returns the URL of a rule's documentation; undefined if the documentation has no URL. */
export type DocLink = (rule: string) => string | undefined;

export const noDocs: DocLink = () => undefined;

export function diagnostics(file: SourceFile, findings: readonly Finding[], docLink: DocLink): Diagnostic[] {
  return findings.map((finding) => diagnostic(file, finding, docLink));
}

export function diagnostic(file: SourceFile, finding: Finding, docLink: DocLink): Diagnostic {
  const { rule, severity, message, span, isUnnecessary } = finding;
  const href = docLink(rule);
  const related = relatedInformation(file, finding);
  return {
    range: rangeOf(file, span),
    severity: severities[severity],
    source: diagnosticSource,
    code: rule,
    message,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    ...(isUnnecessary ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

/** The problems of a project's manifest. */
export function manifestDiagnostics(text: string): Diagnostic[] {
  const document = TextDocument.create('', 'json', 0, text);
  const { problems } = readLintConfig(
    text,
    rules.map(({ id }) => id),
  );
  return [...problems, ...manifestBatches(text).problems].map(({ message, span }) => ({
    range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
    severity: DiagnosticSeverity.Warning,
    source: diagnosticSource,
    message,
  }));
}

/** Locations in files that are not compositions (any more) are omitted. */
function relatedInformation(file: SourceFile, { related }: Finding): DiagnosticRelatedInformation[] {
  return related.flatMap(({ file: path, span, message }) => {
    const place = path === file.path ? file : file.fileAt(path);
    return place ? [{ location: locationOf(place, span), message }] : [];
  });
}
