// Checks the findings of a project in memory: what is found and where, and what the files are after a fix.
import { expect } from 'vitest';
import { applyFixes } from '../../../renderer-core/lint/applyFixes.ts';
import type { Finding } from '../../../renderer-core/lint/finding.ts';
import { lintFile } from '../../../renderer-core/lint/lintFile.ts';
import { createProject } from '../../../renderer-core/lint/project.ts';
import { defaultSettings, type LintSettings } from '../../../renderer-core/lint/settings.ts';
import { filesOf, mark, marked } from '../../support/editor/markup.ts';

export type Expected = {
  /** `severity rule: message`, in the order they stand. The marked ranges of the markup are their places. */
  findings: string[];
  /** Titles of fixes, an asterisk behind safe ones, and what the file that changes is after each. */
  fixes?: Record<string, string>;
  /** `file marked text: message` of the places that explain. */
  related?: string[];
};

/** `only` are the rules of interest: most small examples would have findings of others too. */
export function check(
  markup: string,
  only: string,
  expected: Expected,
  settings: LintSettings = defaultSettings,
): void {
  const sources = markup.startsWith('=== ') ? filesOf(markup) : new Map([['index.html', markup]]);
  const texts = new Map([...sources].map(([path, source]) => [path, marked(source).text]));
  const path = [...sources.keys()].find((each) => sources.get(each)?.includes('«')) ?? [...sources.keys()][0] ?? '';
  const findings = lint(texts, path, settings).filter(({ rule }) => only.split(' ').includes(rule));
  expect(findings.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`)).toEqual(expected.findings);
  const text = texts.get(path) ?? '';
  expect(
    mark(
      text,
      findings.map(({ span }) => span),
    ),
  ).toBe(sources.get(path));
  if (expected.fixes) expect(fixed(texts, findings)).toEqual(expected.fixes);
  if (expected.related) {
    const places = findings.flatMap(({ related }) => related);
    expect(
      places.map(({ file, span, message }) => `${file} ${texts.get(file)?.slice(span.start, span.end)}: ${message}`),
    ).toEqual(expected.related);
  }
}

export function lint(texts: ReadonlyMap<string, string>, path: string, settings = defaultSettings): Finding[] {
  const project = createProject();
  project.setAssets(texts.keys());
  for (const [file, text] of texts) if (/\.(?:html?|css|vtt|srt)$/.test(file)) project.set(file, text);
  return lintFile(project, path, settings);
}

function fixed(texts: ReadonlyMap<string, string>, findings: readonly Finding[]): Record<string, string> {
  const fixes = findings.flatMap((finding) => finding.fixes);
  return Object.fromEntries(
    fixes.map((fix) => {
      const changed = [...applyFixes(texts, [fix]).texts.values()];
      return [`${fix.title}${fix.isSafe ? ' *' : ''}`, changed.join('\n=== \n')];
    }),
  );
}
