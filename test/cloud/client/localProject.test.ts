// Checks of a local project before it is uploaded.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkArchiveFiles } from '../../../cloud/client/archiveLimits.ts';
import { type CloudRenderRequest, planCloudRender } from '../../../cloud/client/cloudRender.ts';
import { composition, project } from '../../support/project.ts';

const size = { width: 1080, height: 1080 };
const page = (body: string, root: Parameters<typeof composition>[1] = {}): string =>
  composition(body, { ...size, ...root });

const plan = (files: string | Record<string, string>, request: CloudRenderRequest = {}) =>
  planCloudRender({ projectDir: project(files), ...request });

async function checkWarnings(files: string | Record<string, string>, warnings: string[], request?: CloudRenderRequest) {
  expect((await plan(files, request)).warnings).toEqual(warnings);
}

async function checkError(files: string | Record<string, string>, error: object, request?: CloudRenderRequest) {
  await expect(plan(files, request)).rejects.toMatchObject(error);
}

test.each([
  [1920, 1080, '16:9'],
  [1366, 768, '16:9'],
  [854, 480, '16:9'],
  [1080, 1920, '9:16'],
  [607, 1080, '9:16'],
  [1000, 1000, '1:1'],
  [1000, 995, '1:1'],
  [1000, 980, undefined],
  [1440, 1080, undefined],
  [2560, 1080, undefined],
])('detects the aspect ratio of %ix%i as %s', async (width, height, expected) => {
  expect((await plan(page('', { width, height }))).order.aspect_ratio).toBe(expected);
});

test('sends the size that was requested', async () => {
  const files = page('', { width: 1440, height: 1080 });
  expect((await plan(files, { aspectRatio: '16:9', fit: 'cover', width: 640 })).order).toMatchObject({
    aspect_ratio: '16:9',
    fit: 'cover',
    width: 640,
  });
  const { order } = await plan(page(''), { width: 640, height: 360, fit: 'contain', background: '#123' });
  expect(order).toEqual({ project: expect.anything(), width: 640, height: 360, fit: 'contain', background: '#123' });
});

test('sends the aspect ratio or the pixels of a declared size', async () => {
  const files = page('', { width: 1920, height: 1080, attributes: 'data-sizes="1080x1920"' });
  expect((await plan(files, { aspectRatio: '9:16' })).order).toMatchObject({ aspect_ratio: '9:16' });
  // Without the declaration, they would need a fit.
  expect((await plan(files, { width: 540, height: 960 })).order).toMatchObject({ width: 540, height: 960 });
});

test('rejects sizes that do not fit the composition', async () => {
  await checkError(
    page(''),
    { code: 'usage', message: expect.stringContaining('640x360 has another aspect ratio') },
    { width: 640, height: 360 },
  );
  await checkError(
    page(''),
    { code: 'usage', message: 'The background of H.264 cannot be transparent' },
    { aspectRatio: '16:9', background: 'transparent' },
  );
});

const variables = [
  { id: 'title', type: 'string', label: 'Title', default: 'a' },
  { id: 'size', type: 'enum', label: 'Size', default: 's', options: [{ value: 's', label: 'Small' }] },
];

test("checks values against the entry's declarations", async () => {
  const files = { 'index.html': page(''), 'b.html': page('', { variables }) };
  const given = { titel: 'x', size: 'xl', title: 1 };
  const issues = [
    'b.html:2:35: Variable "titel" is not declared by this composition; did you mean "title"?',
    'b.html:2:103: Variable "size" must be one of "s" (got "xl")',
    'b.html:2:42: Variable "title" must be a string (got 1); write it in quotes: "1"',
  ];
  await checkWarnings(files, issues, { composition: 'b.html', variables: given });
  await checkError(
    files,
    { code: 'variables_invalid', message: issues.join('\n').replace('b.html:2:35: ', '') },
    { composition: 'b.html', variables: given, strictVariables: true },
  );
  await checkWarnings(
    files,
    ['index.html:3:1: Variable "title" is not declared by this composition; it declares no variables'],
    {
      variables: { title: 'x' },
    },
  );
});

test('rejects a project that the service would reject', async () => {
  await checkError({ 'a.html': page('') }, { code: 'composition_not_found' });
  await checkError(page('', { width: 0 }), { code: 'composition_invalid' });
  await checkError('<p>no composition</p>', { code: 'composition_invalid' });
  await checkError(page('', { duration: null }), { code: 'no_duration' });
  await checkError(page('', { duration: 0 }), { code: 'composition_invalid' });
  await checkError(page('<div data-start="nobody" data-duration="1"></div>'), { code: 'timing_invalid' });
  await checkError(page('<div data-composition-src="gone.html"></div>'), {
    code: 'composition_invalid',
    message: 'gone.html does not exist; looked for gone.html',
  });
  // A script may define the duration.
  await checkWarnings(page('<script></script>', { duration: null }), []);
});

