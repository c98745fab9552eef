// Writes draft values into the declarations of a composition as its defaults.
import type { TextEdit } from 'vscode-languageserver-types';
import { addMember, type JsonLocation, replaceJson } from '../../../renderer-core/lint/jsonEdits.ts';
import { checkValue } from '../../../renderer-core/model/variables/values.ts';
import type { DeclaredVariable } from '../../../renderer-core/model/variables/variables.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';

/** `written`: IDs with an edit. `left`: IDs that are not declared here, or whose value is invalid. */
export type DefaultEdits = { edits: TextEdit[]; written: string[]; left: string[] };

/** Replaces only values, to keep the author's formatting. Unchanged defaults need no edit. */
export function defaultEdits(file: SourceFile, values: Readonly<Record<string, unknown>>): DefaultEdits {
  const { text, variables } = file.composition;
  const found: DefaultEdits = { edits: [], written: [], left: [] };
  for (const [id, value] of Object.entries(values)) {
    const variable = variables.declared.find(({ declaration }) => declaration.id === id);
    if (!variable || !variables.span || checkValue(variable.declaration, value)) found.left.push(id);
    else if (variable.declaration.default !== value) {
      const edit = defaultEdit({ text, span: variables.span }, file, variable, value);
      if (edit) found.edits.push(textEdit(file, edit));
      (edit ? found.written : found.left).push(id);
    }
  }
  return found;
}

function defaultEdit(
  place: JsonLocation,
  { composition }: SourceFile,
  { fields, span }: DeclaredVariable,
  value: unknown,
) {
  if (fields.default) return replaceJson(place, fields.default.valueSpan, value);
  const { root } = composition.variables.json ?? {};
  const node = root?.kind === 'array' ? root.items.find((item) => item.span.start === span.start) : undefined;
  return node?.kind === 'object' ? addMember(place, node, 'default', value) : undefined;
}
