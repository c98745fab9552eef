// `framework check`: how its report is printed, and its exit status. The checks have tests where they are.
import { expect, test } from 'vitest';
import type { CheckRequest } from '../../renderer-core/check/checkProject.ts';
import type { CheckFinding, CheckReport } from '../../renderer-core/check/checkReport.ts';
import { cli } from './cli.ts';

const html = '<div data-composition-id="main">\n<h1 class="title">Much too long</h1>\n</div>';
const start = html.indexOf('<h1');

const finding: CheckFinding = {
  rule: 'text-outside-frame',
  severity: 'warning',
  message: '“Much too long” leaves the frame by 34 px on the right at 2.5 s',
  file: 'index.html',
  span: { start, end: start + 18 },
  line: 2,
  column: 1,
  endLine: 2,
  endColumn: 19,
  frame: 75,
  seconds: 2.5,
  box: { left: 1700, top: 10, width: 254, height: 60 },
  row: null,
  rows: [],
  size: '1920x1080',
  sizes: ['1920x1080'],
  related: [],
  fixes: [],
};

const report: CheckReport = {
  root: process.cwd(),
  composition: 'index.html',
  sizes: ['1920x1080'],
  frames: 150,
  looked: 14,
  durationSeconds: 5,
  counts: { error: 0, warning: 1, info: 0, hint: 0 },
  findings: [finding],
  rows: [],
  sound: { loudness: -15.62, truePeak: -0.74 },
  stills: [],
  elapsedMs: 1234,
  texts: new Map([['index.html', html]]),
};

/** Runs the command with a check that returns `result`; `requests` are what it was asked for. */
function check(args: string[], result: Partial<CheckReport> = {}) {
  const requests: CheckRequest[] = [];
  const checkProject = async (request: CheckRequest) => {
    requests.push(request);
    return { ...report, ...result };
  };
  return cli(['check', ...args], { engine: { checkProject } }).then((ended) => ({ ...ended, requests }));
}

test('a finding with its line, and the loudness', async () => {
  const { status, stdout } = await check(['my-video']);
  expect(status).toBe(0);
  expect(
    stdout,
  ).toBe(`index.html:2:1 warning “Much too long” leaves the frame by 34 px on the right at 2.5 s (text-outside-frame)
  2 | <h1 class="title">Much too long</h1>
    | ^^^^^^^^^^^^^^^^^^

1 warning (14 frames looked at, -15.6 LUFS, -0.7 dBTP, 1.2 s)
`);
});

test('rows that have a finding, and rows that cannot be shown', async () => {
  const rows = [
    { index: 0, label: 'Ada', findings: 0, error: null },
    { index: 1, label: 'Bo', findings: 0, error: 'The image no.svg does not exist' },
  ];
  const { status, stdout } = await check(['--batch', 'rows.csv'], {
    findings: [{ ...finding, row: 4, rows: [4, 6] }],
    rows,
  });
  expect(status).toBe(1);
  expect(stdout).toContain('at 2.5 s (rows 5, 7) (text-outside-frame)');
  expect(stdout).toContain('error Row 2 (Bo) cannot be shown: The image no.svg does not exist\n');
});

test('sizes that have a finding, if several were looked at', async () => {
  const result = {
    sizes: ['1920x1080', '1080x1920', '1080x1080'],
    findings: [
      { ...finding, rule: 'text-cut', sizes: ['1080x1920', '1080x1080'], row: 4, rows: [4] },
      { ...finding, sizes: ['1920x1080', '1080x1920', '1080x1080'] },
    ],
  };
  const { stdout, requests } = await check(['--all-sizes'], result);
  expect(requests[0]).toMatchObject({ allSizes: true });
  expect(stdout).toContain('at 2.5 s (row 5; 1080x1920, 1080x1080) (text-cut)');
  expect(stdout).toContain('at 2.5 s (all sizes) (text-outside-frame)');
  expect(stdout).toContain('(14 frames looked at, 3 sizes, ');
  expect((await check(['--all-sizes', '--format', 'github'], result)).stdout).toContain('at 2.5 s (all sizes)\n');
});

test.each([
  { args: ['--max-warnings', '0'], counts: { ...report.counts }, status: 1 },
  { args: [], counts: { ...report.counts, error: 1 }, status: 1 },
  { args: ['--max-warnings', '1'], counts: { ...report.counts }, status: 0 },
])('$args and $counts: status $status', async ({ args, counts, status }) => {
  expect((await check(args, { counts })).status).toBe(status);
});

test('what the options ask for', async () => {
  const { requests } = await check([
    'dir',
    '--extremes',
    '--rule',
    'low-contrast=off',
    '-o',
    'findings',
    '--fps',
    '25',
  ]);
  expect(requests[0]).toMatchObject({
    projectDir: 'dir',
    rows: 'extremes',
    rules: { 'low-contrast': 'off' },
    output: 'findings',
    fps: '25',
  });
});

test.each([
  { args: ['--rows', '1'], message: '--rows needs --batch' },
  { args: ['--batch', 'rows.csv', '--extremes'], message: '--batch and --extremes cannot be used together' },
  { args: ['--rule', 'low-contrst=off'], message: 'unknown rule "low-contrst"; did you mean "low-contrast"?' },
])('$args: $message', async ({ args, message }) => {
  const { status, stderr } = await check(args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('JSON and SARIF', async () => {
  expect(JSON.parse((await check(['--json'])).stdout)).toMatchObject({
    looked: 14,
    findings: [{ rule: 'text-outside-frame' }],
  });
  const sarif = JSON.parse((await check(['--format', 'sarif'])).stdout);
  expect(sarif.runs[0].tool.driver.name).toBe('framework check');
  expect(sarif.runs[0].results[0]).toMatchObject({ ruleId: 'text-outside-frame', level: 'warning' });
});
