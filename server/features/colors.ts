// The color picker: on defaults of color variables, and on the values that instances give them.
import type { Color, ColorInformation, ColorPresentation, Range } from 'vscode-languageserver-types';
import type { InstanceValues } from '../../renderer-core/model/instances.ts';
import type { HtmlElement } from '../../renderer-core/model/text/html.ts';
import { type Span, textOf } from '../../renderer-core/model/text/spans.ts';
import { fitsType } from '../../renderer-core/model/variables/values.ts';
import type { VariableDeclaration } from '../../renderer-core/model/variables/variables.ts';
import { distinctByStart } from './distinctByStart.ts';
import { insideQuotes } from './names/spelling.ts';
import { rangeOf, type SourceFile, spanOf } from './sourceFile.ts';

/** Colors with the range of their `#rrggbb`, without quotes. */
export function colors(file: SourceFile): ColorInformation[] {
  const { variables, inlineCompositions, hosts, declarations, text } = file.composition;
  const found: ColorInformation[] = [];
  const add = (value: unknown, span: Span | undefined) => {
    if (!span || typeof value !== 'string' || !fitsType('color', value)) return;
    const inside = insideQuotes(text, span);
    // A color written with character references cannot be replaced.
    if (textOf(text, inside) === value) found.push({ range: rangeOf(file, inside), color: parse(value) });
  };
  const addValues = (values: InstanceValues | null, declared: readonly VariableDeclaration[]) => {
    const isColor = new Set(declared.flatMap(({ id, type }) => (type === 'color' ? id : [])));
    for (const { id, value, valueSpan } of values?.entries ?? []) if (isColor.has(id)) add(value, valueSpan);
  };
  for (const { declaration, fields } of variables.declared) {
    if (declaration.type === 'color') add(declaration.default, fields.default?.valueSpan);
  }
  for (const { values } of distinctByStart(inlineCompositions, startOf)) addValues(values, declarations);
  for (const { values, src } of distinctByStart(hosts, startOf)) {
    const target = file.project.target(file.path, src.text);
    const embedded = target === null ? undefined : file.project.composition(target);
    addValues(values, embedded?.declarations ?? []);
  }
  return found;
}

/** The `#rrggbb` form, in upper or lower case like the existing text. */
export function colorPresentations(file: SourceFile, color: Color, range: Range): ColorPresentation[] {
  const written = textOf(file.composition.text, spanOf(file, range));
  const hex = [color.red, color.green, color.blue].map(channel).join('');
  const label = `#${/[A-F]/.test(written) && !/[a-f]/.test(written) ? hex.toUpperCase() : hex}`;
  return [{ label, textEdit: { range, newText: label } }];
}

const startOf = ({ element }: { element: HtmlElement }): number => element.startTag.start;

function parse(hex: string): Color {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16) / 255;
  return { red: at(1), green: at(3), blue: at(5), alpha: 1 };
}

function channel(amount: number): string {
  const byte = Math.round(Math.max(0, Math.min(1, amount || 0)) * 255);
  return byte.toString(16).padStart(2, '0');
}
