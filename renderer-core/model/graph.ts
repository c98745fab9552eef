// The project graph: which composition file embeds which. Files are read through a function.
import { attr } from './attributes.ts';
import { type Composition, parseComposition, type Script } from './composition.ts';
import type { Host } from './instances.ts';
import { percentDecode } from './text/percentText.ts';
import type { Span } from './text/spans.ts';
import type { Problem } from './variables/fields.ts';
import { isPlaceholder } from './variables/placeholders.ts';

export type GraphProblemCode = 'missing' | 'empty' | 'circular' | 'outside' | 'no-composition' | 'module-script';

/** A problem of the graph at `span` in `file`. If the entry is missing, `file` is the entry and the span is empty. */
export type GraphProblem = Problem<GraphProblemCode> & { file: string };

/** One embedded file: `target` is its project path, or null if there is no such file. */
export type Mount = { from: string; host: Host; target: string | null };

/** Files by project-relative POSIX path, in the order in which they are found; mounts in the order of files and hosts. */
export type ProjectGraph = {
  entry: string;
  files: Map<string, Composition>;
  mounts: Mount[];
  problems: GraphProblem[];
};

/** Maximum number of composition files. It ends the walk if a folder links back into itself. */
export const maxFiles = 1000;

/** Reads a file by its project-relative POSIX path; undefined if it does not exist. */
export type ReadFile = (path: string) => string | undefined;

/**
 * Builds the graph of all files that `entry` embeds, directly or indirectly. Throws only if `read` does. Each file is read
 * and parsed once, also if it is mounted several times or in a cycle.
 */
export function buildGraph(entry: string, read: ReadFile): ProjectGraph {
  const graph: ProjectGraph = { entry, files: new Map(), mounts: [], problems: [] };
  const texts = new Map<string, string | undefined>();
  const textAt = (path: string) => {
    if (!texts.has(path)) texts.set(path, read(path));
    return texts.get(path);
  };
  const entryText = textAt(entry);
  if (entryText === undefined) {
    graph.problems.push({
      code: 'missing',
      severity: 'error',
      file: entry,
      message: `${entry} does not exist`,
      span: { start: 0, end: 0 },
    });
    return graph;
  }
  const queue = [entry];
  graph.files.set(entry, parseComposition(entryText));
  checkEntry(graph, entryText);
  // The loop adds to the queue.
  for (const from of queue) {
    for (const host of graph.files.get(from)?.hosts ?? []) {
      const target = findTarget(graph, from, host, textAt);
      graph.mounts.push({ from, host, target });
      if (target === null || graph.files.has(target)) continue;
      if (graph.files.size >= maxFiles) {
        const message = `The project embeds more than ${maxFiles} composition files; check for a folder that links back into itself`;
        graph.problems.push({ code: 'circular', severity: 'error', file: from, message, span: host.src.span });
        return graph;
      }
      graph.files.set(target, parseComposition(textAt(target) ?? ''));
      queue.push(target);
    }
  }
  checkTargets(graph);
  findCycles(graph);
  return graph;
}

/**
 * What the references of a composition file are relative to: the file, or the URL of its `<base href>`, which is the path
 * of a file in the project, existing or not, or a URL of another host. `offset`: the position of the reference;
 * by default it is after the `<base>`.
 */
export function referenceBase(
  file: string,
  { base }: Pick<Composition, 'base'>,
  offset = Number.POSITIVE_INFINITY,
): string {
  if (!base || offset < base.start || /^\s*(?:data|javascript):/i.test(base.url)) return file;
  // A template engine decides.
  if (isPlaceholder(base.url)) return 'unknown:';
  if (hasScheme(base.url)) return base.url.trim();
  const path = decodePath(base.url) ?? '';
  if (path === '') return file;
  // The name of a file, so that the result is not empty for the project folder.
  const named = path.startsWith('/') ? path : [...folderOf(file), path].join('/');
  return normalize([], /(?:^|\/)\.{0,2}$/.test(named) ? `${named}/index.html` : named) ?? 'index.html';
}

/** Whether the result of `referenceBase` is not in the project. */
export const isOnOtherHost = (base: string): boolean => hasScheme(base);

/** The URL of a reference whose base is on another host; undefined for a reference that is relative to the project. */
export function remoteReference(base: string, reference: string): string | undefined {
  // Pages are served over http.
  const absolute = base.replace(/^[\\/]{2}/, 'http://');
  if (!hasScheme(base) || !URL.canParse(reference, absolute)) return undefined;
  return new URL(reference, absolute).href;
}

/**
 * Resolves a reference in a file to a project-relative POSIX path, percent-decoded and without query and fragment. A
 * leading `/` is the project folder. Null for URLs with a scheme or host and for paths outside the project.
 */
export function resolveReference(fromFile: string, reference: string): string | null {
  const path = decodePath(reference);
  if (path === null || hasScheme(fromFile)) return null;
  return path.startsWith('/') ? normalize([], path) : normalize(folderOf(fromFile), path);
}

/** The paths that a reference can resolve to: relative to its file, then relative to the project folder. */
export function referenceCandidates(fromFile: string, reference: string): string[] {
  const path = decodePath(reference);
  if (path === null || hasScheme(fromFile)) return [];
  const candidates = [resolveReference(fromFile, reference), normalize([], path)];
  return [...new Set(candidates.filter((candidate) => candidate !== null))];
}

