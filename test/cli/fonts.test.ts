// `framework fonts`: the families of a project and their sources.
import { expect, test } from 'vitest';
import { composition, project } from '../support/project.ts';
import { cli } from './cli.ts';

const face = (family: string, more = '') => `@font-face{font-family:"${family}";${more}src:url(a.woff2)}\n`;
const files = () => ({
  'index.html': composition('<div style="font-family:Futura">a</div><div data-composition-src="card.html"></div>', {
    head: `<link rel="stylesheet" href="style.css"><style>${face('Own', 'font-weight:100 900;')}</style>`,
  }),
  'card.html': '<div data-composition-id="card" style="font:20px Own, system-ui">Card</div>',
  'style.css': '/* Text */\nh1 { font-family: "DM Sans", Arial, futura }',
  'fonts/dm-sans.css': face('DM Sans') + face('DM Sans', 'font-weight:bold;'),
  'fonts/unused.css': face('Unused'),
});

test('prints a table of families, and the commands that add those of the machine', async () => {
  const { status, stdout } = await cli(['fonts', project(files())]);
  expect(status).toBe(0);
  expect(stdout).toBe(`Family     Source       Weights   From                        Used in
Futura     system       -         this machine, if installed  index.html:5 and 1 more
Own        composition  100-900   index.html                  card.html:1
system-ui  pinned       100-900   Inter                       card.html:1
DM Sans    project      400, 700  fonts/dm-sans.css           style.css:2
Arial      pinned       400, 700  Arimo                       style.css:2
Unused     project      400       fonts/unused.css            not used

Fonts with the source "system" differ between machines. To add them to the project:
  framework fonts add "Futura"
`);
});

test('prints JSON', async () => {
  const root = project({ 'index.html': composition('<p style="font-family:Georgia">x</p>') });
  const { stdout } = await cli(['fonts', root, '--json']);
  expect(JSON.parse(stdout)).toEqual({
    root,
    fonts: [
      {
        family: 'Georgia',
        source: 'pinned',
        project: '.',
        file: null,
        substitute: 'Gelasio',
        weights: ['400', '700'],
        uses: [{ file: 'index.html', line: 4, column: 23 }],
      },
    ],
  });
});

test('a project is listed with paths relative to the given folder', async () => {
  const { stdout } = await cli([
    'fonts',
    project({ 'a/index.html': files()['index.html'], 'a/fonts/futura.css': face('Futura') }),
  ]);
  expect(stdout).toContain('Futura  project  400      a/fonts/futura.css  a/index.html:5\n');
});

test('says that a file names no fonts, and rejects folders without compositions', async () => {
  expect(await cli(['fonts', project(composition(''))])).toMatchObject({ stdout: 'The compositions name no font.\n' });
  expect(await cli(['fonts', project({ 'a.txt': '' })])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No composition found in'),
  });
});
