// Which files of a folder are no part of the project: hidden ones, what is installed, built or rendered, litter, and what
// the project's own `.frameworkignore` names. One set for everything that lists or sends a project.
import ignore from 'ignore';

/** The file with a project's own patterns, in the syntax of gitignore. Only the one in the project folder counts. */
export const ignoreFile = '.frameworkignore';

/** Folders that hold nothing an author wrote, at any depth. */
const ignoredFolders = ['node_modules', 'dist', 'renders', '__MACOSX'] as const;

/** What operating systems leave behind, in lower case. */
const litter = ['thumbs.db', 'desktop.ini'] as const;

const folderNames: ReadonlySet<string> = new Set(ignoredFolders);
const litterNames: ReadonlySet<string> = new Set(litter);

/** Names with a leading dot are secrets and tool folders (.env, .git): no page is shown them, and nobody is sent them. */
export const isHiddenName = (name: string): boolean => name.startsWith('.');

/** Whether a name is left out of every project, `.frameworkignore` or not. */
export function isIgnoredName(name: string, isFolder: boolean): boolean {
  return isHiddenName(name) || (isFolder ? folderNames.has(name) : litterNames.has(name.toLowerCase()));
}

/** Why a project-relative path is left out: words that follow its name; undefined when it is not. */
export type IgnoreRules = (path: string, isFolder: boolean) => string | undefined;

/** `!` in front of a pattern takes a file back, also one of our own patterns: a folder first, then what is in it. */
const ownMark = 'own';

/**
 * The rules with the text of a `.frameworkignore`. Hidden files stay out whatever it says. Patterns tell capitals from
 * small letters on every machine, so that the same project is the same everywhere. Never throws.
 */
export function readIgnoreRules(text = ''): IgnoreRules {
  const patterns = ignore({ ignorecase: false });
  for (const name of ignoredFolders) patterns.add({ pattern: `${name}/` });
  for (const name of litter) patterns.add({ pattern: anyCase(name) });
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (line !== '' && !line.startsWith('#')) patterns.add({ pattern: line, mark: ownMark });
  }
  return (path, isFolder) => {
    if (path.split('/').some(isHiddenName)) return 'is hidden: a name in its path begins with a dot';
    const { ignored, rule } = patterns.test(isFolder ? `${path}/` : path);
    if (!ignored) return undefined;
    const pattern = rule?.pattern ?? '';
    if (rule?.mark === ownMark) return `is left out by "${pattern}" in ${ignoreFile}`;
    return folderNames.has(pattern.slice(0, -1)) ? `lies in a folder ${pattern}, which is left out` : 'is left out';
  };
}

const anyCase = (name: string): string => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
