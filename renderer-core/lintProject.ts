// Lints the compositions of a folder and optionally applies the safe fixes.

import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UserError } from './errors.ts';
import { applyFixes } from './lint/applyFixes.ts';
import type { Finding, FindingSeverity, Fix } from './lint/finding.ts';
import { lintFile } from './lint/lintFile.ts';
import { createProject, isLinkedText, type ProjectFiles } from './lint/project.ts';
import { rules } from './lint/ruleTable.ts';
import { type LintSettings, type RuleLevel, readLintConfig } from './lint/settings.ts';
import type { Composition } from './model/composition.ts';
import { referenceBase, referenceCandidates } from './model/graph.ts';
import { configFile } from './model/projectConfig.ts';
import { indexLines, positionAt } from './model/text/spans.ts';
import { textEncodings } from './model/text/textEncodings.ts';
import { undecodable } from './project/decodeFile.ts';
import {
  decodeProjectFile,
  decodeProjectFiles,
  isHtmlPath,
  isProjectFile,
  listProjectFiles,
  readProjectText,
  replaceFile,
} from './project/projectFiles.ts';
import { findProject, groupByProject, noComposition, type ProjectFolder } from './project/projectRoots.ts';
import { readInside } from './project/readInside.ts';

export type LintOptions = {
  /** Levels by rule id; they override those of the project's `framework.json`. */
  rules?: Readonly<Record<string, RuleLevel>>;
  /** Apply the safe fixes and write the files. `dry-run` writes nothing and reports the changes in `fixed`. */
  fix?: boolean | 'dry-run';
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
};

/** A finding with lines and columns from 1; the end is exclusive. `file` is relative to the root of the report. */
export type LocatedFinding = Finding & { line: number; column: number; endLine: number; endColumn: number };

/** A file that fixes changed, with its text before and after. */
export type FixedFile = { file: string; before: string; after: string; fixes: readonly string[] };

export type LintReport = {
  /** The absolute path of the folder that all files are relative to. */
  root: string;
  /** The number of composition files that were checked. */
  files: number;
  /** Sorted by file, then by position. With `fix: true`: what is left after the fixes. */
  findings: LocatedFinding[];
  counts: Record<FindingSeverity, number>;
  fixed: FixedFile[];
  /** The texts of the files with findings, by path. */
  texts: ReadonlyMap<string, string>;
  /** HTML files that cannot be read: deleted or too large. */
  unreadable: string[];
};

/** Limit in case that fixes undo each other. */
const mostRounds = 10;

/**
 * Lints a project folder, every project in a folder of projects, or one HTML file. Throws UserError: `project_not_found`,
 * `composition_not_found` if there is nothing to lint, `config_invalid`, `usage` for an unknown rule, `output_unwritable`,
 * `cancelled`.
 */
