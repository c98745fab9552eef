// Warnings of a render about content that looks or sounds different in a browser, as far as the files of the project show it.
import type { Composition, Script } from '../model/composition.ts';
import { type ProjectGraph, resolveReference } from '../model/graph.ts';
import { isAnimated, ownClocks } from '../model/ownClock.ts';
import { realTimeUses } from '../model/script/realTimeScript.ts';
import { isCode } from '../model/script/scriptSyntax.ts';
import { lineAndColumn } from '../model/text/spans.ts';

/** Reads a file by its project-relative path; undefined if it does not exist. */
type ReadFile = (path: string) => string | undefined;

/** Each with file, line and column. */
export function differencesFromPage(graph: ProjectGraph, read: ReadFile): string[] {
  const warnings = [...graph.files].flatMap(([file, composition]) => [
    ...clockWarnings(file, composition, read),
    ...composition.scripts.flatMap((script) => scriptWarnings(file, composition, script, read)),
  ]);
  return [...new Set(warnings)];
}

function clockWarnings(file: string, composition: Composition, read: ReadFile): string[] {
  return ownClocks(composition)
    .filter(({ source }) => {
      const path = source === undefined ? null : resolveReference(file, source);
      const text = path === null ? undefined : read(path);
      // A document in which nothing moves looks the same.
      return text === undefined || isAnimated(text);
    })
    .map(({ message, span }) => located(file, composition.text, span.start, message));
}

function scriptWarnings(file: string, { text }: Composition, script: Script, read: ReadFile): string[] {
  if (isCode(script))
    return realTimeUses(script.text).map(({ message, span }) =>
      located(file, text, script.span.start + span.start, message),
    );
  const path = script.src ? resolveReference(file, script.src.text) : null;
  const code = path === null || /node_modules/.test(path) ? undefined : read(path);
  if (path === null || code === undefined) return [];
  return realTimeUses(code).map(({ message, span }) => located(path, code, span.start, message));
}

export function located(file: string, text: string, offset: number, message: string): string {
  const { line, column } = lineAndColumn(text, offset);
  return `${file}:${line}:${column}: ${message}`;
}
