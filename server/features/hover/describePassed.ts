// Describes the values that arrive through a reference in `data-variable-values`, and the layer that each comes from.
import type { Composition } from '../../../renderer-core/model/composition.ts';
import { lineAndColumn, type Span } from '../../../renderer-core/model/text/spans.ts';
import { passedName } from '../../../renderer-core/model/variables/passedValues.ts';
import { formatValue } from '../../../renderer-core/model/variables/values.ts';
import { declaredVariable } from '../declaringFile.ts';
import type { SourceFile } from '../sourceFile.ts';
import { escapeMarkdown, inlineCode } from './descriptions.ts';

/** A composition file of the project. A SourceFile is assignable to it. */
export type CompositionFile = { path: string; composition: Composition };

/** A value of a variable: its declared default, or what a host gives. `isTop`: no file embeds the one that declares it. */
type Arrival = { value: unknown; layer: 'default' | 'host'; from: CompositionFile; span: Span; isTop: boolean };

const maxArrivals = 8;

/** The values that a variable of `declaring` can have, as a Markdown list; '' if it has none. */
export function describeArrivals(file: SourceFile, declaring: CompositionFile, id: string): string {
  const arrivals = arrivingValues(file, declaring, id);
  const lines = arrivals
    .slice(0, maxArrivals)
    .map((arrival) => `- ${inlineCode(formatValue(arrival.value))}: ${layerText(file, arrival)}`);
  const more = arrivals.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

/** One value with its layer, or the number of values, for a list of variables. */
export function summarizeArrivals(file: SourceFile, declaring: CompositionFile, id: string): string {
  const arrivals = arrivingValues(file, declaring, id);
  const [only] = arrivals;
  if (!only) return 'no value';
  if (arrivals.length > 1) return `${arrivals.length} values`;
  return `${inlineCode(formatValue(only.value))} (${only.layer === 'default' ? 'default' : 'host value'} in ${escapeMarkdown(only.from.path)})`;
}

function layerText(file: SourceFile, { layer, from, span, isTop }: Arrival): string {
  const link = linkTo(file, from, span);
  if (layer === 'host') return `host value in ${link}`;
  return `declared default in ${link}${isTop ? '; the command line or a batch row can replace it' : ''}`;
}

function arrivingValues(file: SourceFile, declaring: CompositionFile, id: string): Arrival[] {
  const found = new Map<string, Arrival>();
  const visited = new Set<string>();
  const visit = (own: CompositionFile, name: string): void => {
    if (visited.has(`${own.path}\n${name}`)) return;
    visited.add(`${own.path}\n${name}`);
    const hosts = hostsOf(file, own.path);
    const isGivenByAll = hosts.length > 0 && hosts.every(({ entry }) => entry(name));
    const declared = declaredVariable(own.composition, name);
    const value = declared?.declaration.default;
    if (!isGivenByAll && declared && value !== undefined) {
      const span = declared.fields.default?.valueSpan ?? declared.idSpan;
      found.set(keyOf(own, span), { value, layer: 'default', from: own, span, isTop: hosts.length === 0 });
    }
    for (const { from, entry } of hosts) {
      const given = entry(name);
      const passed = given && passedName(given.value);
      if (passed !== undefined) visit(from, passed);
      else if (given) {
        const { value: literal, valueSpan: span } = given;
        found.set(keyOf(from, span), { value: literal, layer: 'host', from, span, isTop: false });
      }
    }
  };
  visit(declaring, id);
  return [...found.values()];
}

const keyOf = ({ path }: CompositionFile, { start }: Span): string => `${start} ${path}`;

/** The hosts that embed a file. `entry` is the value that counts for a variable. */
function hostsOf({ project }: SourceFile, target: string) {
  return project.embeddersOf(target).flatMap((path) => {
    const composition = project.composition(path);
    const hosts = composition?.hosts.filter(({ src }) => project.target(path, src.text) === target) ?? [];
    return hosts.flatMap(({ values }) => {
      const entry = (id: string) => values?.entries.findLast((each) => each.id === id);
      return composition ? [{ from: { path, composition }, entry }] : [];
    });
  });
}

export function linkTo(file: SourceFile, { path, composition }: CompositionFile, span: Span): string {
  const { line } = lineAndColumn(composition.text, span.start);
  return `[${escapeMarkdown(path)}:${line}](<${file.uriOf(path)}#L${line}>)`;
}
