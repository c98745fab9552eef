// `framework lint`: the output and exit status for a folder.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sarifReport } from '../../cli/output/lintReports.ts';
import type { LintReport } from '../../renderer-core/lintProject.ts';
import { filesOf } from '../support/editor/markup.ts';
import { needLinks } from '../support/systemPrograms.ts';
import { type CliOptions, cli } from './cli.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folder(source: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'framework-lint-'));
  folders.push(root);
  for (const [path, text] of filesOf(source)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const size = 'data-width="16" data-height="16" data-duration="1"';
const root = (inside = '') => `<!doctype html>\n<div data-composition-id="m" ${size}>\n${inside}\n</div>\n`;
const image = '<img src="nowhere.png">';

/** Runs the command, and replaces the folder's path in its output by `ROOT`. */
async function lint(dir: string, args: string[] = [], options: CliOptions = {}) {
  const { status, stdout, stderr } = await cli(['lint', dir, ...args], options);
  const shown = relative(process.cwd(), dir).replaceAll('\\', '/');
  // On Windows, the folder may be on another drive, and JSON escapes backslashes.
  const spellings = [`file:///${shown}`, shown, shown.replace(':', '%3A'), dir, JSON.stringify(dir).slice(1, -1)];
  const plain = (text: string) => spellings.reduce((all, spelling) => all.replaceAll(spelling, 'ROOT'), text);
  return { status, stdout: plain(stdout), stderr: plain(stderr) };
}

test('prints findings with source lines and fixes', async () => {
  const dir = await folder(`=== index.html\n${root(`<p data-start="0" data-duration="1s"></p>\n\t${image}`)}`);
  const { status, stdout, stderr } = await lint(dir);
  expect(stdout).toMatchInlineSnapshot(`
    "ROOT/index.html:3:34 error data-duration must be a number (got "1s"); leave out the unit (not-a-number)
      3 | <p data-start="0" data-duration="1s"></p>
        |                                  ^^
      fix: Change to "1" (--fix)

    ROOT/index.html:4:12 error The file nowhere.png does not exist (missing-asset)
      4 |  <img src="nowhere.png">
        |            ^^^^^^^^^^^

    2 errors in 1 composition; 1 can be fixed with --fix
    See docs/rules.md
    "
  `);
  expect(status).toBe(1);
  expect(stderr).toBe('');
});

test('shortens long lines around the finding', async () => {
  const dir = await folder(`=== index.html\n${root(`${'<i>1234567</i>'.repeat(20)}${image}${'<b></b>'.repeat(40)}`)}`);
  const [, line = '', carets = ''] = (await lint(dir)).stdout.split('\n');
  expect(line.length).toBeLessThan(115);
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('nowhere.png');
});

test('prints a message if there are no problems', async () => {
  const dir = await folder(`=== index.html\n${root()}`);
  expect(await lint(dir)).toEqual({ status: 0, stdout: 'No problems found in 1 composition\n', stderr: '' });
});

test('--rule overrides framework.json, which overrides the defaults', async () => {
  const dir = await folder(
    `=== index.html\n${root(`${image}<script>Date.now()</script>`)}\n=== framework.json\n{"lint":{"rules":{"missing-asset":"warning","wall-clock":"off"}}}`,
  );
  expect((await lint(dir)).stdout).toContain('1 warning in 1 composition');
  expect((await lint(dir)).status).toBe(0);
  const both = await lint(dir, ['--rule', 'missing-asset=off', '--rule=wall-clock=error']);
  expect(both.stdout).toContain('1 error in 1 composition');
  expect(both.status).toBe(1);
  const hint = await lint(dir, ['--rule', 'missing-asset=hint', '--json']);
  expect(JSON.parse(hint.stdout)).toMatchObject({ findings: [], counts: { error: 0, warning: 0, info: 0, hint: 0 } });
});

test('exits with 1 if there are more warnings than --max-warnings', async () => {
  const dir = await folder(`=== index.html\n${root('<style>p{background:url(x.png)}</style>')}`);
  expect((await lint(dir, ['--max-warnings', '1'])).status).toBe(0);
  const { status, stderr } = await lint(dir, ['--max-warnings', '0']);
  expect([status, stderr]).toEqual([1, '1 warning, more than --max-warnings 0\n']);
  expect((await lint(dir, ['--max-warnings', '0', '--json'])).status).toBe(1);
});

test('rejects invalid options with status 2', async () => {
  const dir = await folder(`=== index.html\n${root()}`);
  const usage = async (args: string[], message: string) => {
    const { status, stderr } = await lint(dir, args);
    expect([status, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
  };
  await usage(['--rule', 'missing-aset=off'], 'unknown rule "missing-aset"; did you mean "missing-asset"?');
  await usage(['--rule', 'missing-asset'], '--rule must be <rule>=<level> (got "missing-asset")');
  await usage(['--dry-run'], '--dry-run needs --fix');
  await usage(['--json', '--format', 'sarif'], '--json and --format sarif cannot be used together');
  await usage(['--format', 'xml'], '--format must be text, json, github or sarif (got "xml")');
});

test('reports a framework.json that cannot be read', async () => {
  const dir = await folder(`=== index.html\n${root()}\n=== framework.json/note.txt\n`);
  const { status, stderr } = await lint(dir);
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: framework.json: Cannot read the file: it is a folder']);
});

test('reports a folder without compositions', async () => {
  const dir = await folder('=== index.html\n<p>No composition</p>\n=== framework.json\n{"lint":1}');
  expect((await lint(dir)).stderr).toContain('framework.json:1:9: "lint" must be a JSON object');
  expect((await lint(dir)).status).toBe(2);
  await rm(join(dir, 'framework.json'));
  expect(await lint(dir)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No composition found in ROOT'),
  });
  expect((await lint(join(dir, 'index.html'))).stderr).toContain('is not a composition');
  const missing = await lint(join(dir, 'nowhere'), ['--json']);
  expect(missing.status).toBe(1);
  expect(JSON.parse(missing.stdout).error.code).toBe('project_not_found');
});

test('exits with 130 when cancelled', async () => {
  const dir = await folder(`=== index.html\n${root()}`);
  const { status, stdout } = await lint(dir, ['--json'], { signal: AbortSignal.abort() });
  expect([status, JSON.parse(stdout).error.code]).toEqual([130, 'cancelled']);
});

test('lints each project of a folder with its own files and settings', async () => {
  const dir = await folder(
    [
      `=== one/index.html\n${root('<img src="/a.png"><div data-composition-src="scenes/x.html"></div>')}`,
      `=== one/a.png\n=== one/scenes/x.html\n<div data-composition-id="x"><img src="scenes/y.png"></div>`,
      `=== one/scenes/y.png\n=== two/index.html\n${root('<img src="/a.png">')}`,
      `=== two/framework.json\n{"lint":{"rules":{"missing-asset":"warning"}}}`,
      `=== node_modules/x/index.html\n${root(image)}\n=== .cache/index.html\n${root(image)}\n=== dist/index.html\n${root(image)}`,
    ].join('\n'),
  );
  const { findings, files } = JSON.parse((await lint(dir, ['--json'])).stdout);
  expect(files).toBe(3);
  expect(
    findings.map(({ file, severity, message }: Record<string, string>) => `${file} ${severity} ${message}`),
  ).toEqual(['two/index.html warning The file a.png does not exist']);
});

test('finds referenced files in ignored folders and behind links', async (context) => {
  needLinks(context);
  const dir = await folder(
    `=== index.html\n${root('<script src="node_modules/x/x.js"></script><img src="dist/a.png"><img src="linked/b.png"><img src="dist/c.png"><div data-composition-src="node_modules/x/x.html"></div>')}\n=== node_modules/x/x.js\n=== node_modules/x/x.html\n<p data-composition-id="x">\n=== dist/a.png\n=== assets/b.png\n`,
  );
  await symlink('assets', join(dir, 'linked'), 'junction');
  const { findings } = JSON.parse((await lint(dir, ['--json'])).stdout);
  expect(findings.map(({ message }: { message: string }) => message)).toEqual(['The file dist/c.png does not exist']);
});

test('a file with a name in another letter case does not exist, also where the disk ignores it', async () => {
  const dir = await folder(
    `=== index.html\n${root('<img src="photo.png"><img src="node_modules/x/a.PNG">')}\n=== Photo.png\n=== node_modules/x/a.png\n`,
  );
  const { findings } = JSON.parse((await lint(dir, ['--json'])).stdout);
  expect(findings.map(({ message }: { message: string }) => message)).toEqual([
    'The file photo.png does not exist; did you mean Photo.png?',
    'The file node_modules/x/a.PNG does not exist',
  ]);
});

test('lints a single file within the project of the parent folder with an index.html', async () => {
  const dir = await folder(
    `=== index.html\n${root(image)}\n=== scenes/x.html\n<div data-composition-id="x"><img src="../a.png"><img src="b.png"></div>\n=== a.png\n`,
  );
  const { findings } = JSON.parse((await lint(join(dir, 'scenes/x.html'), ['--json'])).stdout);
  expect(findings).toMatchObject([{ file: 'scenes/x.html', rule: 'missing-asset', line: 1, column: 60 }]);
});

test('prints JSON', async () => {
  const dir = await folder(`=== index.html\n${root(image)}`);
  expect(JSON.parse((await lint(dir, ['--json'])).stdout)).toEqual({
    root: 'ROOT',
    files: 1,
    counts: { error: 1, warning: 0, info: 0, hint: 0 },
    findings: [
      {
        rule: 'missing-asset',
        severity: 'error',
        message: 'The file nowhere.png does not exist',
        file: 'index.html',
        span: { start: 107, end: 118 },
        line: 3,
        column: 11,
        endLine: 3,
        endColumn: 22,
        related: [],
        fixes: [],
        doc: 'docs/rules.md#missing-asset',
      },
    ],
    fixed: [],
  });
  expect(await lint(dir, ['--format', 'json'])).toEqual(await lint(dir, ['--json']));
});

test('prints escaped GitHub workflow commands', async () => {
  const dir = await folder(`=== index.html\n${root('<p data-start="50% + ,:"></p>')}\n=== a,b:c.html\n${root(image)}`);
  const { stdout } = await lint(dir, ['--format', 'github']);
  expect(stdout.split('\n')).toEqual([
    '::error file=ROOT/a%2Cb%3Ac.html,line=3,endLine=3,col=11,endColumn=21,title=missing-asset::The file nowhere.png does not exist',
    '::error file=ROOT/index.html,line=3,endLine=3,col=16,endColumn=23,title=invalid-start::Expected a number of seconds after "50%25 +" (got ",:")',
    '',
  ]);
});

test('prints SARIF', async () => {
  const dir = await folder(`=== a b.html\n${root('<div data-composition-src="a b.html"></div>')}`);
  const log = JSON.parse((await lint(dir, ['--format', 'sarif'])).stdout);
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  const [result] = run.results;
  expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
  expect(result).toMatchObject({ ruleId: 'circular-composition', level: 'error' });
  expect(result.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'ROOT/a%20b.html' },
    region: { startLine: 3, startColumn: 28, endLine: 3, endColumn: 36 },
  });
});

