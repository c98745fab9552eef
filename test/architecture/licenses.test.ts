// Each package of others in a release has an allowed license, and is named in the third-party notices. Reads the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { licenseProblems } from '../../scripts/licenses.ts';
import { installedBy, shippedPackages } from '../../scripts/shippedPackages.mjs';
import { thirdPartyNotices } from '../../scripts/thirdParty.mjs';
import { repository } from '../support/repositoryFiles.ts';

test('finds a package with the GPL or another license that is not allowed, and one without a license', () => {
  expect(
    licenseProblems([
      { id: 'usual@1.0.0', license: 'MIT' },
      { id: 'free@1.0.0', license: 'GPL-3.0-or-later' },
      { id: 'either@1.0.0', license: '(MIT OR GPL-3.0-only)' },
      { id: 'silent@1.0.0', license: undefined },
    ]),
  ).toEqual([
    'free@1.0.0 has the license GPL-3.0-or-later',
    'either@1.0.0 has the license (MIT OR GPL-3.0-only)',
    'silent@1.0.0 names no license',
  ]);
});

test('finds what npm installs with a package, and not what only its developers need', () => {
  const packages = {
    '': { optionalDependencies: { a: '1' }, devDependencies: { tool: '1' } },
    'node_modules/a': { dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': { dependencies: { tool: '1' } },
    'node_modules/c': {},
    'node_modules/tool': {},
  };
  expect(installedBy(packages)).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c']);
});

describe('a release', async () => {
  const packages = await shippedPackages();
  const ids = packages.map(({ id }) => id);

  test('contains no package whose license is not allowed', () => {
    // In a bundle, installed by npm, installed on other systems, a font.
    expect(ids).toEqual(
      expect.arrayContaining([
        ...[expect.stringMatching(/^parse5@/), expect.stringMatching(/^libsql@/)],
        ...[expect.stringMatching(/^@seydx\/node-av-win32-x64-msvc@/), expect.stringMatching(/^@fontsource\/arimo@/)],
      ]),
    );
    expect(licenseProblems(packages)).toEqual([]);
  });

  test('has notices that name each of its packages', async () => {
    const notices = await thirdPartyNotices();
    const named = new Set([...notices.matchAll(/^(@?[^@\s]+@\d[^\s:]*)(?::.*)?$/gm)].map(([, id]) => id));
    expect(ids.filter((id) => !named.has(id))).toEqual([]);
    expect(notices).not.toContain('License: undefined');
  });

  test('declares the GPL of FFmpeg, which the manifests of its packages do not name', async () => {
    const declared = 'The FFmpeg libraries of @seydx/node-av-*: GPL version 3 or later';
    expect(await thirdPartyNotices()).toContain(declared);
    expect(readFileSync(join(repository, 'docs/setup.md'), 'utf8')).toContain(
      '**FFmpeg 8.1 of node-av**: GPL version 3 or later',
    );
  });
});
