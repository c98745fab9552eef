// A release from a copy of the repository, and the packed package in an empty folder: it renders, lints and serves from there.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

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

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'release-'));
  repository = join(base, 'repository');
  installed = join(base, 'installed');
  await mkdir(repository);
  await mkdir(installed);
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of String(listed).split('\0').filter(Boolean)) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await cp(join(root, path), join(repository, path));
  }
  await symlink(join(root, 'node_modules'), join(repository, 'node_modules'), 'dir');
  await writeFile(join(repository, '.gitignore'), '/node_modules\n/dist\n/.cache\n/release\n');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All files');
});

afterAll(() => rm(base, { recursive: true, force: true }));

test('refuses to release uncommitted changes', async () => {
  await writeFile(join(repository, 'new.txt'), 'new');
  await expect(release('minor')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Commit or stash your changes first'),
  });
  await rm(join(repository, 'new.txt'));
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
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
  expect(
    git('status', '--porcelain')
      .trim()
      .split(/\s*\n\s*/),
  ).toEqual(['M CHANGELOG.md', 'M package-lock.json', 'M package.json']);
  expect(await readFile(join(repository, 'CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^## Unreleased\\n\\n## ${next.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm'),
  );

  const bill = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'framework', version: next } } });
  expect(names).toEqual(expect.arrayContaining(['parse5', 'hono', '@sparticuz/chromium']));
  expect(names).not.toContain('vitest');
  const notices = await readFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^parse5@/m);
  expect(notices).toContain('Permission is hereby granted, free of charge');

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
  const service = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', join(installed, 'data')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
