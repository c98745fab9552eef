// The fix that declares a variable: it adds an item to the declarations, or the attribute itself.
import { attr } from '../model/attributes.ts';
import type { Composition } from '../model/composition.ts';
import type { HtmlElement } from '../model/text/html.ts';
import type { VariableDeclaration } from '../model/variables/variables.ts';
import { addAttribute, setAttribute } from './attributeEdits.ts';
import type { Fix } from './finding.ts';
import { addItem } from './jsonEdits.ts';

/** The element for declarations: `<html>`, or the root of a fragment. */
export function declarationsElement({ html, root }: Composition): HtmlElement | undefined {
  return html.children.find(({ tag }) => tag === 'html') ?? root ?? undefined;
}

/** Declares a variable in `file`; undefined if the declarations are invalid or there is no element for them. */
export function declareFix(file: string, composition: Composition, declaration: VariableDeclaration): Fix | undefined {
  const { variables, text } = composition;
  const title = `Declare "${declaration.id}" as ${declaration.type === 'enum' ? 'an' : 'a'} ${declaration.type}`;
  const done = (edit: Fix['edits'][number]['edits'][number]): Fix => ({
    title,
    edits: [{ file, edits: [edit] }],
    isSafe: false,
  });
  if (variables.span) {
    const array = variables.problem ? undefined : variables.json?.root;
    if (array?.kind === 'array') return done(addItem({ text, span: variables.span }, array, declaration));
    return undefined;
  }
  const element = declarationsElement(composition);
  if (!element) return undefined;
  const value = JSON.stringify([declaration]);
  const attribute = element.attributes.get(attr.compositionVariables);
  return done(attribute ? setAttribute(attribute, value) : addAttribute(element, attr.compositionVariables, value));
}
