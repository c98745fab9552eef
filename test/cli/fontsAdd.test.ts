// `framework fonts add`: families from a local npm registry, and from a local server that answers as Google Fonts does.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { composition, project } from '../support/project.ts';
import { type FontRegistry, packageFace, startFontRegistry, testSans } from '../support/servers/fontRegistry.ts';
import { type Answer, type GoogleFonts, startGoogleFonts } from '../support/servers/googleFonts.ts';
import { cli } from './cli.ts';

let registry: FontRegistry;
let google: GoogleFonts;
let root: string;

beforeEach(async () => {
  registry = await startFontRegistry();
  google = await startGoogleFonts();
  root = project(composition(''));
});

const add = (...argv: string[]) => cli(['fonts', 'add', ...argv], { env: registry.env, fontService: google.service });
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
  expect(google.asked).toEqual([]);
  expect(JSON.parse(stdout)).toEqual({
    root,
    family: 'Test Sans',
    source: 'npm',
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
    stderr: expect.stringContaining(`The npm package @fontsource/test-sans 1.2.3 cannot be used: ${reason}.`),
  });
  expect(google.asked).toEqual([]);
  expect(added()).toEqual([]);
});

test('copies a family that npm does not have from Google Fonts', async () => {
  google.families.set('Test Serif', ['400', '400 italic', '500', '700']);
  const { status, stdout, stderr } = await add('  Test  Serif ', root);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(`Test Serif (400, 700, normal and italic), from Google Fonts
  new  fonts/test-serif.css                        1.3 kB
  new  fonts/test-serif-LICENSE.txt                247 B
  new  fonts/test-serif-cyrillic-400-normal.woff2  24 B
  new  fonts/test-serif-latin-400-normal.woff2     21 B
  new  fonts/test-serif-cyrillic-400-italic.woff2  24 B
  new  fonts/test-serif-latin-400-italic.woff2     21 B
  new  fonts/test-serif-cyrillic-700-normal.woff2  24 B
  new  fonts/test-serif-latin-700-normal.woff2     21 B

--- /dev/null
+++ b/fonts/test-serif.css
@@ -0,0 +1,54 @@
${text('test-serif.css').trimEnd().replaceAll(/^/gm, '+')}
`);
  const [first] = text('test-serif.css').split('\n\n');
  expect(first).toBe(`/* Test Serif, from Google Fonts. License: test-serif-LICENSE.txt */
@font-face {
  font-family: "Test Serif";
  font-style: normal;
  font-weight: 400;
  font-display: block;
  src: url(test-serif-cyrillic-400-normal.woff2) format("woff2");
  unicode-range: U+0301, U+0400-045F;
}`);
  expect(text('test-serif-latin-400-italic.woff2')).toBe('wOF2 latin 400 italic');
  expect(
    text('test-serif-LICENSE.txt'),
  ).toBe(`Test Serif was downloaded from Google Fonts: https://fonts.google.com/specimen/Test+Serif
Google Fonts serves fonts under open licenses. The license of this font: https://fonts.google.com/specimen/Test+Serif/license
Keep this file with the fonts.
`);
  const list = await cli(['fonts', root]);
  expect(list.stdout).toContain('Test Serif  project  400, 700  fonts/test-serif.css  not used');
});

test('uses Google Fonts if npm is missing, and says so in the report', async () => {
  google.families.set('Test Serif', ['300']);
  const run = { env: { PATH: root }, fontService: google.service };
  const { stdout } = await cli(['fonts', 'add', 'Test Serif', root, '--json', '--dry-run'], run);
  expect(JSON.parse(stdout)).toMatchObject({
    family: 'Test Serif',
    ...{ source: 'google', package: null, version: null },
    // Without the usual weights, the family has its own.
    weights: ['300'],
    styles: ['normal'],
  });
  expect(added()).toEqual([]);
});

