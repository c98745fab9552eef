// A release from a copy of the repository, and the packed package in an empty folder: it renders, lints and serves from there.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { composition } from '../support/project.ts';
import { repositoryFiles, repository as root } from '../support/repositoryFiles.ts';
import { isInPath, needPrograms } from '../support/systemPrograms.ts';

const run = promisify(execFile);

let base = '';
let repository = '';
let installed = '';

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });
const release = (...args: string[]) => run('npm', ['run', '--silent', 'release', '--', ...args], { cwd: repository });
const framework = (...args: string[]) =>
  run(process.execPath, [join(installed, 'node_modules/framework/dist/cli.js'), ...args], { cwd: installed });

const publication = {
  publisher: 'example',
  name: 'videos',
  repository: 'https://example.com/code',
  bugs: 'https://example.com/bugs',
  homepage: 'https://example.com',
  sponsor: null,
};

beforeAll(async () => {
  if (!isInPath('git')) return;
  base = await mkdtemp(join(tmpdir(), 'release-'));
  repository = join(base, 'repository');
  installed = join(base, 'installed');
  await mkdir(repository);
  await mkdir(installed);
  for (const path of repositoryFiles()) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await cp(join(root, path), join(repository, path));
  }
  await writeFile(join(repository, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- An entry.\n');
  await writeFile(join(repository, 'publication.json'), JSON.stringify(publication));
  await symlink(join(root, 'node_modules'), join(repository, 'node_modules'), 'dir');
  await writeFile(join(repository, '.gitignore'), '/node_modules\n/dist\n/.cache\n/release\n');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All files');
});

beforeEach((context) => needPrograms(context, 'git'));

afterAll(() => rm(base, { recursive: true, force: true }));

test('refuses to release uncommitted changes', async () => {
  await writeFile(join(repository, 'new.txt'), 'new');
  await expect(release('minor')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Commit or stash your changes first'),
  });
  await rm(join(repository, 'new.txt'));
});

test('refuses to release without a publisher and addresses', async () => {
  const path = join(repository, 'publication.json');
  await cp(join(root, 'publication.json'), path);
  git('commit', '--quiet', '--all', '--message', 'Placeholders');
  await expect(release('minor')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('publisher, name, repository, bugs, homepage, sponsor'),
  });
  await writeFile(path, JSON.stringify(publication));
  git('commit', '--quiet', '--all', '--message', 'Filled in');
});

test('creates every file that is published', async () => {
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const next = version.replace(/\.\d+\.\d+$/, (rest: string) => `.${Number(rest.split('.')[1]) + 1}.0`);
  await release('minor');

  const folder = join(repository, 'release', next);
  expect((await readdir(folder)).sort()).toEqual([
    'SHA256SUMS',
    'THIRD-PARTY-NOTICES.txt',
    `framework-${next}.tgz`,
    `framework-${next}.vsix`,
    'sbom.cdx.json',
  ]);
  const sums = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
  expect(sums).toHaveLength(4);
  for (const line of sums) {
    const [, sum, name = ''] = /^(\w+) {2}(.+)$/.exec(line) ?? [];
    expect([name, sum]).toEqual([name, sha256(await readFile(join(folder, name)))]);
  }
  expect(
    git('status', '--porcelain')
      .trim()
      .split(/\s*\n\s*/),
  ).toEqual(['M CHANGELOG.md', 'M package-lock.json', 'M package.json']);
  expect(await readFile(join(repository, 'CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^# Changelog\\n\\n## ${next.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)\\n\\n- An entry\\.\\n$`),
  );

  const bill = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'framework', version: next } } });
  expect(names).toEqual(expect.arrayContaining(['parse5', 'hono', '@sparticuz/chromium', '@fontsource/arimo']));
  expect(names).not.toContain('vitest');
  const notices = await readFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^parse5@/m);
  expect(notices).toContain('Permission is hereby granted, free of charge');
  expect(notices).toContain('The FFmpeg libraries of @seydx/node-av-*: GPL version 3 or later');
  expect(notices).toMatch(/^@fontsource\/arimo@\S+: Copyright 2020 The Arimo Project Authors/m);
  expect(notices).toContain('SIL OPEN FONT LICENSE Version 1.1 - 26 February 2007');

  await writeFile(join(installed, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, `framework-${next}.tgz`)], { cwd: installed });
});

test('the installed package creates, lints and renders a project', async () => {
  await framework('new', 'card', '--example', 'lower-third');
  await expect(framework('lint', 'card')).resolves.toMatchObject({
    stdout: expect.stringContaining('No problems found'),
  });
  const { stdout } = await framework('render', 'card', '--json', '--output', 'card.mp4');
  expect(JSON.parse(stdout)).toMatchObject({ frames: expect.any(Number) });
  expect((await readFile(join(installed, 'card.mp4'))).subarray(4, 8).toString()).toBe('ftyp');
});

