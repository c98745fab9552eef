// Runs the tests of test/vscode/host in an extension host: of VSCODE_EXECUTABLE if set, or else of the workbench.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { embeddedExecutable } from '../../support/renders/ffmpeg.ts';
import { packed, remoteUri, saveScreenshot, startWorkbench } from '../../support/vscode/workbench.ts';
import type { HostResult } from './run.ts';

const fixture = fileURLToPath(new URL('../../fixtures/editor', import.meta.url));

/** A writable workspace with two copies of the fixture. The tests add the second one as a folder. */
export async function workspaceCopy(): Promise<{
  folder: string;
  second: string;
  file: string;
  remove(): Promise<void>;
}> {
  const root = await mkdtemp(join(tmpdir(), 'fw-ws-'));
  const [folder, second, file] = [join(root, 'first'), join(root, 'second'), join(root, 'both.code-workspace')];
  await cp(fixture, folder, { recursive: true });
  await cp(fixture, second, { recursive: true });
  await writeFile(file, JSON.stringify({ folders: [{ path: 'first' }] }));
  return { folder, second, file, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** An empty extension for `extensionDevelopmentPath`, so that the packed extension is tested, and the bundled tests. */
async function stub(root: string): Promise<{ extension: string; tests: string }> {
  const extension = join(root, 'stub');
  await mkdir(extension, { recursive: true });
  const manifest = { name: 'stub', publisher: 'test', version: '1.0.0', engines: { vscode: '*' } };
  await writeFile(join(extension, 'package.json'), JSON.stringify(manifest));
  const tests = join(extension, 'tests.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('run.ts', import.meta.url))],
    outfile: tests,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'silent',
  });
  return { extension, tests };
}

/** Returns all results, including those of failed tests. */
export async function runInHost(workspace: { file: string }): Promise<HostResult[]> {
  const root = await mkdtemp(join(tmpdir(), 'fw-host-'));
  const results = join(root, 'results.json');
  try {
    const { extension, tests } = await stub(root);
    const executable = process.env.VSCODE_EXECUTABLE;
    if (executable) await inDesktop(executable, workspace.file, extension, tests, results, root);
    else await inWorkbench(workspace.file, extension, tests, results);
    return JSON.parse(await readFile(results, 'utf8'));
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function inWorkbench(file: string, extension: string, tests: string, results: string): Promise<void> {
  const workbench = await startWorkbench({
    env: { FRAMEWORK_TEST_RESULTS: results },
    // Makes the workbench call `codeAutomationExit`.
    flags: ['--enable-smoke-test-driver'],
  });
  try {
    const page = await workbench.open(undefined, []);
    let exit: (code: number) => void = () => undefined;
    const exited = new Promise<number>((done) => {
      exit = done;
    });
    const logged: string[] = [];
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      logged.push(`${type}: ${args.map(String).join(' ')}`);
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => exit(code));
    const payload = [
      ['extensionDevelopmentPath', remoteUri(workbench.authority, extension)],
      ['extensionTestsPath', remoteUri(workbench.authority, tests)],
      ['enableProposedApi', ''],
    ];
    const query = new URLSearchParams({ workspace: file, payload: JSON.stringify(payload) });
    await page.goto(`http://${workbench.authority}/?${query}`);
    const code = await exited;
    await saveScreenshot(page, 'host-tests');
    if (!existsSync(results))
      throw new Error(`The extension host ended (${code}) without results:\n${logged.join('\n')}`);
  } finally {
    await workbench.close();
  }
}

async function inDesktop(
  executable: string,
  file: string,
  extension: string,
  tests: string,
  results: string,
  root: string,
): Promise<void> {
  const { resolveCliArgsFromVSCodeExecutablePath, runTests } = await import('@vscode/test-electron');
  const found = await findBrowser({ env: process.env });
  const folders = ['--user-data-dir', join(root, 'data'), '--extensions-dir', join(root, 'ext')];
  await mkdir(join(root, 'data/User'), { recursive: true });
  const settings = {
    'framework.browserPath': found.path,
    'framework.ffmpegPath': embeddedExecutable(join(root, 'ffmpeg')),
  };
  await writeFile(join(root, 'data/User/settings.json'), JSON.stringify(settings));
  const [cli = executable, ...args] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
  await promisify(execFile)(cli, [...args, ...folders, '--install-extension', packed]);
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: extension,
    extensionTestsPath: tests,
    extensionTestsEnv: { FRAMEWORK_TEST_RESULTS: results, ...found.env },
    launchArgs: [file, ...folders, '--disable-workspace-trust', '--skip-welcome', '--disable-gpu'],
  });
}