test('SARIF has a URI for a file on another drive of Windows', () => {
  const place = {
    ruleId: 'missing-asset',
    severity: 'error',
    message: 'a',
    file: 'a.html',
    span: { start: 0, end: 1 },
  };
  const report = { findings: [{ ...place, related: [] }], texts: new Map([['a.html', 'x']]) } as unknown as LintReport;
  expect(sarifReport(report, () => 'D:/a b/c.html')).toContain('"uri": "file:///D:/a%20b/c.html"');
});

const fixable =
  '\uFEFF<!doctype html>\r\n<html data-composition-variables=\'[{"id":"n","type":"number","default":"5"}]\'>\r\n';
const rest = `<div data-composition-id="m" ${size}><p data-var-text="n"></p></div>\r\n</html>`;

test('--fix keeps line ends, byte order mark and file mode, and repeats until nothing is left to fix', async () => {
  const dir = await folder('=== other.txt\n');
  const path = join(dir, 'index.html');
  await writeFile(path, fixable + rest, { mode: 0o640 });
  const dry = await lint(dir, ['--fix', '--dry-run']);
  expect(dry.stdout).toContain('--- a/ROOT/index.html\n+++ b/ROOT/index.html\n@@ -1,4 +1,4 @@\n');
  expect(dry.stdout).toContain(
    `+<html data-composition-variables='[{"id":"n","type":"number","default":5,"label":"N"}]'>\r\n`,
  );
  expect(await readFile(path, 'utf8')).toBe(fixable + rest);
  const { status, stdout } = await lint(dir, ['--fix']);
  expect(stdout).toBe(
    'ROOT/index.html: 2 fixes\n  Add "label": "N"\n  Change to 5\n\nNo problems found in 1 composition\n',
  );
  expect(status).toBe(0);
  expect(await readFile(path, 'utf8')).toBe(fixable.replace('"5"', '5,"label":"N"') + rest);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect(await readdir(dir)).toEqual(['index.html', 'other.txt']);
});

