// Output paths with placeholders: `renders/{name}-{index}.mp4` and a row's values to one path inside the output folder.

/** A template cut at its first segment with a placeholder: everything in front is the output folder. */
export type OutputTemplate = {
  /** As it was given, `/` between segments. */
  text: string;
  /** Absolute or relative; `.` for the working directory. */
  folder: string;
  /** Path below the folder, with the placeholders in it. */
  rest: string;
  /** Names in braces, each once. */
  placeholders: string[];
};

/** Why a row has no output. `key` is the placeholder that is to blame; null where the whole path is. */
export type OutputFault = { code: 'placeholder' | 'outside'; key: string | null; message: string };

const placeholder = /\{([^{}]+)\}/g;

export function readTemplate(text: string, isWindows = false): OutputTemplate {
  const path = isWindows ? text.replaceAll('\\', '/') : text;
  const first = path.search(placeholder);
  const cut = path.lastIndexOf('/', first === -1 ? path.length : first);
  const folder = cut === -1 ? '.' : path.slice(0, cut) || '/';
  const placeholders = [...new Set([...path.matchAll(placeholder)].map(([, name = '']) => name))];
  return { text: path, folder, rest: path.slice(cut + 1), placeholders };
}

/** The path below the output folder for one row, normalised; or why there is none. */
export function fillTemplate(
  { rest, placeholders, folder }: OutputTemplate,
  index: number,
  variables: Readonly<Record<string, unknown>>,
  isWindows = false,
): { path: string } | OutputFault[] {
  const texts = new Map<string, string>();
  const faults: OutputFault[] = [];
  for (const key of placeholders) {
    // A variable of that name would make two meanings of one placeholder.
    const value = key === 'index' ? index : Object.hasOwn(variables, key) ? variables[key] : undefined;
    const text = textOf(value);
    const message = text === undefined ? missingMessage(key, value) : segmentFault(key, text, isWindows);
    if (message !== undefined) faults.push({ code: 'placeholder', key, message });
    else texts.set(key, text ?? '');
  }
  if (faults.length > 0) return faults;
  const segments: string[] = [];
  for (const segment of rest.split('/')) {
    const filled = segment.replace(placeholder, (_, key: string) => texts.get(key) ?? '');
    if (filled === '' || filled === '.') continue;
    if (filled !== '..') segments.push(filled);
    else if (segments.pop() === undefined) return [leaves(rest, folder)];
  }
  if (segments.length === 0) return [leaves(rest, folder)];
  const long = segments.find((segment) => utf8Length(segment) > longestName);
  if (long !== undefined) {
    const message = `The name "${long.slice(0, 40)}…" is longer than the ${longestName} bytes that fit into a file name`;
    return [{ code: 'placeholder', key: null, message }];
  }
  return { path: segments.join('/') };
}

/** Two paths with the same key are one file on a disk that does not tell upper from lower case. */
export function collisionKey(path: string): string {
  return [...path.normalize('NFC')].map(foldCase).join('').normalize('NFC');
}

/** Upper case first: it brings together what has several lower cases, as sigma has. Letters that become two stay. */
function foldCase(letter: string): string {
  const upper = letter.toUpperCase();
  const lower = (upper.length === letter.length ? upper : letter).toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/** While a video is made, its name has a dot in front and `.<process>.partial` behind. */
const longestName = 230;

const leaves = (rest: string, folder: string): OutputFault => ({
  code: 'outside',
  key: null,
  message: `"${rest}" leads out of the output folder ${folder}`,
});

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

function missingMessage(key: string, value: unknown): string {
  if (value === undefined) return `The row has no "${key}", which {${key}} in the output needs`;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
  return `"${key}" is ${kind}; {${key}} in the output needs a string, a number or a boolean`;
}

/** Why a value is no part of a file name. */
function segmentFault(key: string, text: string, isWindows: boolean): string | undefined {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const refused = `"${key}" is ${shown}, and {${key}} in the output`;
  if (text === '') return `${refused} needs at least one character`;
  if (/[/\\]/.test(text)) return `${refused} stands for one name: it may hold no / and no \\`;
  if (text === '.' || text === '..') return `${refused} stands for a name, not for a folder`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return `${refused} may hold no control characters`;
  if (/\p{Surrogate}/u.test(text)) return `${refused} may hold no half of a character`;
  if (isWindows && /[<>:"|?*]|[. ]$/.test(text)) return `${refused} holds what Windows does not allow in a name`;
  return undefined;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
