// Files that do not belong to a project: hidden files, installed packages, build output, files of the operating system, and
// the patterns in `.frameworkignore`. Everything that lists or uploads a project uses these rules.
import ignore from 'ignore';

/** The project's own patterns, in gitignore syntax. Only the file in the project folder itself is read. */
export const ignoreFile = '.frameworkignore';

/** Ignored at any depth. */
const ignoredFolders = ['node_modules', 'dist', 'renders', '__MACOSX'] as const;

/** Files that operating systems create, in lower case. */
const systemFiles = ['thumbs.db', 'desktop.ini'] as const;

const folderNames: ReadonlySet<string> = new Set(ignoredFolders);
const systemFileNames: ReadonlySet<string> = new Set(systemFiles);

/** Names with a leading dot are secrets and tool folders (.env, .git). They are neither served to pages nor uploaded. */
export const isHiddenName = (name: string): boolean => name.startsWith('.');

/** Whether a name is ignored in every project, regardless of `.frameworkignore`. */
export function isIgnoredName(name: string, isFolder: boolean): boolean {
  return isHiddenName(name) || (isFolder ? folderNames.has(name) : systemFileNames.has(name.toLowerCase()));
}

/** The reason why a project-relative path is ignored, as a predicate ("is hidden: …"); undefined when it is not. */
export type IgnoreRules = (path: string, isFolder: boolean) => string | undefined;

/** Marks patterns of the project. A pattern with `!` includes a file again, also one that is ignored by default. */
const projectMark = 'project';

/**
 * `text` is the content of `.frameworkignore`, which cannot include hidden files. Patterns are case-sensitive on every
 * machine, so that a project has the same files everywhere. Never throws.
 */
export function readIgnoreRules(text = ''): IgnoreRules {
  const patterns = ignore({ ignorecase: false });
  for (const name of ignoredFolders) patterns.add({ pattern: `${name}/` });
  for (const name of systemFiles) patterns.add({ pattern: anyCase(name) });
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (line !== '' && !line.startsWith('#')) patterns.add({ pattern: line, mark: projectMark });
  }
  return (path, isFolder) => {
    if (path.split('/').some(isHiddenName)) return 'is hidden: a part of its path starts with a dot';
    const { ignored, rule } = patterns.test(isFolder ? `${path}/` : path);
    if (!ignored) return undefined;
    const pattern = rule?.pattern ?? '';
    if (rule?.mark === projectMark) return `is excluded by "${pattern}" in ${ignoreFile}`;
    return folderNames.has(pattern.slice(0, -1)) ? `is in the excluded folder ${pattern}` : 'is always excluded';
  };
}

const anyCase = (name: string): string => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