test('--fix --dry-run prints only the patch to stdout, the summary to stderr, and exits with 1 while errors remain', async () => {
  const source = `=== index.html\n${root('<p data-start="0" data-duration="1s"></p>')}`;
  const dir = await folder(source);
  const { status, stdout, stderr } = await lint(dir, ['--fix', '--dry-run']);
  expect(stdout.startsWith('--- a/ROOT/index.html\n+++ b/ROOT/index.html\n@@ ')).toBe(true);
  expect(stdout.split('\n').filter((line) => !/^(?:[-+ @\\]|$)/.test(line))).toEqual([]);
  expect(stderr).toContain('1 error in 1 composition');
  expect(status).toBe(1);
  const json = await lint(dir, ['--fix', '--dry-run', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ counts: { error: 1 }, fixed: [{ file: 'index.html' }] });
  expect(json.status).toBe(1);
});

test('--fix --dry-run exits with 0 when there is nothing to fix', async () => {
  const dir = await folder(`=== index.html\n${root()}`);
  const { status, stdout } = await lint(dir, ['--fix', '--dry-run']);
  expect([status, stdout]).toEqual([0, '']);
});

test.skipIf(process.platform === 'win32')('--fix writes through a link', async () => {
  const dir = await folder(`=== real.txt\n${fixable}${rest}`);
  await symlink('real.txt', join(dir, 'index.html'));
  await lint(dir, ['--fix']);
  expect(await readFile(join(dir, 'real.txt'), 'utf8')).toContain('"label":"N"');
});

