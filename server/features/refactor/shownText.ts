// Text that the preview shows: what it is in the source, and the edit that changes it.

import { attr } from '../../../renderer-core/model/attributes.ts';
import { type HtmlElement, innerSpan } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { checkValue } from '../../../renderer-core/model/variables/values.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import type { FoundText, TextChange, TextRequest } from '../../protocol.ts';
import { namesIn } from '../names/names.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';
import { type GivenValue, givenValue, hostValueEdit } from './givenValue.ts';
import { collapsed, textRun, textRunEdit } from './textRun.ts';

type Source =
  | { kind: 'literal'; holder: HtmlElement; before: number; text: string }
  | { kind: 'variable'; given: GivenValue }
  | { kind: 'none'; reason: string };

export function findText(file: SourceFile, request: TextRequest): FoundText {
  const source = sourceOf(file, request);
  if (source.kind === 'none') return { reason: source.reason };
  if (source.kind === 'literal') return { text: source.text, lines: true };
  const { id, value } = source.given;
  return { text: String(value ?? ''), lines: request.shown.keepsLines, variable: id };
}

/** Where a literal text is in the file, or the variable that it is the value of. */
export function literalSpan(
  file: SourceFile,
  request: TextRequest,
): { span: Span } | { variable: string } | { reason: string } {
  const source = sourceOf(file, request);
  if (source.kind === 'none') return { reason: source.reason };
  if (source.kind === 'variable') return { variable: source.given.id };
  const { pieces, end } = textRun(file.composition.text, source.holder, source.before, request.shown.keepsLines);
  return { span: { start: pieces[0]?.start ?? end, end } };
}

export function changeText(file: SourceFile, request: TextRequest, value: string): TextChange {
  const source = sourceOf(file, request);
  if (source.kind === 'none') return { reason: source.reason };
  if (source.kind === 'variable') return changeValue(source.given, value);
  const { keepsLines } = request.shown;
  const { text } = file.composition;
  const run = textRun(text, source.holder, source.before, keepsLines);
  const edit = textRunEdit(text, run, value, keepsLines);
  if (!edit) return { reason: 'A comment is in this text. Edit it in the source.' };
  return { uri: file.uri, version: file.document.version, edits: [textEdit(file, edit)] };
}

export const stale = 'The preview does not show the current text yet. Try again when it does.';

function sourceOf(file: SourceFile, request: TextRequest): Source {
  const { shown } = request;
  const { html, text } = file.composition;
  const holder = html.elements.find(({ startTag }) => startTag.start === shown.offset);
  if (!holder) return { kind: 'none', reason: stale };
  const bound = holder.attributes.get(attr.varText)?.value;
  if (bound !== undefined) return fromVariable(file, bound, request);
  const found = shown.run && textRun(text, holder, shown.run.before, shown.keepsLines);
  const isLiteral = found && found.text !== '' && collapsed(found.text) === collapsed(shown.run?.text ?? '');
  // A script that reads the variable probably writes the same text again.
  const written = variablesWith(file, collapsed(shown.whole), request).filter(
    ({ id }) => !isLiteral || isReadByScript(file, id),
  );
  if (written.length === 1 && written[0]) return fromVariable(file, written[0].id, request);
  if (isLiteral && shown.run) return { kind: 'literal', holder, before: shown.run.before, text: found.text };
  if (written.length > 1)
    return {
      kind: 'none',
      reason: `${written.map(({ id }) => id).join(' and ')} have this value. Change one of them in the form.`,
    };
  return { kind: 'none', reason: scriptReason(file, collapsed(shown.whole), request) };
}

/** Names the variables whose values are in the text, if a script reads them. */
function scriptReason(file: SourceFile, text: string, { hosts, drafts }: TextRequest): string {
  const ids = file.composition.declarations
    .filter(({ id, type }) => {
      const value = collapsed(String(givenValue(file, id, hosts, drafts)?.value ?? ''));
      return isReadByScript(file, id) && isPartOf(value, text, type);
    })
    .map(({ id }) => `"${id}"`);
  if (ids.length === 0) return 'A script creates this text. Change the script to edit it.';
  const variables = ids.length === 1 ? 'the variable' : 'the variables';
  return `A script creates this text from ${variables} ${ids.join(' and ')}. Change ${ids.length === 1 ? 'it' : 'them'} in the form.`;
}

/** Whether a text contains a value. Numbers may be shown with separators. A single character is in most texts. */
function isPartOf(value: string, text: string, type: string): boolean {
  const digits = (one: string) => one.replace(/\D/g, '');
  if (type === 'number') return digits(value).length > 1 && digits(text).includes(digits(value));
  return type === 'string' && value.length > 1 && text.includes(value);
}

function fromVariable(file: SourceFile, id: string, { hosts, drafts }: TextRequest): Source {
  const given = givenValue(file, id, hosts, drafts);
  return given ? { kind: 'variable', given } : { kind: 'none', reason: stale };
}

/** The variables whose value in this instance is a text. */
function variablesWith(file: SourceFile, text: string, { hosts, drafts }: TextRequest): VariableDeclaration[] {
  if (text === '') return [];
  return file.composition.declarations.filter(({ id, type }) => {
    if (type !== 'string' && type !== 'number') return false;
    const value = givenValue(file, id, hosts, drafts)?.value;
    return value !== undefined && collapsed(String(value)) === text;
  });
}

function isReadByScript({ composition }: SourceFile, id: string): boolean {
  const scripts = composition.html.elements.filter(({ tag }) => tag === 'script').map(innerSpan);
  const names = namesIn(composition);
  const isRead = names.variables.some(
    (name) => name.id === id && scripts.some(({ start, end }) => start <= name.span.start && name.span.end <= end),
  );
  return isRead || names.hasDynamicReads;
}

/** Sets the draft value, or the value that a host gives. */
export function changeValue(given: GivenValue, text: string): TextChange {
  const { id, declaration } = given;
  const value = typedValue(declaration, text);
  const issue = declaration && checkValue(declaration, value);
  if (issue) return { reason: issue.message };
  if (given.from === 'draft') return { draft: { id, value } };
  const edit = hostValueEdit(given, value);
  const { file, host } = given;
  if (!edit) return { reason: `The ${attr.variableValues} of ${host.src.text} contain an error. Fix it first.` };
  return { uri: file.uri, version: file.document.version, edits: [textEdit(file, edit)] };
}

/** The text itself if it is not of the type, so that the check explains why. */
function typedValue(declaration: VariableDeclaration | undefined, text: string): unknown {
  if (declaration?.type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (declaration?.type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}
