// Whose variables a `data-variable-values` gives values to.
import { attr } from '../../renderer-core/model/attributes.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import type { DeclaredVariable } from '../../renderer-core/model/variables.ts';
import { targetOf } from './clipTimes.ts';
import type { SourceFile } from './file.ts';

/** The file that declares the variables: the embedded one, or for a composition written out inside this one, this one. */
export function declaringFile(
  file: SourceFile,
  element: HtmlElement,
): { path: string; composition: SourceFile['composition'] } | undefined {
  if (element.attributes.has(attr.compositionSrc)) return targetOf(file, element);
  return { path: file.path, composition: file.composition };
}

/** A variable of a composition with its places. */
export function declaredVariable(composition: SourceFile['composition'], id: string): DeclaredVariable | undefined {
  return composition.variables.declared.find(({ declaration }) => declaration.id === id);
}