/** Whether a relative reference leads out of the project folder. */
export function leadsOutside(base: string, reference: string): boolean {
  const path = decodePath(reference);
  // A reference without a name is the folder itself.
  return path !== null && !/^[/.]*$/.test(path) && referenceCandidates(base, reference).length === 0;
}

/** The path that a browser requests for a reference: it ignores what leads out of the folder. Null for other hosts. */
export function requestedPath(base: string, reference: string): string | null {
  const path = decodePath(reference);
  if (path === null) return null;
  const parts: string[] = [];
  for (const part of [...(path.startsWith('/') ? [] : folderOf(base)), ...path.split('/')]) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const folderOf = (file: string): string[] => file.split('/').slice(0, -1);

/** Whether a URL has a scheme or a host. */
const hasScheme = (url: string): boolean => /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(url);

function decodePath(reference: string): string | null {
  const text = reference.trim();
  if (hasScheme(text)) return null;
  return percentDecode(text.replace(/[?#].*$/s, '')).replaceAll('\\', '/');
}

function normalize(folder: readonly string[], path: string): string | null {
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 0 ? null : parts.join('/');
}

function findTarget(graph: ProjectGraph, from: string, host: Host, textAt: ReadFile): string | null {
  const { src } = host;
  const add = (code: GraphProblemCode, message: string) =>
    graph.problems.push({ code, severity: 'error', file: from, message, span: src.span });
  if (src.text === '') {
    add('missing', `${attr.compositionSrc} must be the path of a file (got an empty value)`);
    return null;
  }
  const base = referenceBase(from, graph.files.get(from) ?? { base: null }, src.span.start);
  const candidates = referenceCandidates(base, src.text);
  const target = candidates.find((path) => textAt(path) !== undefined);
  if (target !== undefined) return target;
  if (candidates.length === 0) add('outside', `"${src.text}" is not a file inside the project folder`);
  else add('missing', `${src.text} does not exist; looked for ${candidates.join(' and ')}`);
  return null;
}

function checkEntry(graph: ProjectGraph, text: string): void {
  const composition = graph.files.get(graph.entry);
  const problem = composition && findProblem(composition);
  if (!problem) return;
  const span = { start: 0, end: Math.min(1, text.length) };
  graph.problems.push({
    code: problem.code,
    severity: 'error',
    file: graph.entry,
    message: `${graph.entry} ${problem.message}`,
    span,
  });
}

/** The module scripts of an embedded file. The page would load a module once for all mounts, outside of their scopes. */
export function embeddedModules({ scripts }: Composition): { script: Script; message: string; span: Span }[] {
  return scripts.flatMap((script) => {
    const type = script.element.attributes.get('type');
    return script.isModule && type ? [{ script, message: moduleMessage(), span: type.span }] : [];
  });
}

const moduleMessage = () =>
  'An embedded file must not have module scripts, because a module runs once for all mounts and cannot see its own; use a classic script';

/** Reports a target that cannot be embedded at every host that refers to it, and modules in their file. */
function checkTargets(graph: ProjectGraph): void {
  for (const { from, host, target } of graph.mounts) {
    const composition = target === null ? undefined : graph.files.get(target);
    const problem = composition && findProblem(composition);
    if (problem) {
      graph.problems.push({
        code: problem.code,
        severity: 'error',
        file: from,
        message: `${target} ${problem.message}`,
        span: host.src.span,
      });
    }
  }
  for (const file of new Set(graph.mounts.map(({ target }) => target))) {
    const composition = file === null ? undefined : graph.files.get(file);
    if (file === null || !composition) continue;
    for (const { message, span } of embeddedModules(composition))
      graph.problems.push({ code: 'module-script', severity: 'error', file, message, span });
  }
}

function findProblem(composition: Composition): { code: GraphProblemCode; message: string } | undefined {
  if (composition.text.trim() === '') return { code: 'empty', message: 'is empty' };
  if (!composition.root)
    return { code: 'no-composition', message: `contains no composition: no element has ${attr.compositionId}` };
  return undefined;
}

/** Reports each mount that closes a cycle. Depth-first with an explicit stack, because chains can be long. */
function findCycles(graph: ProjectGraph): void {
  const mountsOf = new Map<string, Mount[]>();
  for (const mount of graph.mounts) {
    const same = mountsOf.get(mount.from);
    if (same) same.push(mount);
    else mountsOf.set(mount.from, [mount]);
  }
  const done = new Set<string>();
  const path = [{ file: graph.entry, next: 0 }];
  const onPath = new Set([graph.entry]);
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const mount = mountsOf.get(top.file)?.[top.next++];
    if (!mount) {
      path.pop();
      onPath.delete(top.file);
      done.add(top.file);
    } else if (mount.target !== null && onPath.has(mount.target)) {
      const names = path.map(({ file }) => file);
      const cycle = [...names.slice(names.indexOf(mount.target)), mount.target];
      const message = `${mount.target} embeds itself: ${cycle.join(' → ')}`;
      graph.problems.push({
        code: 'circular',
        severity: 'error',
        file: mount.from,
        message,
        span: mount.host.src.span,
      });
    } else if (mount.target !== null && !done.has(mount.target)) {
      path.push({ file: mount.target, next: 0 });
      onPath.add(mount.target);
    }
  }
}
