// Commands as people can type them: what fetches a render later, and what renders the same here.

/** `framework cloud get <id> --wait`: waits for the end and brings the video. */
export function fetchCommand(renderId: string, output: string | undefined): string {
  return line(['framework', 'cloud', 'get', renderId, '--wait', ...(output === undefined ? [] : ['-o', output])]);
}

export type LocalRender = {
  projectDir: string;
  composition?: string;
  variables?: Record<string, unknown>;
  fps?: string;
  quality?: string;
  format?: string;
};

/** Longer values are not printed into a line. */
const mostJson = 300;

/** The same composition and values, by this machine. */
export function localCommand({ projectDir, composition, variables, fps, quality, format }: LocalRender): string {
  const json = variables === undefined ? undefined : JSON.stringify(variables);
  const given: [string, string | undefined][] = [
    ['-c', composition],
    ['--variables', json !== undefined && json.length <= mostJson ? json : undefined],
    ['--variables-file', json !== undefined && json.length > mostJson ? '<file with the values>' : undefined],
    ['--fps', fps],
    ['--quality', quality],
    ['--format', format],
  ];
  return line([
    ...['framework', 'render', projectDir],
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
  ]);
}

const line = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** As it is typed into a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
