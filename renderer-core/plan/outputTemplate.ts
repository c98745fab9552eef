// Output templates: fills `renders/{name}-{index}.mp4` with the values of a row. The path stays in the output folder.

/** A template, split before its first segment with a placeholder: everything before it is the output folder. */
export type OutputTemplate = {
  /** The original text with `/` as separator. */
  text: string;
  /** Absolute or relative; `.` for the working directory. */
  folder: string;
  /** The path in the folder, with placeholders. */
  rest: string;
  /** The distinct names in braces. */
  placeholders: string[];
};

/** Why a row has no output. `key` is the invalid placeholder, or null if the path as a whole is invalid. */
export type OutputProblem = { code: 'placeholder' | 'outside'; key: string | null; message: string };

const placeholder = /\{([^{}]+)\}/g;

export function readTemplate(text: string, isWindows = false): OutputTemplate {
  const path = isWindows ? text.replaceAll('\\', '/') : text;
  const first = path.search(placeholder);
  const cut = path.lastIndexOf('/', first === -1 ? path.length : first);
  const folder = cut === -1 ? '.' : path.slice(0, cut) || '/';
  const placeholders = [...new Set([...path.matchAll(placeholder)].map(([, name = '']) => name))];
  return { text: path, folder, rest: path.slice(cut + 1), placeholders };
}

/** The normalized path of one row in the output folder, or the problems. `values`: what the placeholders may use. */
export function fillTemplate(
  { rest, placeholders, folder }: OutputTemplate,
  index: number,
  values: Readonly<Record<string, unknown>>,
): { path: string } | OutputProblem[] {
  const texts = new Map<string, string>();
  const problems: OutputProblem[] = [];
  for (const key of placeholders) {
    // `{index}` is always the row number, even if there is a variable with that name.
    const value = key === 'index' ? index : Object.hasOwn(values, key) ? values[key] : undefined;
    const text = textOf(value);
    const message = text === undefined ? missingMessage(key, value, values) : segmentProblem(key, text);
    if (message !== undefined) problems.push({ code: 'placeholder', key, message });
    else texts.set(key, text ?? '');
  }
  if (problems.length > 0) return problems;
  const segments: string[] = [];
  for (const segment of rest.split('/')) {
    const filled = segment.replace(placeholder, (_, key: string) => texts.get(key) ?? '');
    if (filled === '' || filled === '.') continue;
    if (filled !== '..') segments.push(filled);
    else if (segments.pop() === undefined) return [outside(rest, folder)];
  }
  if (segments.length === 0) return [outside(rest, folder)];
  const long = segments.find((segment) => utf8Length(segment) > longestName);
  if (long !== undefined) {
    const message = `The file name "${long.slice(0, 40)}…" is longer than ${longestName} bytes`;
    return [{ code: 'placeholder', key: null, message }];
  }
  return { path: segments.join('/') };
}

/** Paths with the same key are the same file on a case-insensitive disk. */
export function collisionKey(path: string): string {
  return [...path.normalize('NFC')].map(foldCase).join('').normalize('NFC');
}

/** Upper case first, because letters such as sigma have several lower cases. Letters that would become two stay. */
function foldCase(letter: string): string {
  const upper = letter.toUpperCase();
  const lower = (upper.length === letter.length ? upper : letter).toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/** Bytes. Leaves room for the name of the temporary file: a leading dot and `.<process>.partial`. */
const longestName = 230;

const outside = (rest: string, folder: string): OutputProblem => ({
  code: 'outside',
  key: null,
  message: `"${rest}" is outside the output folder ${folder}`,
});

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

function missingMessage(key: string, value: unknown, values: Readonly<Record<string, unknown>>): string {
  if (value === undefined) {
    const known = listPlaceholders(Object.keys(values));
    return `There is no value for "${key}", which the output uses as ${`{${key}}`}; known placeholders: ${known}`;
  }
  return `"${key}" must be a string, a number or a boolean, because the output uses it as ${`{${key}}`} (got ${kindOf(value)})`;
}

function kindOf(value: unknown): string {
  // JSON has numbers that are too large, such as 1e999.
  if (value === null || typeof value === 'number') return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** The placeholders for the keys of values: `{index}, {name}`. */
export function listPlaceholders(keys: readonly string[]): string {
  const all = ['index', ...keys.filter((key) => key !== 'index')].map((key) => `{${key}}`);
  return all.length > 12 ? `${all.slice(0, 12).join(', ')} and ${all.length - 12} more` : all.join(', ');
}

/** Why a value cannot be part of a file name. */
function segmentProblem(key: string, text: string): string | undefined {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const refuse = (rule: string) =>
    `"${key}" must not ${rule}, because the output uses it as ${`{${key}}`}${text === '' ? '' : ` (got ${shown})`}`;
  if (text === '') return refuse('be empty');
  if (/[/\\]/.test(text)) return refuse('contain / or \\');
  if (text === '.' || text === '..') return refuse('be . or ..');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) return refuse('contain control characters');
  if (/\p{Surrogate}/u.test(text)) return refuse('contain an unpaired surrogate');
  return undefined;
}

/** Devices of Windows, with any extension: `CON`, `aux.mp4`, `COM1.tar.gz`. */
const deviceName = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Why Windows cannot have a path of `fillTemplate`; undefined if it can. `key` and `values`: as there. */
export function windowsProblem(
  placeholders: readonly string[],
  path: string,
  values: Readonly<Record<string, unknown>>,
): Pick<OutputProblem, 'key' | 'message'> | undefined {
  const used = placeholders
    .filter((key) => key !== 'index' && Object.hasOwn(values, key))
    .map((key) => ({ key, text: textOf(values[key]) ?? '' }));
  for (const { key, text } of used) {
    const fault = windowsFault(text);
    if (fault) return { key, message: `"${key}" ${fault}, which Windows does not allow in file names` };
  }
  for (const segment of path.split('/')) {
    const fault = windowsFault(segment);
    if (fault) return { key: null, message: `${segment} ${fault}, which Windows does not allow in file names` };
    if (!deviceName.test(segment)) continue;
    const key = used.find(({ text }) => segment.startsWith(text))?.key ?? null;
    return { key, message: `Windows cannot have a file with the name ${segment}, which is a device there` };
  }
  return undefined;
}

function windowsFault(text: string): string | undefined {
  const found = /[<>:"|?*]/.exec(text)?.[0];
  if (found !== undefined) return `contains ${found}`;
  return /[. ]$/.test(text) ? 'ends with a dot or a space' : undefined;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