export async function lintProject(dir: string, options: LintOptions = {}): Promise<LintReport> {
  try {
    return await lint(dir, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    throw new UserError('cancelled', 'The check was cancelled.', { cause: error });
  }
}

async function lint(dir: string, options: LintOptions): Promise<LintReport> {
  const { signal } = options;
  for (const id of Object.keys(options.rules ?? {})) {
    if (!rules.some((rule) => rule.id === id)) throw new UserError('usage', `Unknown rule "${id}"`);
  }
  const named = await findProject(dir);
  const all = await listProjectFiles(named.root, signal);
  const folders = named.file === undefined ? groupByProject(all) : [{ folder: '', files: all }];
  const report: LintReport = {
    root: named.root,
    files: 0,
    findings: [],
    counts: { error: 0, warning: 0, info: 0, hint: 0 },
    fixed: [],
    texts: new Map(),
    unreadable: [],
  };
  const texts = new Map<string, string>();
  const shared = await readSettings(named.root, '');
  const total = named.file === undefined ? all.filter(isHtmlPath).length : 1;
  for (const folder of folders) {
    const own = folder.folder === '' ? {} : await readSettings(named.root, folder.folder);
    const settings: LintSettings = { rules: { ...shared, ...own, ...options.rules } };
    await lintFolder({ folder, settings, options, report, texts, only: named.file, total });
  }
  if (report.files === 0) throw noComposition(dir, named.file);
  return { ...report, texts };
}

type FolderTask = {
  folder: ProjectFolder;
  settings: LintSettings;
  options: LintOptions;
  report: LintReport;
  texts: Map<string, string>;
  only: string | undefined;
  total: number;
};

async function lintFolder({ folder, settings, options, report, texts, only, total }: FolderTask): Promise<void> {
  const html = folder.files.filter(isHtmlPath);
  const root = join(report.root, folder.folder);
  const decoded = await decodeProjectFiles(root, folder.files.filter(isLinted), options.signal);
  const read = new Map([...decoded].map(([path, { text }]) => [path, text]));
  const project = createProject();
  project.setAssets(folder.files);
  project.setManifest((await readProjectText(root, configFile)) ?? null);
  for (const [path, { text, ...encoding }] of decoded) project.set(path, text, encoding);
  const compositions = project.files();
  const paths = only === undefined ? compositions : compositions.filter((path) => path === only);
  const unread = html.filter((path) => !read.has(path) && (only === undefined || path === only));
  report.unreadable.push(...unread.map((path) => posix.join(folder.folder, path)));
  const before = report.files;
  const unlisted = await unlistedFiles(project, paths, root, options.signal);
  project.setAssets([...folder.files, ...unlisted]);
  project.setUndecodable(undecodableFiles(project, paths, root));
  project.setOutside(outsideLinks(project, root));
  const onFile = (done: number) => options.onProgress?.({ done: Math.min(total, before + done), total });
  const current = new Map(read);
  const unfixed = await lintAll(project, paths, settings, options.signal, onFile);
  let findings = unfixed;
  if (options.fix) {
    const titles = new Map<string, string[]>();
    for (let round = 0; round < mostRounds; round++) {
      if (!fixRound(project, current, findings, titles, only)) break;
      findings = await lintAll(project, paths, settings, options.signal, () => undefined);
    }
    await reportFixes(folder.folder, read, current, titles, options, report);
  }
  report.files += paths.length;
  // A dry run writes nothing, so every problem is still in the files.
  const isDry = options.fix === 'dry-run';
  for (const finding of isDry ? unfixed : findings)
    addFinding(finding, folder.folder, isDry ? read : current, report, texts);
}

/**
 * Files that compositions refer to although they are not listed: in folders such as `node_modules`, and behind links to
 * folders. Adds the compositions and style sheets among them to the project.
 */
async function unlistedFiles(
  project: ProjectFiles,
  paths: readonly string[],
  root: string,
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const found = new Set<string>();
  const looked = new Set<string>();
  const queue = [...paths];
  // The loop adds to the queue.
  for (const [index, from] of queue.entries()) {
    await yieldToEventLoop(index, signal);
    for (const path of namedPaths(from, project.composition(from))) {
      if (looked.has(path) || project.exists(path) !== false) continue;
      looked.add(path);
      if (!(await isProjectFile(root, path))) continue;
      found.add(path);
      const file = isLinted(path) ? await decodeProjectFile(root, path) : undefined;
      if (file === undefined) continue;
      const { text, ...encoding } = file;
      project.set(path, text, encoding);
      queue.push(path);
    }
  }
  return found;
}

/** The paths that a composition may refer to. */
function namedPaths(from: string, composition: Composition | undefined): string[] {
  if (!composition) return [];
  const { assetReferences, hosts } = composition;
  return [...assetReferences, ...hosts.map(({ src }) => ({ url: src.text, span: src.span }))].flatMap(({ url, span }) =>
    referenceCandidates(referenceBase(from, composition, span.start), url),
  );
}

/** The messages about style sheets and scripts that the compositions load, by the path that they name. */
function undecodableFiles(project: ProjectFiles, paths: readonly string[], root: string): Map<string, string> {
  const compositions = new Map(
    paths.flatMap((path) => {
      const composition = project.composition(path);
      return composition ? [[path, composition] as const] : [];
    }),
  );
  const { invalid } = textEncodings(compositions, readInside(root));
  return new Map(
    invalid.map(({ file, loadedAs, decoded, offset }) => {
      const { message, place, hint } = undecodable(file, decoded, offset);
      return [loadedAs, `${message} (line ${place?.line}); ${hint}`];
    }),
  );
}

/** The files that compositions refer to and that are links to files outside the project folder. */
function outsideLinks(project: ProjectFiles, root: string): string[] {
  const { escapesProject } = readInside(root);
  const named = project.files().flatMap((from) => {
    const composition = project.composition(from);
    const values =
      composition?.declarations.map(({ default: value }) => (typeof value === 'string' ? value : '')) ?? [];
    return [...namedPaths(from, composition), ...values.flatMap((value) => referenceCandidates(from, value))];
  });
  return [...new Set(named)].filter(escapesProject);
}

/** Whether the linter reads the text of a file. */
const isLinted = (path: string): boolean => isHtmlPath(path) || isLinkedText(path);

/** Lets signals and other work run between files. */
async function yieldToEventLoop(index: number, signal: AbortSignal | undefined): Promise<void> {
  if (index % 16 === 0) await setImmediate();
  signal?.throwIfAborted();
}

async function lintAll(
  project: ProjectFiles,
  paths: readonly string[],
  settings: LintSettings,
  signal: AbortSignal | undefined,
  onFile: (done: number) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, path] of paths.entries()) {
    await yieldToEventLoop(index, signal);
    findings.push(...lintFile(project, path, settings));
    onFile(index + 1);
  }
  return findings;
}

