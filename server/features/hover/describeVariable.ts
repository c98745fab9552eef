// Facts about a variable: its declaration, who gives it other values, and how often it is read, in Markdown.
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { InstanceValues } from '../../renderer-core/model/instances.ts';
import { lineAndColumn, type Span } from '../../renderer-core/model/spans.ts';
import { shortForm } from '../../renderer-core/model/values.ts';
import { type VariableReads, variableReads } from '../../renderer-core/model/variableReads.ts';
import { code, plain, variableMarkdown } from './describe.ts';
import type { SourceFile } from './file.ts';
import { declaredVariable } from './instanceTarget.ts';

/** A composition file of the project; a SourceFile is one too. */
type Declaring = { path: string; composition: Composition };

const mostOverrides = 8;

/** Facts about a variable of `declaring`, as seen from `file`; null when it declares no such variable. */
export function variableFacts(file: SourceFile, declaring: Declaring, id: string): string | null {
  const declared = declaredVariable(declaring.composition, id);
  if (!declared) return null;
  const parts = [variableMarkdown(declared.declaration)];
  if (declaring.path !== file.path) parts.push(`Declared in ${link(file, declaring, declared.idSpan)}`);
  const overrides = overridesOf(file, declaring, id);
  if (overrides.length > 0) {
    const shown = overrides
      .slice(0, mostOverrides)
      .map(({ from, span, value }) => `- ${link(file, from, span)}: ${code(shortForm(value))}`);
    const more = overrides.length - shown.length;
    parts.push(`Overridden by\n${shown.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`);
  }
  parts.push(readFacts(declaring.composition, id));
  return parts.join('\n\n');
}

type Override = { from: Declaring; span: Span; value: unknown };

/** Every value that a host of any file, or an inline composition of the same one, gives to a variable. */
function overridesOf(file: SourceFile, declaring: Declaring, id: string): Override[] {
  const { project } = file;
  // By place: where formatting elements overlap, a parser makes several elements of one.
  const overrides = new Map<string, Override>();
  const add = (from: Declaring, values: InstanceValues | null) => {
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

function readFacts(composition: Composition, id: string): string {
  let reads = readsOf.get(composition);
  if (!reads) {
    reads = variableReads(composition);
    readsOf.set(composition, reads);
  }
  const count = reads.reads.filter((read) => read.id === id).length;
  const places = `${count} ${count === 1 ? 'place' : 'places'}`;
  if (reads.isComplete) return count === 0 ? 'Read nowhere' : `Read in ${places}`;
  return count === 0
    ? 'Read nowhere that can be seen; scripts may'
    : `Read in ${places}, and scripts may read it elsewhere`;
}

function link(file: SourceFile, { path, composition }: Declaring, span: Span): string {
  const { line } = lineAndColumn(composition.text, span.start);
  return `[${plain(path)}:${line}](<${file.uriOf(path)}#L${line}>)`;
}
