// The patch of `lint --fix --dry-run`, applied with git.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { needPrograms } from '../support/systemPrograms.ts';
import { cli } from './cli.ts';

const run = promisify(execFile);
/** The `s` of the duration is fixed: one hunk for each of these lines that is far from the others. */
const clip = '<p data-start="0" data-duration="1s"></p>';
const head = '<!doctype html>\n<div data-composition-id="m" data-width="16" data-height="16" data-duration="1">';
const filler = Array.from({ length: 12 }, (_, index) => `<i>${index}</i>`).join('\n');

const one = `${head}\n${clip}\n</div>`;
const several = `${head}\n${clip}\n${filler}\n${clip}\n${filler}\n${clip}\n</div>`;
const files: [title: string, path: string, text: string][] = [
  ['a file with a final newline', 'index.html', `${one}\n`],
  ['a file without a final newline', 'index.html', one],
  ['a change in the last line of a file without a final newline', 'index.html', `${head}</div>${clip}`],
  ['a file with CRLF line ends', 'index.html', `${one}\n`.replaceAll('\n', '\r\n')],
  ['a file with CRLF line ends without a final one', 'index.html', one.replaceAll('\n', '\r\n')],
  ['several hunks', 'index.html', `${several}\n`],
  ['several hunks without a final newline', 'index.html', several],
  ['a file name with non-ASCII characters', 'überblick/日本 – 1.html', `${one}\n`],
  ['a file name with spaces', 'my video/the intro.html', `${one}\n`],
  ['a file name with quotes', process.platform === 'win32' ? "it's.html" : 'a "quoted" name.html', `${one}\n`],
];

beforeEach((context) => needPrograms(context, 'git'));

test.each(files)('git applies the patch to %s', async (_, path, text) => {
  const base = await mkdtemp(join(tmpdir(), 'framework-patch-'));
  try {
    const dry = join(base, 'dry');
    const fixed = join(base, 'fixed');
    await mkdir(dirname(join(dry, path)), { recursive: true });
    await writeFile(join(dry, path), text);
    await cp(dry, fixed, { recursive: true });
    await cli(['lint', fixed, '--fix']);
    const { stdout: patch } = await cli(['lint', dry, '--fix', '--dry-run']);
    expect(await readFile(join(dry, path), 'utf8')).toBe(text);
    await run('git', ['init', '--quiet'], { cwd: dry });
    await run('git', ['config', 'core.autocrlf', 'false'], { cwd: dry });
    await writeFile(join(base, 'fix.patch'), relativeToProject(patch));
    await run('git', ['apply', '--whitespace=nowarn', join(base, 'fix.patch')], { cwd: dry });
    const expected = await readFile(join(fixed, path), 'utf8');
    expect(expected).not.toBe(text);
    expect(await readFile(join(dry, path), 'utf8')).toBe(expected);
    expect(patch.match(/^@@/gm)?.length).toBe(text.split(clip).length - 1);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});

/** The command prints paths relative to the working directory, which a test cannot change. */
function relativeToProject(patch: string): string {
  return patch.replaceAll(
    /^(---|\+\+\+) ("?)([ab])\/.*?\/dry\//gm,
    (_, sign: string, quote: string, side: string) => `${sign} ${quote}${side}/`,
  );
}
