// Code actions that ignore a rule on one line, in one file or in the project.
import { applyEdits, modify } from 'jsonc-parser';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import type { Finding } from '../../renderer-core/lint/finding.ts';
import { type HtmlElement, innerSpan } from '../../renderer-core/model/text/html.ts';
import type { SourceFile } from './sourceFile.ts';

/** The project's manifest. `text` is null if the file does not exist yet. */
export type Manifest = { uri: string; text: string | null };

export type IgnoreAction = { title: string; edit: WorkspaceEdit };

export function ignoreActions(file: SourceFile, finding: Finding, manifest: Manifest | undefined): IgnoreAction[] {
  const { rule } = finding;
  const inFile = (edit: TextEdit): WorkspaceEdit => ({ changes: { [file.uri]: [edit] } });
  const line = ignoreLine(file, finding);
  return [
    ...(line ? [{ title: `Ignore ${rule} on this line`, edit: inFile(line) }] : []),
    { title: `Ignore ${rule} in this file`, edit: inFile(ignoreFile(file, rule)) },
    ...(manifest ? [{ title: `Turn off ${rule} in this project`, edit: turnOff(manifest, rule) }] : []),
  ];
}

/** A comment on the line above. Undefined if the line starts inside a tag, where comments are not possible. */
function ignoreLine(file: SourceFile, { rule, span }: Finding): TextEdit | undefined {
  const { composition, document } = file;
  const { elements } = composition.html;
  const tag = elements.findLast(({ startTag }) => startTag.start <= span.start && span.start < startTag.end);
  const { line } = document.positionAt(tag ? tag.startTag.start : span.start);
  const range = lineStart(line);
  const before = line === 0 ? undefined : lineText(file, line - 1);
  const named =
    before === undefined ? null : /framework-ignore-next-line\b[^\S\n]*((?:(?!-->|\*\/|:).)*[^\s:])?/.exec(before);
  if (before !== undefined && named && !/-->|\*\//.test(named[0])) {
    const end = named.index + named[0].trimEnd().length;
    const place = { line: line - 1, character: end };
    return { range: { start: place, end: place }, newText: named[1]?.trim() ? `, ${rule}` : ` ${rule}` };
  }
  const offset = document.offsetAt(range.start);
  const inside = elements.find((element) => holds(element, offset));
  const indent = /^[ \t]*/.exec(lineText(file, line))?.[0] ?? '';
  const words = `framework-ignore-next-line ${rule}`;
  const end = lineEnding(file);
  if (!inside) return { range, newText: `${indent}<!-- ${words} -->${end}` };
  if (offset < inside.startTag.end) return undefined;
  return { range, newText: `${indent}${inside.tag === 'script' ? `// ${words}` : `/* ${words} */`}${end}` };
}

/** Whether an offset is in an element's start tag or in its code. */
function holds(element: HtmlElement, offset: number): boolean {
  const { startTag, tag } = element;
  if (startTag.start < offset && offset < startTag.end) return true;
  if (tag !== 'script' && tag !== 'style') return false;
  const { start, end } = innerSpan(element);
  return start <= offset && offset <= end;
}

function ignoreFile(file: SourceFile, rule: string): TextEdit {
  // After the doctype, which must come first.
  const doctype = /^\s*<!doctype[^>]*>[ \t]*(?:\r\n|\n|\r)?/i.exec(file.composition.text)?.[0] ?? '';
  const end = lineEnding(file);
  const position = file.document.positionAt(doctype.length);
  const newText = `${/[^\r\n]$/.test(doctype) ? end : ''}<!-- framework-ignore-file ${rule} -->${end}`;
  return { range: { start: position, end: position }, newText };
}

function turnOff({ uri, text }: Manifest, rule: string): WorkspaceEdit {
  const before = text ?? '{}\n';
  const formattingOptions = { tabSize: 2, insertSpaces: true, eol: before.includes('\r\n') ? '\r\n' : '\n' };
  const edits = modify(before, ['lint', 'rules', rule], 'off', { formattingOptions });
  if (text === null) {
    const whole = applyEdits(before, edits);
    const start = { line: 0, character: 0 };
    return {
      documentChanges: [
        { kind: 'create', uri, options: { ignoreIfExists: true } },
        { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: whole }] },
      ],
    };
  }
  const document = TextDocument.create(uri, 'json', 0, before);
  const changes = edits.map(({ offset, length, content }) => ({
    range: { start: document.positionAt(offset), end: document.positionAt(offset + length) },
    newText: content,
  }));
  return { changes: { [uri]: changes } };
}

function lineStart(line: number): Range {
  const start = { line, character: 0 };
  return { start, end: start };
}

function lineText({ document }: SourceFile, line: number): string {
  const start = { line, character: 0 };
  return document.getText({ start, end: { line: line + 1, character: 0 } }).replace(/[\r\n]+$/, '');
}

function lineEnding({ composition }: SourceFile): string {
  return composition.text.includes('\r\n') ? '\r\n' : '\n';
}
