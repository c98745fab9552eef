// Compositions in the styles of many authors, who have not read the rules: the linter must report nothing false.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lintProject } from '../../../renderer-core/lintProject.ts';

const folder = fileURLToPath(new URL('../../fixtures/otherAuthors', import.meta.url));

/** Severity, rule and line of each finding, by file. Files that are not listed have no findings. */
const expected: Record<string, string[]> = {
  'broadcast/index.html': ['info system-font 5'],
  'education/code-walkthrough.html': ['info system-font 3'],
  'education/index.html': ['info system-font 8'],
  'kinetic/index.html': ['info system-font 10'],
  'kinetic/typewriter.html': ['info system-font 4'],
  'music/tour-dates.html': ['warning different-default 5', 'warning different-default 5'],
  'news/index.html': ['info system-font 11'],
  'wild/google-fonts.html': ['info remote-font 2'],
  'wild/missing-photo.html': ['error missing-asset 2'],
  'wild/no-duration.html': ['info missing-duration 2'],
  'wild/random.html': ['info unseeded-random 5'],
  'wild/typo.html': ['warning undeclared-binding 3'],
  'wild/year.html': ['info wall-clock 3'],
};

test('reports only what is wrong in the compositions of other authors', async () => {
  const { files, findings } = await lintProject(folder);
  const found: Record<string, string[]> = {};
  for (const { file, severity, rule, line } of findings)
    found[file] = [...(found[file] ?? []), `${severity} ${rule} ${line}`];
  expect(found).toEqual(expected);
  expect(files).toBe(84);
});