test('rejects files that the page loads and that do not exist', async () => {
  await checkError(page('<img src="a.png">\n<video src="b.mp4"></video>'), {
    code: 'asset_missing',
    message: 'The file a.png does not exist\nindex.html:5: The file b.mp4 does not exist',
    place: { file: 'index.html', line: 4 },
  });
  const sources = '<source src="a.mov" type="video/quicktime"><source src="b.mp4"><source src="c.mp4">';
  await checkError(page(`<video>${sources}</video>`), {
    code: 'asset_missing',
    message: 'The file b.mp4 does not exist',
  });
  await checkWarnings(page('<video src=""></video>'), []);
  await checkWarnings(page('<div style="background: url(a.png)"></div>'), [
    'index.html:4 references a.png, which does not exist',
  ]);
  // Set by a variable or another program, from another host, or optional.
  await checkWarnings(
    page('<img src="a.png" data-var-src="photo"><img src="{{x}}"><img src="https://example.com/a.png">', {
      head: '<link rel="icon" href="gone.ico">',
    }),
    [],
  );
});

test('warns of every referenced file that is not uploaded', async () => {
  const files = {
    '.frameworkignore': '*.wav\nparts/\n',
    'index.html': page(
      '<script src="node_modules/gsap/gsap.js"></script><audio src="a.wav"></audio><div data-composition-src="parts/b.html"></div>',
      { head: '<link rel="stylesheet" href="style.css">' },
    ),
    'node_modules/gsap/gsap.js': '',
    'a.wav': '',
    'parts/b.html': page(''),
    'style.css': 'p { background: url("dist/bg.png"), url(kept.png), url(gone.png) }',
    'dist/bg.png': '',
    'kept.png': '',
  };
  const fix = 'Copy it to another folder, or include it in .frameworkignore with a pattern that starts with "!".';
  const effect = 'so it is not uploaded.';
  await checkWarnings(files, [
    `index.html:4 references node_modules/gsap/gsap.js, which is in the excluded folder node_modules/, ${effect} ${fix}`,
    `index.html:4 references a.wav, which is excluded by "*.wav" in .frameworkignore, ${effect} ${fix}`,
    `style.css:1 references dist/bg.png, which is in the excluded folder dist/, ${effect} ${fix}`,
    `index.html:4 references parts/b.html, which is excluded by "parts/" in .frameworkignore, ${effect} ${fix}`,
  ]);
});

test('warns of fonts of the project that are not uploaded', async () => {
  const files = {
    '.frameworkignore': 'fonts/b.css\n*.otf\n',
    'index.html': page(''),
    'fonts/a.css': '@font-face { font-family: A; src: url(a.otf) }',
    'fonts/a.otf': '',
    'fonts/b.css': '@font-face { font-family: B; src: url(b.woff2) }',
  };
  const end =
    'so it is not uploaded. Copy it to another folder, or include it in .frameworkignore with a pattern that starts with "!".';
  await checkWarnings(files, [
    `fonts/a.css:1 references fonts/a.otf, which is excluded by "*.otf" in .frameworkignore, ${end}`,
    `index.html references fonts/b.css, which is excluded by "fonts/b.css" in .frameworkignore, ${end}`,
  ]);
});

test('checks files that values reference', async () => {
  const photo = [{ id: 'photo', type: 'string', label: 'Photo', default: 'gone.png' }];
  const files = {
    'index.html': page('<img data-var-src="photo">', { variables: photo }),
    'dist/a.png': '',
    'b.png': '',
  };
  await checkWarnings(files, ['index.html references gone.png, which does not exist']);
  await checkWarnings(files, [], { variables: { photo: 'b.png' } });
  expect((await plan(files, { variables: { photo: 'dist/a.png' } })).warnings).toEqual([
    expect.stringContaining('index.html references dist/a.png, which is in the excluded folder dist/'),
  ]);
});

test('checks files that values of embedded files reference', async () => {
  const photo = [{ id: 'photo', type: 'string', label: 'Photo', default: 'b.png' }];
  const host = `<div data-composition-src="card.html" data-variable-values='{"photo":"$photo"}'></div>`;
  const files = {
    'index.html': page(host, { variables: photo }),
    'card.html': page('<img data-var-src="photo">', { variables: photo }),
    'b.png': '',
  };
  await checkWarnings(files, []);
  await checkWarnings(files, ['card.html references gone.png, which does not exist'], {
    variables: { photo: 'gone.png' },
  });
});

