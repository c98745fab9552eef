// `npm run release -- minor`: sets the version, dates the changelog, and creates the files to publish. It pushes nothing.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createArtifacts } from './artifacts.mjs';
import { commonFields, missingIn, readPublication } from './publication.mjs';

const changedFiles = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
const level = process.argv[2] ?? '';

const problem = await whyNot();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else {
  const before = await Promise.all(changedFiles.map((path) => readFile(path, 'utf8')));
  try {
    await release();
  } catch (error) {
    await Promise.all(changedFiles.map((path, i) => writeFile(path, before[i])));
    console.error(`The release failed; ${changedFiles.join(', ')} are as before.`);
    throw error;
  }
}

/** The reason why no release can be made now. */
async function whyNot() {
  if (!/^(?:major|minor|patch|\d+\.\d+\.\d+)$/.test(level))
    return 'Usage: npm run release -- major|minor|patch|<version>';
  if (git('status', '--porcelain') !== '')
    return 'Commit or stash your changes first: a release is made from a commit.';
  if (headingOf(await readFile('CHANGELOG.md', 'utf8'), level) === undefined)
    return 'CHANGELOG.md has no entries under "## Unreleased": describe the changes first.';
  return missingIn(await readPublication());
}

async function release() {
  // A version that has a section without a date may be in package.json already, as that of the first release is.
  const isDescribed = headingOf(await readFile('CHANGELOG.md', 'utf8'), level) === `## ${level}`;
  npm('version', level, '--no-git-tag-version', '--ignore-scripts', ...(isDescribed ? ['--allow-same-version'] : []));
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await dateChangelog(version);
  await addPublication();

  const folder = await createArtifacts();
  console.log(`\nNothing was committed or pushed. After a look at the files:
  git commit -am "Release ${version}" && git tag v${version} && git push --follow-tags
  npm publish ${folder}/framework-${version}.tgz
  npx vsce publish --packagePath ${folder}/framework-${version}.vsix
  npx ovsx publish ${folder}/framework-${version}.vsix`);
}

/** npm shows the addresses too. */
async function addPublication() {
  const publication = await readPublication();
  const { sponsor } = publication;
  const manifest = JSON.parse(await readFile('package.json', 'utf8'));
  const fields = { ...commonFields(publication), ...(sponsor ? { funding: sponsor } : {}) };
  await writeFile('package.json', `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
}

async function dateChangelog(version) {
  const text = await readFile('CHANGELOG.md', 'utf8');
  const date = new Date().toISOString().slice(0, 10);
  await writeFile('CHANGELOG.md', text.replace(`\n${headingOf(text, version)}\n`, `\n## ${version} (${date})\n`));
}

/** The heading of the entries to release, `## <version>` or `## Unreleased`; undefined if there are none. */
function headingOf(text, version) {
  return [`## ${version}`, '## Unreleased'].find((heading) => {
    const [, below = ''] = text.split(`\n${heading}\n`);
    return /\S/.test(below.split(/^## /m, 1).join(''));
  });
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' });
}

function npm(...args) {
  execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
}
