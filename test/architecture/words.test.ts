// Texts for people avoid a short list of words that made earlier texts hard to read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testTitlesIn, textsIn } from '../support/editor/textsIn.ts';
import { repository, repositoryFiles } from '../support/repositoryFiles.ts';

/** A banned word, and the usual word. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:so)?ever\b/i, 'the user, the caller, the process'],
  [/\b(?:no|some|every|any)body\b/i, 'no user, a user, all users, anyone'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\bunder way\b/i, 'in progress, running'],
  [/\bso many\b/i, 'the number of'],
  [/\b(?:stands?|stood|lies|lay) (?:in|at|there|beside|above|behind|under)\b/i, 'is in, is at'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\btak(?:e|es|en|ing) away\b/i, 'delete, remove'],
  // Not after "there", and not before a comparative: "there is no file", "is no longer than".
  [/(?<!\bthere )\b(?:is|are|was) no (?!\w+er\b|more\b|such\b)[a-z]+\b/i, 'is not a'],
  [/\bin vain\b/i, 'without success'],
  [/\bfaults?\b/i, 'error, problem'],
  [/\bstrangers?\b/i, 'untrusted, other users'],
  [/\b(?:goes|went|go) on\b/i, 'continues'],
  [/\bpictures?\b/i, 'frame, image'],
  [/\b(?:is|are|was|were) told\b/i, 'is notified, gets'],
  [/\bset-up\b/i, 'setup'],
  [/\bput right\b/i, 'fix'],
  [/\b(?:way out|ways out)\b/i, 'fix, what to do'],
  [/\bcomes? of it\b/i, 'result'],
];

/** Texts that need a banned word, with the reason. */
const allowed: ReadonlySet<string> = new Set([
  // Names of HTML elements.
  'video audio img picture canvas iframe input hr embed object textarea select area svg',
]);

const files = repositoryFiles();
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const isSource = (path: string): boolean =>
  /^(?:renderer-core|preview|cli|cloud|serverless|webhooks|sdk|server|client)\/.*(?<!\.as)\.ts$/.test(path);

/** All texts in nested JSON. */
function textsInJson(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsInJson) : [];
}

/** Each text with a banned word, in the form `file: "word" (usual word): text`. */
function violations(textsByFile: readonly (readonly [path: string, texts: readonly string[]])[]): string[] {
  return textsByFile.flatMap(([path, texts]) =>
    texts
      .filter((text) => !allowed.has(text))
      .flatMap((text) =>
        banned.flatMap(([pattern, usual]) => {
          const word = pattern.exec(text)?.[0];
          return word === undefined ? [] : [`${path}: "${word}" (say: ${usual}): ${text.trim().slice(0, 160)}`];
        }),
      ),
  );
}

test('finds a banned word in a text, and not in a name', () => {
  expect(violations([['a.ts', textsIn("const nobody = 'fix it'; fail(`nobody is at ${nobody}`);")]])).toEqual([
    'a.ts: "nobody" (say: no user, a user, all users, anyone): nobody is at …',
  ]);
  expect(testTitlesIn("describe('a suite', () => test.each([1])('row %i', () => f('other text')));")).toEqual([
    'a suite',
    'row %i',
  ]);
});

test('help, messages and other texts of the sources use common words', () => {
  const sources = files.filter(isSource);
  expect(sources.length).toBeGreaterThan(400);
  expect(violations(sources.map((path) => [path, textsIn(read(path))]))).toEqual([]);
});

test('the manifest and the texts of the editor use common words', () => {
  const manifests = files.filter((path) => /^(?:package|package\.nls|l10n\/[\w.]+)\.json$/.test(path));
  expect(manifests.length).toBe(3);
  expect(violations(manifests.map((path) => [path, textsInJson(JSON.parse(read(path)))]))).toEqual([]);
});

test('docs use common words', () => {
  const pages = files.filter((path) => path.endsWith('.md') && !path.includes('/vendor/'));
  expect(pages.length).toBeGreaterThan(20);
  expect(violations(pages.map((path) => [path, read(path).split('\n')]))).toEqual([]);
});

test('test titles use common words', () => {
  const tests = files.filter((path) => /^test\/.*\.test\.ts$/.test(path));
  expect(tests.length).toBeGreaterThan(200);
  expect(violations(tests.map((path) => [path, testTitlesIn(read(path))]))).toEqual([]);
});
