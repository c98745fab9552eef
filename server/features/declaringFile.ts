// Finds the file that declares the variables of a `data-variable-values` attribute.
import { attr } from '../../renderer-core/model/attributes.ts';
import type { HtmlElement } from '../../renderer-core/model/text/html.ts';
import type { DeclaredVariable } from '../../renderer-core/model/variables/variables.ts';
import { targetOf } from './clipTimes.ts';
import type { SourceFile } from './sourceFile.ts';

/** The embedded file; for an inline composition, the file itself. */
export function declaringFile(
  file: SourceFile,
  element: HtmlElement,
): { path: string; composition: SourceFile['composition'] } | undefined {
  if (element.attributes.has(attr.compositionSrc)) return targetOf(file, element);
  return { path: file.path, composition: file.composition };
}

export function declaredVariable(composition: SourceFile['composition'], id: string): DeclaredVariable | undefined {
  return composition.variables.declared.find(({ declaration }) => declaration.id === id);
}