test('copies the file of a variable font once', async () => {
  google.families.set('Test Serif', ['400', '700']);
  google.isVariable = true;
  const { stdout } = await add('Test Serif', root);
  expect(stdout).toContain('Test Serif (400, 700, normal), from Google Fonts\n');
  expect(added()).toEqual([
    'test-serif-LICENSE.txt',
    'test-serif-cyrillic-400-normal.woff2',
    'test-serif-latin-400-normal.woff2',
    'test-serif.css',
  ]);
  const bold =
    '  font-weight: 700;\n  font-display: block;\n  src: url(test-serif-latin-400-normal.woff2) format("woff2");\n';
  expect(text('test-serif.css')).toContain(bold);
});

test('lists the weights that Google Fonts has', async () => {
  google.families.set('Test Serif', ['300', '800 italic']);
  expect(await add('Test Serif', root, '--weights', '300,450')).toMatchObject({
    status: 2,
    stderr: 'error: Test Serif has no weight 450\nhint: Available weights: 300, 800.\n',
  });
  expect(added()).toEqual([]);
});

test.each<[string, (path: string) => Answer | undefined, string]>([
  [
    'a file of another host',
    (path) =>
      path === '/css2' ? { text: google.sheet('Test Serif', '400').replaceAll('127.0.0.1', 'localhost') } : undefined,
    'its style sheet names a file that is not of http://127.0.0.1:',
  ],
  [
    'a file that is redirected to another host',
    (path) =>
      path.startsWith('/s/') ? { location: google.service.files.replace('127.0.0.1', 'localhost') } : undefined,
    'it redirects to another host: http://localhost:',
  ],
  [
    'a file in another format',
    (path) => (path.startsWith('/s/') ? { text: '<html>' } : undefined),
    ' is not a WOFF2 file.',
  ],
  ['a file that is missing', (path) => (path.includes('latin') ? { status: 404 } : undefined), ': HTTP 404.'],
  ['a page instead of a style sheet', () => ({ text: '<html>Sign in</html>' }), 'it contains no fonts.'],
  [
    'other CSS in a descriptor',
    (path) =>
      path === '/css2' ? { text: google.sheet('Test Serif', '400').replaceAll('400;', '400} body{x:y;') } : undefined,
    'it contains no fonts.',
  ],
])('rejects %s of Google Fonts, and writes nothing', async (_, answer, reason) => {
  google.families.set('Test Serif', ['400']);
  google.answer = answer;
  const { status, stdout, stderr } = await add('Test Serif', root);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^error: Google Fonts cannot be used: /);
  expect(stderr).toContain(reason);
  expect(added()).toEqual([]);
});

test('names both sources and the fix if none can be reached', async () => {
  const withoutNpm = await cli(['fonts', 'add', 'Lora', root], { env: { PATH: root } });
  expect(withoutNpm).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^error: No free font family "Lora" was found \(npm was not found on PATH; Google Fonts cannot be reached: .*ECONNREFUSED.*\).*\nhint: Install Node\.js with npm\. If you have the font files, copy them into fonts\/ /,
    ),
  });
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
  expect(await cli(['fonts', 'add', 'Lora', root], { env })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^error: No free font family "Lora" was found \(npm cannot download @fontsource\/lora: .*; Google Fonts cannot be reached: .*\).*\nhint: Check the registry and the proxy of npm with "npm config list"\. /,
    ),
  });
  expect(await cli(['fonts', 'add', 'Robotto', root], { env: registry.env })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^error: No free font family "Robotto" was found \(npm has no package of it; Google Fonts cannot be reached: .*\); did you mean "Roboto"\?\nhint: Check the name and the connection to the internet\. /,
    ),
  });
});

test.skipIf(process.getuid?.() === 0)('reports a folder that cannot be written', async () => {
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
    stderr: expect.stringContaining('Cannot write to fonts/test-sans.css: '),
  });
  expect(readdirSync(root).sort()).toEqual(['fonts', 'index.html']);
});
