// Reads `framework.json`, the configuration file of a project. Each reader ignores the keys of others.

import { hostPattern } from './hostPatterns.ts';
import type { AttributeText } from './text/attributeText.ts';
import { type JsonNode, jsonMember, readJson } from './text/jsonText.ts';
import { lineAndColumn, type Span } from './text/spans.ts';

/** The configuration file in the project folder. */
export const configFile = 'framework.json';

/** A problem in a configuration file. Its valid parts are still used. */
export type ConfigProblem = { message: string; span: Span; line: number; column: number };

/** A value in the file, with the name that messages have for it. */
export type NamedValue = { value: JsonNode; name: string };

export type ProjectConfig = {
  /** Undefined if the file is no JSON. */
  root: NamedValue | undefined;
  /** Style sheets with fonts of the project, relative to its folder. */
  fontSheets: { path: string; span: Span }[];
  /** The hosts that pages may load files from; undefined: any. An invalid list allows none. */
  allowHosts: string[] | undefined;
  problems: ConfigProblem[];
  complain(message: string, span: Span): void;
};

/** Reads the parts of the file that renders use. Never throws. */
export function readProjectConfig(text: string): ProjectConfig {
  const problems: ConfigProblem[] = [];
  const complain = (message: string, span: Span) =>
    void problems.push({ message, span, ...lineAndColumn(text, span.start) });
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const source: AttributeText = {
    text: text.slice(start),
    span: { start, end: text.length },
    quote: "'",
    steps: [0, start],
  };
  const { root: value, problem } = readJson(source, { isFile: true, name: configFile });
  if (problem) complain(problem.message, problem.span);
  const root = problem || !value ? undefined : { value, name: configFile };
  const fontSheets = root?.value.kind === 'object' ? readFontSheets(root.value, complain) : [];
  const allowHosts = root?.value.kind === 'object' ? readAllowHosts(root.value, complain) : undefined;
  return { root, fontSheets, allowHosts, problems, complain };
}

function readAllowHosts(root: JsonNode, complain: ProjectConfig['complain']): string[] | undefined {
  const list = jsonMember(root, 'allowHosts')?.value;
  if (!list) return undefined;
  if (list.kind !== 'array') {
    complain('"allowHosts" must be a JSON array of hosts, such as ["cdn.example.com"]', list.span);
    return [];
  }
  return list.items.flatMap(({ span, ...item }) => {
    const pattern = item.kind === 'string' ? hostPattern(item.value) : undefined;
    if (pattern !== undefined) return [pattern];
    complain('A host must be a name such as "cdn.example.com" or "*.example.com", without https://', span);
    return [];
  });
}

function readFontSheets(root: JsonNode, complain: ProjectConfig['complain']): ProjectConfig['fontSheets'] {
  const list = jsonMember(root, 'fonts')?.value;
  if (!list) return [];
  if (list.kind !== 'array') {
    complain('"fonts" must be a JSON array of paths of style sheets', list.span);
    return [];
  }
  return list.items.flatMap(({ span, ...item }) => {
    const path = item.kind === 'string' ? item.value : '';
    if (isPathInside(path)) return [{ path, span }];
    complain('A font sheet must be the path of a .css file in the project folder, such as "brand/fonts.css"', span);
    return [];
  });
}

const isPathInside = (path: string): boolean =>
  /\.css$/i.test(path) &&
  !/[\\?#:]/.test(path) &&
  path.split('/').every((name) => name !== '' && !name.startsWith('.'));

/** The object of a key; undefined if there is none. */
export function objectAt(
  parent: NamedValue | undefined,
  key: string,
  complain: ProjectConfig['complain'],
): NamedValue | undefined {
  if (!parent) return undefined;
  if (parent.value.kind !== 'object') {
    complain(`${parent.name} must contain a JSON object`, parent.value.span);
    return undefined;
  }
  const value = jsonMember(parent.value, key)?.value;
  if (value && value.kind !== 'object') complain(`"${key}" must be a JSON object`, value.span);
  return value?.kind === 'object' ? { value, name: `"${key}"` } : undefined;
}