test('without its optional packages, the package is alone and lints', async () => {
  const alone = join(base, 'alone');
  await mkdir(alone);
  const archive = join(repository, 'release', (await readdir(join(repository, 'release')))[0] ?? '');
  const file = (await readdir(archive)).find((name) => name.endsWith('.tgz')) ?? '';
  await run('npm', ['install', '--omit=optional', '--no-audit', '--no-fund', join(archive, file)], { cwd: alone });
  expect((await readdir(join(alone, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['framework']);
  const cli = join(alone, 'node_modules/framework/dist/cli.js');
  const { stdout } = await run(process.execPath, [cli, 'lint', join(installed, 'card')]);
  expect(stdout).toContain('No problems found');
});

test('a page that only may need other fonts is shown without them if they cannot be downloaded', async () => {
  const { path } = await findBrowser({ env: process.env });
  const env = { PATH: join(base, 'none'), FRAMEWORK_CACHE: join(base, 'cache'), FRAMEWORK_BROWSER: path };
  const page = join(installed, 'page');
  await mkdir(page);
  const warningsOf = async (content: string) => {
    await writeFile(join(page, 'index.html'), composition(content, { duration: 1 }));
    const args = ['snapshot', page, '--json', '--at', '0', '--output', join(base, 'page.png')];
    const cli = join(installed, 'node_modules/framework/dist/cli.js');
    const { warnings } = JSON.parse((await run(process.execPath, [cli, ...args], { env })).stdout);
    return warnings.filter((text: string) => text.includes('font'));
  };
  expect(await warningsOf("<p>a<script>const later = () => fetch('a.json')</script>")).toEqual([]);
  expect(await warningsOf('<p>😀')).toEqual([expect.stringContaining('Text uses the fonts of this machine')]);
});

test('the installed package brings no packages that its bundles contain', async () => {
  const folder = join(installed, 'node_modules/framework');
  const notices = await readFile(join(folder, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  const bundled = [...notices.matchAll(/^(@?[^@\s]+)@\d\S*$/gm)].map(([, name]) => name);
  expect(bundled).toEqual(expect.arrayContaining(['parse5', '@aws-sdk/client-s3']));
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(optionalDependencies).filter((name) => bundled.includes(name))).toEqual([]);
});

test('the packed extension installs the same ffmpeg as the package', async () => {
  const extension = join(repository, '.cache/vsix/dist/cli.js');
  const env = { ...process.env, FRAMEWORK_PROGRAMS_DIR: join(base, 'programs') };
  // The repository's packages have the same libraries, so that nothing would be missing.
  await run(process.execPath, [extension, 'setup', 'ffmpeg', '--force'], { env });
  const [library] = await readdir(join(base, 'programs'));
  const name = join('@seydx', `node-av-${process.platform}-${process.arch}`, 'node-av.node');
  const [downloaded, ofPackage] = await Promise.all([
    readFile(join(base, 'programs', library ?? '', 'node-av.node')),
    readFile(join(installed, 'node_modules', name)),
  ]);
  expect(downloaded.equals(ofPackage)).toBe(true);
  await run(process.execPath, [extension, 'render', 'card', '--output', 'setUp.mp4'], { cwd: installed, env });
  expect((await readFile(join(installed, 'setUp.mp4'))).subarray(4, 8).toString()).toBe('ftyp');
});

test('the installed package is a library', async () => {
  await writeFile(
    join(installed, 'use.js'),
    "import { lintProject } from 'framework';\nconsole.log((await lintProject('card')).counts.error);\n",
  );
  const { stdout } = await run(process.execPath, ['use.js'], { cwd: installed });
  expect(stdout.trim()).toBe('0');
});

test('the types of the installed package need no other package', async () => {
  const names = ['RenderReport', 'RenderPlan', 'BatchReport', 'SnapshotReport', 'ProjectDescription', 'CloudEvent'];
  // An `any` would accept the number.
  const wrong = names.map((name) => `// @ts-expect-error\nexport const _${name}: ${name} = 1;\n`);
  await writeFile(
    join(installed, 'use.ts'),
    `import type { ${names.join(', ')} } from 'framework';\n${wrong.join('')}`,
  );
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'use.ts'], {
    cwd: installed,
  });
});

test('the installed package serves the hosted API', async () => {
  const cli = join(installed, 'node_modules/framework/dist/cli.js');
  const service = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', '--data', join(installed, 'data'), '--allow-root'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  try {
    const address = await addressIn(service.stdout, service.stderr);
    expect(await (await fetch(`${address}/.well-known/oauth-authorization-server`)).json()).toMatchObject({
      code_challenge_methods_supported: ['S256'],
    });
  } finally {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
  }
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The first address that the program prints. */
async function addressIn(...streams: NodeJS.ReadableStream[]): Promise<string> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    let open = streams.length;
    for (const stream of streams) {
      const reader = createInterface({ input: stream });
      reader.on('line', (line) => {
        lines.push(line);
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
      reader.on('close', () => {
        open -= 1;
        if (open === 0) reject(new Error(`No address in:\n${lines.join('\n')}`));
      });
    }
  });
}
