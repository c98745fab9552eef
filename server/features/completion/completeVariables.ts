// Completion of variables where code reads them: in the result of `getVariables()`, and as custom properties.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { type CursorContext, scriptReads } from '../cursorContext.ts';
import { variableDetail, variableMarkdown } from '../hover/descriptions.ts';
import { snippetText } from '../schemas/schemaParts.ts';
import type { SourceFile } from '../sourceFile.ts';
import { itemAt } from './completionItems.ts';

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u;

/** In a destructuring pattern, offers the IDs that are not in it yet, with their defaults; after a dot, only the ID. */
export function completeScript(file: SourceFile, context: CursorContext & { kind: 'script' }): CompletionItem[] {
  const { read, span, script, isPattern } = context;
  const { reads, patterns } = scriptReads(script);
  const pattern = isPattern && patterns.find(({ start, end }) => start < span.end && span.start < end);
  const isInPattern = (id: string) =>
    pattern &&
    reads.some(
      (other) =>
        other !== read && other.id === id && pattern.start <= other.span.start && other.span.end <= pattern.end,
    );
  const isQuoted = /["'`]/.test(file.composition.text[span.start - 1] ?? '');
  return file.composition.declarations
    .filter(({ id }) => (isPattern ? !isInPattern(id) : isQuoted || identifier.test(id)))
    .map((declaration, sort) => {
      const { id } = declaration;
      // Existing code keeps its default and its local name.
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

/** The snippet `title = "Hello"`. The default in the script must equal the declared one. */
function destructured({ id, default: value }: VariableDeclaration): string {
  const text = value === undefined ? '' : ` = ${JSON.stringify(value).replaceAll('</', '<\\/')}`;
  const name = identifier.test(id) ? snippetText(id) : `${snippetText(JSON.stringify(id))}: \${1:name}`;
  return name + snippetText(text);
}

/** Offers the custom properties of all variables. `span` covers the name after the hyphens. */
export function completeCustomProperty(file: SourceFile, span: Span): CompletionItem[] {
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