test('rejects an entry composition that is not uploaded', async () => {
  await checkError(
    { '.frameworkignore': 'index.html\n', 'index.html': page('') },
    {
      code: 'composition_not_found',
      message: 'The composition index.html is excluded by "index.html" in .frameworkignore',
    },
  );
});

test.skipIf(process.platform === 'win32')('rejects links that lead out of the project', async () => {
  const root = project(page(''));
  symlinkSync('/etc/hostname', join(root, 'name.txt'));
  await expect(planCloudRender({ projectDir: root })).rejects.toMatchObject({ code: 'asset_invalid' });
});

test('accepts an .html file as the composition of its folder', async () => {
  const root = project({ 'cards/intro.html': page(''), 'other.txt': '' });
  const { order, archive } = await planCloudRender({ projectDir: join(root, 'cards/intro.html') });
  expect(order).toEqual({
    project: { type: 'asset_id', asset_id: null },
    composition: 'intro.html',
    aspect_ratio: '1:1',
  });
  expect(archive?.files.map(({ path }) => path)).toEqual(['intro.html']);
});

test('rejects paths that differ only in case, too many files, and too large projects', async () => {
  const file = (path: string, size = 1) => ({ path, real: path, size, modified: 0 });
  expect(() => checkArchiveFiles([file('Logo.png'), file('logo.png'), file('e\u0301'), file('\u00e9')])).toThrow(
    'Logo.png and logo.png are the same file on some systems\ne\u0301 and \u00e9 are the same file on some systems',
  );
  expect(() => checkArchiveFiles(Array.from({ length: 20_001 }, (_, at) => file(`${at}`)))).toThrow(
    'The project has 20001 files; the service accepts at most 20000',
  );
  expect(() => checkArchiveFiles([file('a', 3e9)])).toThrow(
    'The project is too large to upload: the files have 3.0 GB, and the limit is 2 GiB. Largest files:\n  3000.0 MB  a',
  );
  expect(() => checkArchiveFiles([file('a.png'), file('b/a.png')])).not.toThrow();
});

test('rejects too many folders, and paths in more than 32 folders', async () => {
  const file = (path: string) => ({ path, real: path, size: 1, modified: 0 });
  const deep = (top: number, folders: number) => file(`${top}/${'a/'.repeat(folders - 1)}b`);
  expect(() => checkArchiveFiles([deep(0, 32)])).not.toThrow();
  expect(() => checkArchiveFiles([deep(0, 33)])).toThrow(
    `0/${'a/'.repeat(32)}b is in more than 32 folders, the limit of the service`,
  );
  expect(() => checkArchiveFiles(Array.from({ length: 666 }, (_, at) => deep(at, 30)))).not.toThrow();
  expect(() => checkArchiveFiles(Array.from({ length: 667 }, (_, at) => deep(at, 30)))).toThrow(
    'The project has 20010 folders; the service accepts at most 20000',
  );
});

test('accepts only frame rates that a decimal number can express', async () => {
  const rate = async (fps: string) => (await plan(page(''), { fps })).order.fps;
  expect(await rate('30')).toBe(30);
  expect(await rate('29.97')).toBe(29.97);
  expect(await rate('24000/1001')).toBe(23.98);
  expect(await rate('25/2')).toBe(12.5);
  expect(await rate('240')).toBe(240);
});

test('looks for files relative to <base>', async () => {
  const files = {
    'index.html': page('<img src="a.png"><audio src="b.wav" data-start="0"></audio>', {
      head: '<base href="assets/"><link rel="stylesheet" href="s.css">',
    }),
    'assets/a.png': '',
    'assets/b.wav': '',
    'assets/s.css': 'p { background: url(gone.png) }',
  };
  await checkWarnings(files, []);
  await checkError(
    { ...files, 'assets/a.png': '', 'index.html': files['index.html'].replace('a.png', 'gone.png') },
    {
      message: 'The file assets/gone.png does not exist',
    },
  );
});

test('rejects files that cannot be decoded, and warns of an encoding that is not declared', async () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const undeclared = project({ 'index.html': latin1(page('Caf\xE9')) });
  expect((await planCloudRender({ projectDir: undeclared })).warnings).toEqual([
    'index.html is not UTF-8 and declares no encoding, so it is read as windows-1252; save it as UTF-8, or add <meta charset="windows-1252">',
  ]);
  const wrong = project({ 'index.html': page('<script src="a.js"></script>'), 'a.js': latin1('a = "\xE9"') });
  await expect(planCloudRender({ projectDir: wrong })).rejects.toMatchObject({
    code: 'asset_invalid',
    message: 'a.js is not valid UTF-8 text',
    place: { file: 'a.js', line: 1 },
  });
});
