// `npm run audit`: fails if a package of a release has a known vulnerability of severity high or critical. All bundled packages are
// development dependencies for npm, so this asks about all packages and leaves out those that are not in a release.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shippedPackages } from './shippedPackages.mjs';

const failing: readonly unknown[] = ['high', 'critical'];

/** What `npm audit --json` prints. A string in `via` is another vulnerable package, which has an entry of its own. */
type AuditReport = {
  message?: string;
  error?: { summary?: string };
  vulnerabilities?: Record<
    string,
    { nodes: string[]; via: (string | { title: string; severity: string; url: string })[] }
  >;
};

/** `folders`: those of the packages in a release, such as `node_modules/undici`. */
export function auditResult(printed: string, folders: ReadonlySet<string>): { hasFailed: boolean; lines: string[] } {
  const { vulnerabilities, message, error } = reportIn(printed);
  if (vulnerabilities === undefined)
    return {
      hasFailed: false,
      lines: [`audit: not checked, because the registry did not answer: ${message || error?.summary || 'no report'}`],
    };
  const found = Object.entries(vulnerabilities)
    .filter(([, { nodes }]) => nodes.some((folder) => folders.has(folder)))
    .flatMap(([name, { via }]) => via.flatMap((one) => (typeof one === 'string' ? [] : [{ name, ...one }])));
  const bad = found.filter(({ severity }) => failing.includes(severity));
  const lines = bad.map(({ name, severity, title, url }) => `audit: ${name} (${severity}): ${title}, ${url}`);
  const minor = found.length - bad.length;
  return {
    hasFailed: bad.length > 0,
    lines: [...lines, `audit: ${bad.length} of severity high or critical, ${minor} lower, in ${folders.size} packages`],
  };
}

function reportIn(printed: string): AuditReport {
  try {
    return JSON.parse(printed) as AuditReport;
  } catch {
    return {};
  }
}

/** It exits with 1 for any vulnerability, and if the registry does not answer. */
async function printedByNpm(): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
  const failed = (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' });
  return (await promisify(execFile)('npm', ['audit', '--json'], options).catch(failed)).stdout;
}

if (process.argv[1] === import.meta.filename) {
  const folders = new Set((await shippedPackages()).map(({ folder }) => folder));
  const { hasFailed, lines } = auditResult(await printedByNpm(), folders);
  console.log(lines.join('\n'));
  process.exitCode = hasFailed ? 1 : 0;
}
