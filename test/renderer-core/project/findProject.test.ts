// Resolving the project folder and the entry composition.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveProject } from '../../../renderer-core/project/findProject.ts';
import { project, temporaryFolder } from '../../support/project.ts';
import { needLinks } from '../../support/systemPrograms.ts';

const files = { 'index.html': '', 'cards/intro.html': '', 'cards/100%20 ü.html': '', 'notes.txt': '' };

describe('resolveProject', () => {
  test.each([
    ['', undefined, 'index.html'],
    ['', 'cards/intro.html', 'cards/intro.html'],
    ['', './cards/../index.html', 'index.html'],
    ['', 'cards/100%20 ü.html', 'cards/100%20 ü.html'],
    ['index.html', undefined, 'index.html'],
  ])('resolves %j with %j to %j', async (dir, composition, expected) => {
    const root = project(files);
    expect(await resolveProject(join(root, dir), composition)).toEqual({ root, composition: expected });
  });

  test('uses the folder of a file as root, also for a relative path', async () => {
    const root = project(files);
    const dir = relative(process.cwd(), join(root, 'cards/intro.html'));
    expect(await resolveProject(dir)).toEqual({ root: join(root, 'cards'), composition: 'intro.html' });
  });

  test('accepts an absolute path and a link inside the folder', async (context) => {
    needLinks(context);
    const root = project(files);
    symlinkSync(join(root, 'index.html'), join(root, 'link.html'));
    expect((await resolveProject(root, join(root, 'cards/intro.html'))).composition).toBe('cards/intro.html');
    expect((await resolveProject(root, 'link.html')).composition).toBe('link.html');
  });
});

describe('errors', () => {
  test.each([
    ['nowhere', undefined, 'project_not_found', 'nowhere'],
    ['nowhere/index.html', undefined, 'project_not_found', 'nowhere/index.html'],
    ['notes.txt', undefined, 'project_not_found', 'notes.txt'],
    ['index.html', 'cards/intro.html', 'usage', 'cards/intro.html'],
    ['', '../index.html', 'usage', '../index.html'],
    ['', 'cards/../../x.html', 'usage', 'cards/../../x.html'],
    ['', '/etc/passwd', 'usage', '/etc/passwd'],
    ['', 'cards/100%2520 ü.html', 'composition_not_found', 'cards/100%2520 ü.html'],
    ['', 'cards', 'composition_not_found', 'cards'],
    ['', '', 'composition_not_found', 'not a file'],
    ['', 'a\0.html', 'composition_not_found', 'a\0.html'],
    ['indx.html', undefined, 'composition_not_found', 'indx.html'],
  ])('rejects %j with %j: %s', async (dir, composition, code, named) => {
    const written = dir === named ? join(named) : named;
    const error = expect.objectContaining({
      code,
      message: expect.stringContaining(written),
      hint: expect.any(String),
    });
    await expect(resolveProject(join(project(files), dir), composition)).rejects.toEqual(error);
  });

  test('rejects a link that leads out of the folder', async (context) => {
    needLinks(context);
    const root = project(files);
    const outside = project({ 'secret.html': '' });
    symlinkSync(join(outside, 'secret.html'), join(root, 'link.html'));
    await expect(resolveProject(root, 'link.html')).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the hint', () => {
  async function hintFor(root: string, composition?: string): Promise<string> {
    const error = await resolveProject(root, composition).catch((caught: unknown) => caught);
    return (error as { hint: string }).hint;
  }

  test('suggests the most similar file, or the same name in another folder', async () => {
    const root = project(files);
    expect(await hintFor(root, 'indx.html')).toMatch(/^Did you mean index\.html\?/);
    expect(await hintFor(root, 'intro.html')).toMatch(/^Did you mean cards\/intro\.html\?/);
    expect(await hintFor(root, 'other.htm')).toMatch(/^HTML files in the folder: index\.html, cards\/100%20 ü\.html,/);
  });

  test('lists at most eight files, two levels deep, without packages and hidden folders', async () => {
    const root = temporaryFolder();
    for (const folder of ['a/b/c', 'node_modules/x', '.git']) mkdirSync(join(root, folder), { recursive: true });
    for (const path of ['node_modules/x/p.html', '.git/g.html', 'a/b/c/deep.html']) writeFileSync(join(root, path), '');
    expect(await hintFor(root)).toMatch(/^The folder contains no HTML files/);
    writeFileSync(join(root, 'a/b/two.html'), '');
    expect(await hintFor(root)).toBe('HTML files in the folder: a/b/two.html.');
    for (let i = 1; i <= 9; i++) writeFileSync(join(root, `scene-${i}.html`), '');
    expect(await hintFor(root)).toMatch(/: scene-1\.html, .*, scene-8\.html and 2 more\.$/);
  });
});
