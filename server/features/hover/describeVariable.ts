// Describes a variable: its declaration, values that override its default, and the number of reads, in Markdown.
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { InstanceValues } from '../../../renderer-core/model/instances.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { passedName } from '../../../renderer-core/model/variables/passedValues.ts';
import { formatValue } from '../../../renderer-core/model/variables/values.ts';
import { type VariableReads, variableReads } from '../../../renderer-core/model/variables/variableReads.ts';
import { declaredVariable } from '../declaringFile.ts';
import type { SourceFile } from '../sourceFile.ts';
import { type CompositionFile, linkTo, summarizeArrivals } from './describePassed.ts';
import { inlineCode, variableMarkdown } from './descriptions.ts';

const maxOverrides = 8;

/** Describes a variable that `declaring` declares, for a hover in `file`; null if there is no such declaration. */
export function describeVariable(file: SourceFile, declaring: CompositionFile, id: string): string | null {
  const declared = declaredVariable(declaring.composition, id);
  if (!declared) return null;
  const parts = [variableMarkdown(declared.declaration)];
  if (declaring.path !== file.path) parts.push(`Declared in ${linkTo(file, declaring, declared.idSpan)}`);
  const overrides = overridesOf(file, declaring, id);
  if (overrides.length > 0) {
    const shown = overrides
      .slice(0, maxOverrides)
      .map(({ from, span, value }) => `- ${linkTo(file, from, span)}: ${overrideText(file, from, value)}`);
    const more = overrides.length - shown.length;
    parts.push(`Overridden by\n${shown.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`);
  }
  parts.push(describeReads(declaring.composition, id));
  return parts.join('\n\n');
}

/** A value, or a reference with the values that it passes on. */
function overrideText(file: SourceFile, from: CompositionFile, value: unknown): string {
  const name = passedName(value);
  if (name === undefined) return inlineCode(formatValue(value));
  return `${inlineCode(String(value).trim())}, ${summarizeArrivals(file, from, name)}`;
}

type Override = { from: CompositionFile; span: Span; value: unknown };

/** Every value that a host in any file, or an inline composition in the same file, gives to a variable. */
function overridesOf(file: SourceFile, declaring: CompositionFile, id: string): Override[] {
  const { project } = file;
  // Keyed by position: for overlapping formatting elements, a parser creates several elements of one.
  const overrides = new Map<string, Override>();
  const add = (from: CompositionFile, values: InstanceValues | null) => {
    for (const entry of values?.entries ?? []) {
      if (entry.id === id) overrides.set(`${entry.span.start} ${from.path}`, { from, ...entry });
    }
  };
  for (const { values } of declaring.composition.inlineCompositions) add(declaring, values);
  for (const path of project.embeddersOf(declaring.path)) {
    const composition = project.composition(path);
    for (const { src, values } of composition?.hosts ?? []) {
      if (composition && values && project.target(path, src.text) === declaring.path)
        add({ path, composition }, values);
    }
  }
  return [...overrides.values()];
}

const readsOf = new WeakMap<Composition, VariableReads>();

function describeReads(composition: Composition, id: string): string {
  let reads = readsOf.get(composition);
  if (!reads) {
    reads = variableReads(composition);
    readsOf.set(composition, reads);
  }
  const count = reads.reads.filter((read) => read.id === id).length;
  const places = `${count} ${count === 1 ? 'place' : 'places'}`;
  if (reads.isComplete) return count === 0 ? 'Never read' : `Read in ${places}`;
  return count === 0
    ? 'No reads found, but scripts may read it dynamically'
    : `Read in ${places}; scripts may also read it dynamically`;
}
