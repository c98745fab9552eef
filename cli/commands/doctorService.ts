// What `framework doctor --service` checks in addition: how renders of untrusted projects are separated from the service, and
// how old the browser is that shows them.
import { findSandbox, type Sandbox } from '../../cloud/service/isolation/sandbox.ts';
import { browserProblem } from '../../cloud/service/isolation/sandboxedBrowser.ts';
import { workerFile } from '../../cloud/service/queue/workerFile.ts';
import { browserBuilt, maxBrowserAgeMs } from '../../renderer-core/capture/browserAge.ts';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import type { DiagnosisRow } from '../../renderer-core/doctor/diagnosis.ts';

export type ServiceFacts = {
  sandbox: Sandbox | { reason: string };
  /** Why the browser does not start in the sandbox. */
  problem?: string | undefined;
  isRoot: boolean;
  /** When the browser was built, and the current time, in Unix milliseconds. */
  built?: number | undefined;
  now: number;
};

export async function diagnoseService(env: NodeJS.ProcessEnv): Promise<DiagnosisRow[]> {
  // Without a browser, another row says so.
  const browser = await findBrowser({ env }).catch(() => undefined);
  const sandbox = await findSandbox({ env, programs: browser ? [browser.path] : [], workerFile });
  const problem = browser && !('reason' in sandbox) ? await browserProblem(sandbox, browser, env) : undefined;
  const built = browser && (await browserBuilt(browser));
  return serviceRows({ sandbox, problem, isRoot: process.getuid?.() === 0, built, now: Date.now() });
}

export function serviceRows({ sandbox, problem, isRoot, built, now }: ServiceFacts): DiagnosisRow[] {
  return [
    ...(built === undefined ? [] : [ageRow(built, now)]),
    problem === undefined ? isolationRow(sandbox, isRoot) : brokenRow(problem),
    userRow(isRoot),
  ];
}

function ageRow(built: number, now: number): DiagnosisRow {
  const value = `built on ${new Date(built).toISOString().slice(0, 10)}`;
  if (now - built <= maxBrowserAgeMs) return { name: 'browser age', status: 'ok', value };
  const fix =
    'Update the browser, which shows untrusted pages: build the image again, or run "apt-get install --only-upgrade chromium-headless-shell". Without this package, install it and set FRAMEWORK_BROWSER=/usr/lib/chromium/chromium-headless-shell.';
  return { name: 'browser age', status: 'warning', value: `${value}, more than eight weeks ago`, fix };
}

function isolationRow(sandbox: ServiceFacts['sandbox'], isRoot: boolean): DiagnosisRow {
  const name = 'isolation';
  if (!('reason' in sandbox)) {
    const value = `${sandbox.bubblewrap}: own processes, files and network for each render, and Chrome's sandbox inside`;
    return { name, status: 'ok', value };
  }
  const fix =
    'Install bubblewrap (Debian: apt-get install bubblewrap), and allow user namespaces. See docs/service.md.';
  return { name, status: isRoot ? 'missing' : 'warning', value: `none: ${sandbox.reason}`, fix };
}

/** Then every render fails. */
function brokenRow(problem: string): DiagnosisRow {
  const fix = 'Allow user namespaces, chroot and mounts inside them. In a container: see docs/operations.md.';
  return { name: 'isolation', status: 'missing', value: `the browser shows no page in the sandbox: ${problem}`, fix };
}

function userRow(isRoot: boolean): DiagnosisRow {
  if (!isRoot) return { name: 'user', status: 'ok', value: 'not root' };
  const fix = 'Run the service as a user of its own, without other rights.';
  return { name: 'user', status: 'missing', value: 'root', fix };
}
