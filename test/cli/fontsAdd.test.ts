// `framework fonts add`: families from a local npm registry.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type FontRegistry, packageFace, startFontRegistry, testSans } from '../support/fontRegistry.ts';
import { composition, project } from '../support/project.ts';
import { cli } from './cli.ts';

let registry: FontRegistry;
let root: string;

beforeEach(async () => {
  registry = await startFontRegistry();
  root = project(composition(''));
});

const add = (...argv: string[]) => cli(['fonts', 'add', ...argv], { env: registry.env });
const added = () => (existsSync(join(root, 'fonts')) ? readdirSync(join(root, 'fonts')).sort() : []);
const text = (name: string) => readFileSync(join(root, 'fonts', name), 'utf8');

test('copies the files of a family, and declares them', async () => {
  await registry.publish('@fontsource/test-sans', testSans);
  const { status, stdout } = await add('test sans', root);
  expect(status).toBe(0);
  expect(stdout).toBe(`Test Sans (400, normal and italic), from the npm package @fontsource/test-sans 1.2.3
  new  fonts/test-sans.css                        717 B
  new  fonts/test-sans-LICENSE.txt                17 B
  new  fonts/test-sans-cyrillic-400-normal.woff2  8 B
  new  fonts/test-sans-latin-400-normal.woff2     7 B
  new  fonts/test-sans-latin-400-italic.woff2     6 B

--- /dev/null
+++ b/fonts/test-sans.css
@@ -0,0 +1,27 @@
${text('test-sans.css').trimEnd().replaceAll(/^/gm, '+')}
`);
  expect(
    text('test-sans.css'),
  ).toBe(`/* Test Sans, from the npm package @fontsource/test-sans 1.2.3. License: test-sans-LICENSE.txt */
@font-face {
  font-family: "Test Sans";
  font-style: normal;
  font-weight: 400;
  font-display: block;
  src: url(test-sans-cyrillic-400-normal.woff2) format("woff2");
  unicode-range: U+0400-045F;
}

@font-face {
  font-family: "Test Sans";
  font-style: normal;
  font-weight: 400;
  font-display: block;
  src: url(test-sans-latin-400-normal.woff2) format("woff2");
  unicode-range: U+0000-00FF,U+0131;
}

@font-face {
  font-family: "Test Sans";
  font-style: italic;
  font-weight: 400;
  font-display: block;
  src: url(test-sans-latin-400-italic.woff2) format("woff2");
  unicode-range: U+0000-00FF,U+0131;
}
`);
  expect([text('test-sans-LICENSE.txt'), text('test-sans-latin-400-italic.woff2')]).toEqual([
    'Open Font License',
    'italic',
  ]);
  expect(readdirSync(root).sort()).toEqual(['fonts', 'index.html']);
  const list = await cli(['fonts', root]);
  expect(list.stdout).toContain('Test Sans  project  400      fonts/test-sans.css  not used');
});

test('replaces files that differ only with --force, and none if one cannot be replaced', async () => {
  await registry.publish('@fontsource/test-sans', testSans);
  await add('Test Sans', root);
  const refused = await add('Test Sans', root, '--weights', '300');
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `error: fonts/test-sans.css already exists with other contents
hint: Nothing was written. --force replaces the files; then name all weights that the project needs.
`,
  });
  expect(added()).not.toContain('test-sans-latin-300-normal.woff2');
  const { stdout } = await add('Test Sans', root, '--weights', '300,400', '--force');
  expect(stdout).toContain('  changed    fonts/test-sans.css ');
  expect(stdout).toContain('  unchanged  fonts/test-sans-latin-400-normal.woff2 ');
  expect(stdout).toContain('  new        fonts/test-sans-latin-300-normal.woff2 ');
  expect(stdout).toContain('--- a/fonts/test-sans.css\n+++ b/fonts/test-sans.css\n@@ -2,6 +2,15 @@\n');
  expect(await add('Test Sans', root, '--weights', '300,400')).toMatchObject({ status: 0 });
});

test('a dry run writes nothing', async () => {
  await registry.publish('@fontsource/test-sans', testSans);
  const { stdout } = await add('Test Sans', root, '--dry-run', '--weights=300', '--json');
  expect(JSON.parse(stdout)).toEqual({
    root,
    family: 'Test Sans',
    package: '@fontsource/test-sans',
    version: '1.2.3',
    weights: ['300'],
    styles: ['normal'],
    sheet: 'fonts/test-sans.css',
    files: [
      { path: 'fonts/test-sans.css', status: 'new', bytes: 305 },
      { path: 'fonts/test-sans-LICENSE.txt', status: 'new', bytes: 17 },
      { path: 'fonts/test-sans-latin-300-normal.woff2', status: 'new', bytes: 5 },
    ],
    dryRun: true,
  });
  expect(added()).toEqual([]);
});

