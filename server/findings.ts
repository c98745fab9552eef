// Caches the linter's findings for each file until something changes that they depend on.
import type { Finding } from '../renderer-core/lint/finding.ts';
import { lintFile } from '../renderer-core/lint/lintFile.ts';
import type { Project } from '../renderer-core/lint/project.ts';
import { defaultSettings, isRuleLevel, type LintSettings, readLintConfig } from '../renderer-core/lint/settings.ts';
import type { Composition } from '../renderer-core/model/composition.ts';
import type { FolderProject } from './projects/folder.ts';
import type { OwnedFile } from './projects/projects.ts';
import type { Settings } from './protocol.ts';

export type Findings = {
  /** The findings of a file: the same array as before if nothing has changed that they depend on. */
  of(file: OwnedFile): readonly Finding[];
  /** The editor's settings, overridden by the project's manifest. */
  settingsOf(project: FolderProject): LintSettings;
  setSettings(settings: Settings): void;
};

type CachedFindings = { findings: readonly Finding[]; settings: LintSettings; isCurrent: () => boolean };

type Rules = LintSettings['rules'];

export function createFindings(): Findings {
  const kept = new WeakMap<Composition, CachedFindings>();
  let settings: Settings = {};
  let byManifest = new Map<string | null, LintSettings>();
  const settingsOf = ({ manifest }: FolderProject): LintSettings => {
    const known = byManifest.get(manifest);
    if (known) return known;
    const chosen = combine(settings, manifest);
    byManifest.set(manifest, chosen);
    return chosen;
  };
  return {
    settingsOf,
    setSettings(next) {
      settings = next;
      byManifest = new Map();
    },
    of({ composition, path, project, owner }) {
      const chosen = settingsOf(owner);
      const before = kept.get(composition);
      if (before && before.settings === chosen && before.isCurrent()) return before.findings;
      const { watched, isCurrent } = watch(project);
      const findings = lintFile(watched, path, chosen);
      kept.set(composition, { findings, settings: chosen, isCurrent });
      return findings;
    },
  };
}

function combine({ lint }: Settings, manifest: string | null): LintSettings {
  // Users type the editor's settings, so invalid levels can occur.
  const given = Object.entries(lint?.rules ?? {}).filter(([, level]) => isRuleLevel(level));
  const rules: Rules = { ...defaultSettings.rules, ...Object.fromEntries(given) };
  return { rules: manifest === null ? rules : { ...rules, ...readLintConfig(manifest).settings.rules } };
}

/** A project that records its results, and a function that checks whether it would return the same results again. */
function watch(project: Project): { watched: Project; isCurrent: () => boolean } {
  const results = new Map<string, { query: () => unknown; result: unknown }>();
  const record = <Result>(key: string, query: () => Result): Result => {
    const known = results.get(key);
    if (known) return known.result as Result;
    const result = query();
    results.set(key, { query, result });
    return result;
  };
  const watched: Project = {
    files: () => record('files', project.files),
    composition: (path) => record(`composition ${path}`, () => project.composition(path)),
    encoding: (path) => record(`encoding ${path}`, () => project.encoding(path)),
    undecodable: (path) => record(`undecodable ${path}`, () => project.undecodable(path)),
    exists: (path) => record(`exists ${path}`, () => project.exists(path)),
    isOutside: (path) => record(`outside ${path}`, () => project.isOutside(path)),
    assets: () => record('assets', project.assets),
    target: (from, source) => record(`target ${from}\n${source}`, () => project.target(from, source)),
    embeddersOf: (path) => record(`embedders ${path}`, () => project.embeddersOf(path)),
    styleSheet: (path) => record(`style sheet ${path}`, () => project.styleSheet(path)),
    captions: (path) => record(`captions ${path}`, () => project.captions(path)),
    fontSheets: () => record('font sheets', project.fontSheets),
  };
  return { watched, isCurrent: () => [...results.values()].every(({ query, result }) => isSame(query(), result)) };
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
