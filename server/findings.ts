// What the linter says about each file, kept until something changes that it has looked at.
import type { Finding } from '../renderer-core/lint/finding.ts';
import { lintFile } from '../renderer-core/lint/lintFile.ts';
import type { Project } from '../renderer-core/lint/project.ts';
import { defaultSettings, isRuleLevel, type LintSettings, readLintConfig } from '../renderer-core/lint/settings.ts';
import type { Composition } from '../renderer-core/model/composition.ts';
import type { FolderProject } from './folder.ts';
import type { OwnedFile } from './projects.ts';
import type { Settings } from './protocol.ts';

export type Findings = {
  /** The findings of a file. The same list as before when nothing has changed that they depend on. */
  of(file: OwnedFile): readonly Finding[];
  /** What the editor's settings and the project's manifest say, the manifest last. */
  settingsOf(project: FolderProject): LintSettings;
  setSettings(settings: Settings): void;
};

type Kept = { findings: readonly Finding[]; settings: LintSettings; isCurrent: () => boolean };

type Rules = LintSettings['rules'];

export function createFindings(): Findings {
  const kept = new WeakMap<Composition, Kept>();
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
  // Whatever stands in the editor's settings: people type them.
  const given = Object.entries(lint?.rules ?? {}).filter(([, level]) => isRuleLevel(level));
  const rules: Rules = { ...defaultSettings.rules, ...Object.fromEntries(given) };
  return { rules: manifest === null ? rules : { ...rules, ...readLintConfig(manifest).settings.rules } };
}

/** A project that remembers what it has been asked, and can say whether it would answer the same again. */
function watch(project: Project): { watched: Project; isCurrent: () => boolean } {
  const answers = new Map<string, { ask: () => unknown; answer: unknown }>();
  const remember = <Answer>(question: string, ask: () => Answer): Answer => {
    const known = answers.get(question);
    if (known) return known.answer as Answer;
    const answer = ask();
    answers.set(question, { ask, answer });
    return answer;
  };
  const watched: Project = {
    files: () => remember('files', project.files),
    composition: (path) => remember(`composition ${path}`, () => project.composition(path)),
    exists: (path) => remember(`exists ${path}`, () => project.exists(path)),
    assets: () => remember('assets', project.assets),
    target: (from, source) => remember(`target ${from}\n${source}`, () => project.target(from, source)),
    embeddersOf: (path) => remember(`embedders ${path}`, () => project.embeddersOf(path)),
  };
  return { watched, isCurrent: () => [...answers.values()].every(({ ask, answer }) => isSame(ask(), answer)) };
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