test('uses the variable font of families that have no other package', async () => {
  const face = (style: 'normal' | 'italic') => packageFace({ weight: '100 900', style, family: 'Test Sans Variable' });
  await registry.publish('@fontsource-variable/test-sans', {
    LICENSE: 'Open Font License',
    'index.css': face('normal'),
    'wght.css': face('normal'),
    'wght-italic.css': face('italic'),
    'files/test-sans-latin-100-900-normal.woff2': 'normal',
    'files/test-sans-latin-100-900-italic.woff2': 'italic',
  });
  const { stdout } = await add('Test Sans', root, '--weights', '450');
  expect(stdout).toContain(
    'Test Sans (100-900, normal and italic), from the npm package @fontsource-variable/test-sans 1.2.3\n',
  );
  expect(text('test-sans.css')).toContain(
    'font-family: "Test Sans";\n  font-style: normal;\n  font-weight: 100 900;\n',
  );
});

test.each([
  [
    ['Robotto', '--weights', '400'],
    'No free font family "Robotto" was found; did you mean "Roboto"?',
    'Check the name. If',
  ],
  [['Arial'], 'No free font family "Arial" was found', 'Text in Arial is shown in Arimo, which ships with Framework.'],
  [['Test Sans', '--weights', '400,450,900'], 'Test Sans has no weight 450, 900', 'Available weights: 300, 400.'],
  [['Test Sans', '--weights', 'bold'], '--weights must be weights from 1 to 1000', 'For example: --weights 400,700'],
  [['#'], '"#" is not the name of a font family', ''],
  [[], 'A font family is needed', 'For example: framework fonts add "DM Sans"'],
])('rejects %s', async (argv, message, hint) => {
  await registry.publish('@fontsource/test-sans', testSans);
  const [family = '', ...options] = argv;
  const { status, stderr } = await add(...(argv.length === 0 ? [] : [family, root, ...options]));
  expect(status).toBe(2);
  expect(stderr).toContain(`error: ${message}`);
  expect(stderr).toContain(hint);
  expect(added()).toEqual([]);
});

test.each([
  ['without a license', { LICENSE: undefined }, 'it has no license'],
  [
    'without a file that its sheet names',
    { 'files/test-sans-latin-300-normal.woff2': undefined },
    'files/test-sans-latin-300-normal.woff2 is missing',
  ],
  [
    'with other CSS in a descriptor',
    { '300.css': packageFace({ weight: '300} body{display:none' }), '400.css': '', '400-italic.css': '' },
    'it contains no fonts',
  ],
])('rejects a package %s, and writes nothing', async (_, changes, reason) => {
  const files = Object.entries({ ...testSans, ...changes }).flatMap(([path, content]) =>
    content === undefined ? [] : [[path, content]],
  );
  await registry.publish('@fontsource/test-sans', Object.fromEntries(files));
  expect(await add('Test Sans', root, '--weights=300')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`The package @fontsource/test-sans 1.2.3 cannot be used: ${reason}.`),
  });
  expect(added()).toEqual([]);
});

test('needs npm, and reports its reason', async () => {
  const { stderr } = await cli(['fonts', 'add', 'Lora', root], { env: { PATH: root } });
  expect(stderr).toContain(
    'error: npm was not found on PATH; font families are downloaded with it.\nhint: Install Node.js with npm',
  );
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
  expect(await cli(['fonts', 'add', 'Lora', root], { env })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^error: npm cannot download @fontsource\/lora: .*\nhint: Check the registry and the proxy of npm with "npm config list"\.\n$/,
    ),
  });
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written', async () => {
  await registry.publish('@fontsource/test-sans', testSans);
  mkdirSync(join(root, 'fonts'));
  chmodSync(root, 0o500);
  expect(await add('Test Sans', root)).toMatchObject({ stderr: expect.stringContaining('Nothing was written.') });
});

test('leaves everything as it was if a file cannot be replaced', async () => {
  await registry.publish('@fontsource/test-sans', testSans);
  writeFileSync(join(root, 'fonts'), 'a file in place of the folder');
  expect(await add('Test Sans', root)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Cannot write fonts/test-sans.css: '),
  });
  expect(readdirSync(root).sort()).toEqual(['fonts', 'index.html']);
});
