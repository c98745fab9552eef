// The project graph: which composition file embeds which, over a port that reads files.
import { type Composition, parseComposition } from './composition.ts';
import type { Problem } from './fields.ts';
import type { Host } from './instances.ts';
import { percentDecode } from './percentText.ts';

export type GraphProblemCode = 'missing' | 'empty' | 'circular' | 'outside' | 'no-composition';

/** A problem of the graph; `span` lies in `file`. Where the entry itself is missing, `file` is the entry and the span 0 to 0. */
export type GraphProblem = Problem<GraphProblemCode> & { file: string };

/** One embedding: `target` is the file's path in the project, null when there is none to embed. */
export type Mount = { from: string; host: Host; target: string | null };

/** Files by project-relative POSIX path, in the order they are first reached; mounts in the order of their files and hosts. */
export type ProjectGraph = {
  entry: string;
  files: Map<string, Composition>;
  mounts: Mount[];
  problems: GraphProblem[];
};

/** A project has no more composition files than this. It ends a walk through a folder that links back into itself. */
export const maxFiles = 1000;

/** Reads a file of the project by its project-relative POSIX path; undefined when there is none. */
export type ReadFile = (path: string) => string | undefined;

/**
 * Builds the graph of everything that `entry` embeds, directly or not. Never throws unless `read` does. Each file is
 * read and parsed once, also when it is mounted many times or in a circle.
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
  // The queue grows while it is walked.
  for (const from of queue) {
    for (const host of graph.files.get(from)?.hosts ?? []) {
      const target = findTarget(graph, from, host, textAt);
      graph.mounts.push({ from, host, target });
      if (target === null || graph.files.has(target)) continue;
      if (graph.files.size >= maxFiles) {
        const message = `The project embeds more than ${maxFiles} composition files; does a folder link back into itself?`;
        graph.problems.push({ code: 'circular', severity: 'error', file: from, message, span: host.src.span });
        return graph;
      }
      graph.files.set(target, parseComposition(textAt(target) ?? ''));
      queue.push(target);
    }
  }
  checkTargets(graph);
  findCircles(graph);
  return graph;
}

/**
 * Resolves a reference in a file to a project-relative POSIX path: percent-decoded, without query and fragment, a
 * leading `/` meaning the project folder. Null for a URL of another place and for a path that leaves the project.
 */
export function resolveReference(fromFile: string, reference: string): string | null {
  const path = decodePath(reference);
  if (path === null) return null;
  return path.startsWith('/') ? normalize([], path) : normalize(fromFile.split('/').slice(0, -1), path);
}

/** The paths that a reference can mean, likeliest first: relative to its file, then to the project folder. */
export function referenceCandidates(fromFile: string, reference: string): string[] {
  const path = decodePath(reference);
  if (path === null) return [];
  const candidates = [resolveReference(fromFile, reference), normalize([], path)];
  return [...new Set(candidates.filter((candidate) => candidate !== null))];
}

function decodePath(reference: string): string | null {
  const text = reference.trim();
  if (/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(text)) return null;
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
    add('missing', 'The composition source is empty; it must be the path of a file');
    return null;
  }
  const candidates = referenceCandidates(from, src.text);
  const target = candidates.find((path) => textAt(path) !== undefined);
  if (target !== undefined) return target;
  if (candidates.length === 0) add('outside', `"${src.text}" is not a file inside the project folder`);
  else add('missing', `${src.text} does not exist; looked for ${candidates.join(' and ')}`);
  return null;
}

function checkEntry(graph: ProjectGraph, text: string): void {
  const composition = graph.files.get(graph.entry);
  const fault = composition && whatIsWrong(composition);
  if (!fault) return;
  const span = { start: 0, end: Math.min(1, text.length) };
  graph.problems.push({
    code: fault.code,
    severity: 'error',
    file: graph.entry,
    message: `${graph.entry} ${fault.message}`,
    span,
  });
}

/** A target that cannot be embedded is reported at every host that names it. */
function checkTargets(graph: ProjectGraph): void {
  for (const { from, host, target } of graph.mounts) {
    const composition = target === null ? undefined : graph.files.get(target);
    const fault = composition && whatIsWrong(composition);
    if (fault) {
      graph.problems.push({
        code: fault.code,
        severity: 'error',
        file: from,
        message: `${target} ${fault.message}`,
        span: host.src.span,
      });
    }
  }
}

function whatIsWrong(composition: Composition): { code: GraphProblemCode; message: string } | undefined {
  if (composition.text.trim() === '') return { code: 'empty', message: 'is empty' };
  if (!composition.root)
    return { code: 'no-composition', message: 'holds no composition: no element in it has a composition id' };
  return undefined;
}

/** Reports each mount that closes a circle, found by a depth-first walk with a stack of its own. */
function findCircles(graph: ProjectGraph): void {
  const mountsOf = new Map<string, Mount[]>();
  for (const mount of graph.mounts) {
    const same = mountsOf.get(mount.from);
    if (same) same.push(mount);
    else mountsOf.set(mount.from, [mount]);
  }
  const done = new Set<string>();
  const way = [{ file: graph.entry, next: 0 }];
  const onWay = new Set([graph.entry]);
  for (let top = way.at(-1); top; top = way.at(-1)) {
    const mount = mountsOf.get(top.file)?.[top.next++];
    if (!mount) {
      way.pop();
      onWay.delete(top.file);
      done.add(top.file);
    } else if (mount.target !== null && onWay.has(mount.target)) {
      const names = way.map(({ file }) => file);
      const circle = [...names.slice(names.indexOf(mount.target)), mount.target];
      const message = `${mount.target} embeds itself: ${circle.join(' → ')}`;
      graph.problems.push({
        code: 'circular',
        severity: 'error',
        file: mount.from,
        message,
        span: mount.host.src.span,
      });
    } else if (mount.target !== null && !done.has(mount.target)) {
      way.push({ file: mount.target, next: 0 });
      onWay.add(mount.target);
    }
  }
}
