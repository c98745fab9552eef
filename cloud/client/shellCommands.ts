// Shell commands for messages: to fetch a hosted render, and to render the same on this machine.

/** `framework cloud get <id> --wait` waits for the render and downloads the video. */
export function fetchCommand(renderId: string, output: string | undefined): string {
  return commandLine([
    'framework',
    'cloud',
    'get',
    renderId,
    '--wait',
    ...(output === undefined ? [] : ['-o', output]),
  ]);
}

export type LocalRender = {
  projectDir: string;
  composition?: string;
  variables?: Record<string, unknown>;
  fps?: string;
  quality?: string;
  format?: string;
};

/** Longer JSON is replaced by a placeholder. */
const maxJsonLength = 300;

export function localCommand({ projectDir, composition, variables, fps, quality, format }: LocalRender): string {
  const json = variables === undefined ? undefined : JSON.stringify(variables);
  const given: [string, string | undefined][] = [
    ['-c', composition],
    ['--variables', json !== undefined && json.length <= maxJsonLength ? json : undefined],
    ['--variables-file', json !== undefined && json.length > maxJsonLength ? '<file with the values>' : undefined],
    ['--fps', fps],
    ['--quality', quality],
    ['--format', format],
  ];
  return commandLine([
    ...['framework', 'render', projectDir],
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
  ]);
}

const commandLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** Quotes a word for a POSIX shell if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
