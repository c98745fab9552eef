// Why an ID cannot be that of a new or renamed variable.
import { lineAndColumn, type Span } from '../../../renderer-core/model/text/spans.ts';
import { hasCustomProperty, reservedId } from '../../../renderer-core/model/variables/values.ts';
import type { SourceFile } from '../sourceFile.ts';
import { sheetNames } from './cssNames.ts';
import { namesIn } from './names.ts';

/** The location in a message: `cards/intro.html, line 3`. */
export function where({ path, composition }: SourceFile, span: Span): string {
  return `${path}, line ${lineAndColumn(composition.text, span.start).line}`;
}

/** For variables and everything else that has an ID. */
export function idProblem(id: string): string | undefined {
  if (id === '') return 'An ID must not be empty.';
  return /\p{Cc}|\p{Surrogate}/u.test(id) ? 'An ID must not contain control characters.' : undefined;
}

/** `own`: the file that declares the variable, if it is known. */
export function variableIdProblem(own: SourceFile | undefined, id: string): string | undefined {
  if (id === reservedId) return `"${id}" is reserved and cannot be the ID of a variable.`;
  if (!hasCustomProperty(id)) {
    return `The ID of a variable must contain only the letters a to z, digits, - and _, because styles read it as a custom property --id (got "${id}").`;
  }
  const declared = own && namesIn(own.composition).variables.find((one) => one.id === id && one.isDeclaration);
  return declared && `"${id}" is already declared in ${where(own, declared.span)}.`;
}

/**
 * A custom property that a style declares itself would replace that of the variable. `uses`: those that a style only reads count
 * too, because they would change.
 */
export function takenCustomProperty(own: SourceFile, id: string, uses: boolean): string | undefined {
  for (const { text, span } of own.composition.styles) {
    if (!text.includes(`--${id}`)) continue;
    const taken = sheetNames(text).find(
      ({ kind, name, span: at }) => kind === 'property' && name === id && (uses || /^\s*[:{]/.test(text.slice(at.end))),
    );
    if (taken) {
      const reference = { start: span.start + taken.span.start, end: span.start + taken.span.end };
      return `The style in ${where(own, reference)} already uses a custom property --${id}.`;
    }
  }
  return undefined;
}
