// Messages name options of the command line. The editor says the same with its fields, settings and commands.

/** What the editor has instead of an option: a field of its render dialog, or a setting. */
const words: Readonly<Record<string, string>> = {
  'aspect-ratio': '"Aspect ratio"',
  background: '"Color of the bars"',
  browser: 'framework.browserPath',
  ffmpeg: 'framework.ffmpegPath',
  fit: '"Fit"',
  format: '"Format"',
  fps: '"Frame rate"',
  from: '"Start"',
  output: '"Output"',
  quality: '"Quality"',
  resolution: '"Resolution"',
  to: '"End"',
};

const commands: Readonly<Record<string, string>> = {
  doctor: '"Framework: Run Doctor"',
  lint: '"Framework: Lint Workspace"',
  setup: '"Framework: Install Browser and ffmpeg…"',
};

/** The other options in messages that reach the editor. Not all options: messages also name custom properties of pages. */
const others =
  'all|all-sizes|api-key|asset-id|batch|batch-concurrency|bit-depth|bitrate|callback-url|captions|capture|check|chunk-size|codec|composition|concurrency|contact-sheet|crf|device|' +
  'dir|dry-run|fix|force|gpu|hdr|help|idempotency-key|invalid-rows|json|limit|list|loudness|max-concurrent|max-parallel-chunks|max-side|memory|no-open|' +
  'port|profile|region|request|resume|rows|stack-name|strict-variables|system-fonts|target-chunk-frames|url|variables|' +
  'variables-file|webhooks|weights|workers';

const name = `(?:${Object.keys(words).join('|')}|${others})(?![\\w-])`;
const option = new RegExp(`(?<![\\w-]|var\\()--(${name})`, 'g');
const hasOption = (text: string): boolean => text.search(option) >= 0;

/** A part of a sentence with an option, up to the next comma, semicolon or full stop. */
const part = String.raw`(?:[^,;.]|\.(?=\S))*?--${name}(?:[^,;.]|\.(?=\S))*`;
/** `, or render with --workers 1`, and `: render with --workers 1`. */
const lastPart = new RegExp(`(?:(?:[,;] | )or |[:;] )${part}`, 'g');
const inBrackets = new RegExp(String.raw` \([^()]*--${name}[^()]*\)`, 'g');
/** `Leave out --hdr, or `. */
const firstPart = new RegExp(String.raw`^${part}[,;] or (?=\S)`);

/** A hint without options. What the editor cannot do is left out; the hint is empty if nothing else is left. */
export function editorHint(text: string): string {
  const lines = text.split('\n').map((line) => sentences(line).map(withoutOptions).filter(Boolean).join(' '));
  return lines.join('\n').trim();
}

/** A message without options. Never empty. */
export function editorMessage(text: string): string {
  return editorHint(text) || text.replace(option, '"$1"');
}

const sentences = (line: string): string[] => line.split(/(?<=[.!?]) (?=[A-Z"'`-])/);

function withoutOptions(sentence: string): string {
  const worded = sentence
    .replace(/ or FRAMEWORK_[A-Z_]+\b/g, '')
    .replace(/"framework (doctor|lint|setup)(?: [a-z]+)?"/g, (_, name: string) => commands[name] ?? '')
    .replace(/\bframework (doctor|lint)\b(?! --)/g, (_, name: string) => commands[name] ?? '')
    .replace(option, (all, name: string) => words[name] ?? all);
  if (!hasOption(worded)) return worded;
  const shorter = worded.replace(inBrackets, '').replace(lastPart, '');
  const rest = hasOption(shorter) ? shorter.replace(firstPart, '') : shorter;
  return hasOption(rest) ? '' : rest.charAt(0).toUpperCase() + rest.slice(1);
}