/** Applies the safe fixes that do not overlap. Returns whether any text changed. */
function fixRound(
  project: ProjectFiles,
  current: Map<string, string>,
  findings: readonly Finding[],
  titles: Map<string, string[]>,
  only: string | undefined,
): boolean {
  // The bytes of characters that cannot be decoded would be lost.
  const isReadable = ({ file }: { file: string }) => typeof project.encoding(file)?.invalidAt !== 'number';
  const safe = findings.flatMap(({ fixes }) => fixes.find(({ isSafe }) => isSafe) ?? []);
  // When only one file is linted, change no other file.
  const wanted = safe.filter(({ edits }) =>
    edits.every((edit) => isReadable(edit) && (only === undefined || edit.file === only)),
  );
  const { texts, applied } = applyFixes(current, wanted);
  let hasChanged = false;
  for (const [path, text] of texts) {
    if (text === current.get(path)) continue;
    hasChanged = true;
    current.set(path, text);
    project.set(path, text, project.encoding(path));
  }
  for (const fix of applied) recordFix(fix, titles);
  return hasChanged;
}

function recordFix({ title, edits }: Fix, titles: Map<string, string[]>): void {
  for (const { file } of edits) titles.set(file, [...(titles.get(file) ?? []), title]);
}

async function reportFixes(
  folder: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  titles: ReadonlyMap<string, string[]>,
  options: LintOptions,
  report: LintReport,
): Promise<void> {
  for (const [path, text] of after) {
    const old = before.get(path) ?? '';
    if (text === old) continue;
    options.signal?.throwIfAborted();
    const file = posix.join(folder, path);
    if (options.fix === true) await replaceFile(join(report.root, file), text);
    report.fixed.push({ file, before: old, after: text, fixes: titles.get(path) ?? [] });
  }
}

function addFinding(
  finding: Finding,
  folder: string,
  current: ReadonlyMap<string, string>,
  report: LintReport,
  texts: Map<string, string>,
): void {
  const rooted = <Place extends { file: string }>(place: Place): Place => ({
    ...place,
    file: posix.join(folder, place.file),
  });
  const text = current.get(finding.file) ?? '';
  const lines = indexLines(text);
  const start = positionAt(lines, finding.span.start);
  const end = positionAt(lines, finding.span.end);
  const file = posix.join(folder, finding.file);
  texts.set(file, text);
  for (const related of finding.related) texts.set(posix.join(folder, related.file), current.get(related.file) ?? '');
  report.counts[finding.severity]++;
  report.findings.push({
    ...finding,
    file,
    related: finding.related.map(rooted),
    fixes: finding.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(rooted) })),
    ...start,
    endLine: end.line,
    endColumn: end.column,
  });
}

/** The levels in the configuration file of a folder; none without one. Throws UserError `config_invalid`. */
async function readSettings(root: string, folder: string): Promise<LintSettings['rules']> {
  const file = posix.join(folder, configFile);
  const text = await readFile(join(root, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadableConfig(file, error);
  });
  if (text === undefined) return {};
  const { settings, problems } = readLintConfig(
    text,
    rules.map(({ id }) => id),
  );
  const [problem] = problems;
  if (!problem) return settings.rules;
  throw new UserError('config_invalid', problem.message, {
    place: { file, line: problem.line, column: problem.column },
    hint: 'Set levels as {"lint": {"rules": {"<rule>": "off"}}}; docs/rules.md lists the rules.',
  });
}

function unreadableConfig(file: string, error: NodeJS.ErrnoException): UserError {
  const reason = { EACCES: 'permission denied', EISDIR: 'it is a folder' }[error.code ?? ''] ?? error.message;
  return new UserError('config_invalid', `Cannot read the file: ${reason}`, {
    place: { file },
    hint: 'Make the file readable, or delete it.',
    cause: error,
  });
}
