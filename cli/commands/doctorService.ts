// What `framework doctor --service` checks in addition: how renders of untrusted projects are separated from the service.
import { findSandbox, type Sandbox } from '../../cloud/service/isolation/sandbox.ts';
import { workerFile } from '../../cloud/service/queue/workerFile.ts';
import type { DiagnosisRow } from '../../renderer-core/doctor/diagnosis.ts';

export type ServiceFacts = { sandbox: Sandbox | { reason: string }; isRoot: boolean };

export async function diagnoseService(env: NodeJS.ProcessEnv): Promise<DiagnosisRow[]> {
  const sandbox = await findSandbox({ env, programs: [], workerFile });
  return serviceRows({ sandbox, isRoot: process.getuid?.() === 0 });
}

export function serviceRows({ sandbox, isRoot }: ServiceFacts): DiagnosisRow[] {
  return [isolationRow(sandbox, isRoot), userRow(isRoot)];
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

function userRow(isRoot: boolean): DiagnosisRow {
  if (!isRoot) return { name: 'user', status: 'ok', value: 'not root' };
  const fix = 'Run the service as a user of its own, without other rights.';
  return { name: 'user', status: 'warning', value: 'root', fix };
}
