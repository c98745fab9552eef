// The fonts of a project: which style sheets declare them, and where pages load them.
import { expect, test } from 'vitest';
import { overlayFiles } from '../../../preview/overlay.ts';
import { readPreview } from '../../../preview/shownComposition.ts';
import { projectFontSheets } from '../../../renderer-core/fonts/projectFonts.ts';
import { readLintConfig } from '../../../renderer-core/lint/settings.ts';
import { buildGraph } from '../../../renderer-core/model/graph.ts';
import { assemblePage } from '../../../renderer-core/page/assemble/assemble.ts';
import { readInside } from '../../../renderer-core/project/readInside.ts';
import { composition, project } from '../../support/project.ts';

const face = (family: string) => `@font-face{font-family:"${family}";src:url(face.woff2)}`;
const sheetsOf = (files: Record<string, string>) => projectFontSheets(readInside(project(files)));

test('declares the sheets in fonts/ that have @font-face rules, and those in framework.json', () => {
  const files = {
    'fonts/b.css': face('B'),
    'fonts/a.css': face('A'),
    'fonts/a-LICENSE.txt': 'OFL',
    'fonts/colors.css': 'h1{color:red}',
    'fonts/more/c.css': face('C'),
    'brand/fonts.css': face('Brand'),
    'framework.json': '{"fonts": ["brand/fonts.css", "fonts/a.css"]}',
  };
  expect(sheetsOf(files)).toEqual(['fonts/a.css', 'fonts/b.css', 'brand/fonts.css']);
  expect(sheetsOf({ 'index.html': '' })).toEqual([]);
});

test.each([
  ['{"fonts": "brand.css"}', '"fonts" must be a JSON array of paths of style sheets', 11],
  [
    '{"fonts": ["../brand.css"]}',
    'A font sheet must be the path of a .css file in the project folder, such as "brand/fonts.css"',
    12,
  ],
  ['{"fonts": ["brand.css"]}', 'The font sheet brand.css does not exist', 12],
])('rejects %s', (text, message, column) => {
  const place = { file: 'framework.json', line: 1, column };
  expect(() => sheetsOf({ 'framework.json': text })).toThrow(
    expect.objectContaining({ code: 'config_invalid', message, place }),
  );
});

test('the linter and the editor report the same problems of framework.json', () => {
  expect(readLintConfig('{"fonts": [1]}').problems).toMatchObject([{ line: 1, column: 12 }]);
  expect(readLintConfig('{"fonts": ["a.css"], "lint": {"rules": {"unused-variable": "off"}}}')).toEqual({
    settings: { rules: { 'unused-variable': 'off' } },
    problems: [],
  });
});

function pageWith(html: string, base?: string) {
  const texts: Record<string, string> = {
    'a/index.html': html,
    'fonts/a.css': face('Arial'),
    'fonts/ü.css': face('U'),
  };
  const files = {
    exists: (path: string) => path in texts,
    read: (path: string) => texts[path],
    fontSheets: ['fonts/a.css', 'fonts/ü.css'],
    ...(base === undefined ? {} : { base }),
  };
  return assemblePage(buildGraph('a/index.html', files.read), {}, files, {
    seed: 1,
    epochMs: 0,
    fps: { num: 30, den: 1 },
  });
}

/** The sheets that the runtime loads before those of the page. */
const sheetsIn = ({ html }: { html: string }) =>
  /\\"sheets\\":\[(.*?)\]/
    .exec(html)?.[1]
    ?.replaceAll(/\?v=[\w-]+|[\\"]/g, '')
    .split(',');

test('pages load the sheets after the pinned fonts and before their own styles', () => {
  const page = pageWith('<html><head><style>h1{font-family:Arial}</style></head><body data-composition-id="m">');
  expect(sheetsIn(page)).toEqual(['/__framework/fonts/fonts.css', '/fonts/a.css', '/fonts/%C3%BC.css']);
  expect(page.fonts?.names).not.toContain('arial');
});

test('addresses are relative to the page in the preview', () => {
  expect(sheetsIn(pageWith('<body data-composition-id="m">', '../'))).toContain('../fonts/a.css');
});

test('a sheet that the page loads itself is not loaded twice', () => {
  const page = pageWith(
    '<html><head><link rel="stylesheet" href="../fonts/a.css"></head><body data-composition-id="m">',
  );
  expect(sheetsIn(page)).toEqual(['/__framework/fonts/fonts.css', '/fonts/%C3%BC.css']);
});

test('the preview shows the fonts of the project, also in a style sheet that is not saved yet', () => {
  const root = project({ 'index.html': composition(''), 'fonts/a.css': face('A') });
  const files = overlayFiles(readInside(root));
  files.set('fonts/b.css', face('B'));
  const shown = { composition: 'index.html', values: {}, source: undefined, size: '' };
  expect(sheetsIn({ html: readPreview(root, shown, files, { systemFonts: false }).page?.html(1) ?? '' })).toEqual([
    './__framework/fonts/fonts.css',
    './fonts/a.css',
    './fonts/b.css',
  ]);
});
