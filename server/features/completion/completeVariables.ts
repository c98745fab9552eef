// Completion of variables where code reads them: in the destructuring of `getVariables()`, and as custom properties.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import type { Span } from '../../renderer-core/model/spans.ts';
import type { VariableDeclaration } from '../../renderer-core/model/variables.ts';
import { itemAt } from './completionItems.ts';
import { variableDetail, variableMarkdown } from './describe.ts';
import type { SourceFile } from './file.ts';
import { type Place, scriptReads } from './place.ts';
import { snippetText } from './schemaParts.ts';

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u;

/** Ids that the pattern around the cursor does not name yet, with their declared defaults; or behind a dot the id alone. */
export function completeScript(file: SourceFile, place: Place & { kind: 'script' }): CompletionItem[] {
  const { read, span, script, isPattern } = place;
  const { reads, patterns } = scriptReads(script);
  const pattern = isPattern && patterns.find(({ start, end }) => start < span.end && span.start < end);
  const isThere = (id: string) =>
    pattern &&
    reads.some(
      (other) =>
        other !== read && other.id === id && pattern.start <= other.span.start && other.span.end <= pattern.end,
    );
  const isQuoted = /["'`]/.test(file.composition.text[span.start - 1] ?? '');
  return file.composition.declarations
    .filter(({ id }) => (isPattern ? !isThere(id) : isQuoted || identifier.test(id)))
    .map((declaration, sort) => {
      const { id } = declaration;
      // What is there keeps its default and its local name.
      const isNew = isPattern && !isQuoted && !(read && (read.default || !read.isShorthand));
      const key = isQuoted || identifier.test(id) ? id : JSON.stringify(id);
      return itemAt(file, span, {
        label: id,
        text: isNew ? destructured(declaration) : key,
        isSnippet: isNew,
        kind: CompletionItemKind.Variable,
        detail: variableDetail(declaration),
        documentation: variableMarkdown(declaration),
        sort,
      });
    });
}

/** `title = "Hello"`, a snippet. The default in the script is the declared one, as the contract asks. */
function destructured({ id, default: value }: VariableDeclaration): string {
  const text = value === undefined ? '' : ` = ${JSON.stringify(value).replaceAll('</', '<\\/')}`;
  const name = identifier.test(id) ? snippetText(id) : `${snippetText(JSON.stringify(id))}: \${1:name}`;
  return name + snippetText(text);
}

/** Custom properties of the variables; `span` covers the name behind the hyphens. */
export function completeProperty(file: SourceFile, span: Span): CompletionItem[] {
  const whole = { start: span.start - 2, end: span.end };
  return file.composition.declarations.map((declaration, sort) =>
    itemAt(file, whole, {
      label: `--${declaration.id}`,
      kind: CompletionItemKind.Variable,
      detail: variableDetail(declaration),
      documentation: variableMarkdown(declaration),
      sort,
    }),
  );
}
