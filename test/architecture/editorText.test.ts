// Messages of the renderer in the editor, which has fields, settings and commands instead of options.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands, commonOptions, editorCommands } from '../../cli/commandTable.ts';
import { editorHint, editorMessage } from '../../renderer-core/reports/editorText.ts';
import { textsIn } from '../support/editor/textsIn.ts';
import { repository, repositoryFiles } from '../support/repositoryFiles.ts';

test.each([
  ['Make --to later than --from.', 'Make "End" later than "Start".'],
  [
    'Install the missing libraries, or choose another browser with --browser.',
    'Install the missing libraries, or choose another browser with framework.browserPath.',
  ],
  [
    'Run "framework setup ffmpeg", or choose another one with --ffmpeg or FRAMEWORK_FFMPEG.',
    'Run "Framework: Install Browser and ffmpeg…", or choose another one with framework.ffmpegPath.',
  ],
  ['Run "framework doctor".', 'Run "Framework: Run Doctor".'],
  ['Give this machine 2 GB of memory, or render with --workers 1.', 'Give this machine 2 GB of memory.'],
  [
    'It may have run out of memory: render with --workers 1, or use a smaller image.',
    'It may have run out of memory, or use a smaller image.',
  ],
  ['Leave out --hdr, or use a file of the type .mp4.', 'Use a file of the type .mp4.'],
  ['Fix the values. Without --strict-variables, they are only warnings.', 'Fix the values.'],
  ['22 installed (for --system-fonts)', '22 installed'],
  ['Set the number of rows with --batch-concurrency.', ''],
  ['a.html:3:1: The part --from 9 ends.\nb.html: No title.', 'a.html:3:1: The part "Start" 9 ends.\nb.html: No title.'],
  ['The color var(--to) or --ink of the page', 'The color var(--to) or --ink of the page'],
])('says "%s" as "%s"', (text, expected) => {
  expect(editorHint(text)).toBe(expected);
});

test('keeps a message that is only about options', () => {
  expect(editorMessage('--strict-variables and --invalid-rows skip contradict each other')).toBe(
    '"strict-variables" and "invalid-rows" skip contradict each other',
  );
});

/** All options of all commands. */
const optionNames = [...commands, ...editorCommands, { options: commonOptions }].flatMap(function all(spec: {
  options?: readonly { name: string }[];
  commands?: readonly object[];
}): string[] {
  return [...(spec.options ?? []).map(({ name }) => name), ...(spec.commands ?? []).flatMap(all)];
});

test('leaves no option in any message that can reach the editor', () => {
  const options = new RegExp(`(?<![\\w-])--(?:${optionNames.join('|')})(?![\\w-])`);
  const sources = repositoryFiles().filter((path) =>
    /^(?:renderer-core|preview|serverless|cloud\/client)\/.*(?<!\.as)\.ts$/.test(path),
  );
  const texts = sources.flatMap((path) => textsIn(readFileSync(join(repository, path), 'utf8')));
  const named = texts.filter((text) => options.test(text));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((text) => options.test(editorMessage(text)))).toEqual([]);
});

test('leaves no option in the texts of the extension', () => {
  const own = ['l10n/bundle.l10n.json', 'package.nls.json'].flatMap((path) =>
    Object.values(JSON.parse(readFileSync(join(repository, path), 'utf8')) as Record<string, string>),
  );
  expect(own.filter((text) => /(?<![\w-])--[a-z]/.test(text))).toEqual([]);
});