test('shows progress only on a terminal', async () => {
  const dir = await folder(
    Array.from({ length: 60 }, (_, index) => `=== ${index}.html\n<p data-composition-id="a">`).join('\n'),
  );
  expect((await lint(dir)).stderr).toBe('');
  expect((await lint(dir, [], { tty: true, env: { NO_COLOR: '1' } })).stderr).toBe(
    '\r25/60 files\x1b[K\r50/60 files\x1b[K\r\x1b[K',
  );
});

test('reads the style sheets that declare fonts, also in packages', async () => {
  const face = (name: string) => `@font-face { font-family: ${name}; src: url(a.woff2) }`;
  const use = (name: string) => `<p style="font-family: ${name}, serif"></p>`;
  const link = '<link rel="stylesheet" href="node_modules/optima/index.css">';
  const dir = await folder(
    `=== index.html\n${root(`${link}${['Futura', 'Avenir', 'Optima', 'Didot'].map(use).join('\n')}`)}
=== framework.json\n{"fonts": ["brand/fonts.css"]}
=== brand/fonts.css\n${face('Futura')}
=== fonts/avenir.css\n${face('Avenir')}
=== node_modules/optima/index.css\n${face('Optima')}`,
  );
  const { stdout } = await lint(dir, ['--json']);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; fonts?: string[] }[] };
  expect(findings.map(({ rule, fonts }) => [rule, fonts])).toEqual([['system-font', ['Didot']]]);
});
