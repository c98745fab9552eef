// The table of commands. Parsing, help and shell completion are all made from it.
import { ruleLevels } from '../lint/settings.ts';
import { codecs, formats, formatTable, qualities } from '../plan/formats.ts';
import { resolutions } from '../plan/resolution.ts';
import { programs } from '../setup/builds.ts';
import { authCommands } from './authCommands.ts';
import { cloudCommands } from './cloudCommands.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { serveCommands } from './serveCommands.ts';
import { serverlessCommands } from './serverlessCommands.ts';
import { reportOptions, valueOptions } from './sharedOptions.ts';

const browser: OptionSpec = {
  name: 'browser',
  summary: 'Browser executable to use (else FRAMEWORK_BROWSER, else one is found)',
  value: { label: 'path', complete: 'file' },
};
const ffmpeg: OptionSpec = {
  name: 'ffmpeg',
  summary: 'ffmpeg executable to use (else FRAMEWORK_FFMPEG, else one is found)',
  value: { label: 'path', complete: 'file' },
};

export const captureModes = ['auto', 'paint', 'screenshot'] as const;
export const lintFormats = ['text', 'json', 'github', 'sarif'] as const;
/** Those of `examples/examples.json`, in its order. */
export const exampleNames = [
  'launch-card',
  'lower-third',
  'countdown',
  'release-notes',
  'data-chart',
  'speaker-cards',
  'quote-story',
] as const;
export const shells = ['bash', 'zsh', 'fish'] as const;

/** `mp4 h264, h265, av1; webm …` */
const codecsByFormat = formats
  .filter((format) => formatTable[format].codecs.length > 0)
  .map((format) => `${format} ${formatTable[format].codecs.join(', ')}`)
  .join('; ');

const render: CommandSpec = {
  name: 'render',
  summary: 'Render a composition to a video file or a folder of frames',
  positionals: [{ name: 'dir', summary: 'Project folder (default: the current one)', complete: 'folder' }],
  options: [
    ...valueOptions,
    {
      name: 'output',
      short: 'o',
      summary: 'Where to write (default: renders/<composition>.<ext>)',
      value: { label: 'path', complete: 'file' },
    },
    { name: 'fps', summary: 'Frames per second: 30, 29.97 or 30000/1001', value: { label: 'rate' } },
    {
      name: 'format',
      summary: `${formats.join(', ')} (default: by the extension of the output)`,
      value: { label: 'name', complete: formats },
    },
    { name: 'codec', summary: `Video codec: ${codecsByFormat}`, value: { label: 'name', complete: codecs } },
    { name: 'hdr', summary: 'HDR: 10-bit BT.2020 PQ, in mp4 with h265' },
    {
      name: 'quality',
      short: 'q',
      summary: `${qualities.join(', ')} (default: standard)`,
      value: { label: 'name', complete: qualities },
    },
    {
      name: 'workers',
      summary: 'Pages that capture at once (default: chosen from the machine)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'capture',
      summary: 'How frames are taken: auto, paint or screenshot (default: auto)',
      value: { label: 'how', choices: captureModes },
    },
    ...reportOptions,
    {
      name: 'batch',
      summary: 'Render one video for each row of a JSON, JSONL or CSV file; --output takes {key} and {index}',
      value: { label: 'file', complete: 'file' },
    },
    {
      name: 'batch-concurrency',
      summary: 'Rows that render at once (default: 1)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    { name: 'batch-fail-fast', summary: 'Start no further row once one has failed' },
    { name: 'resume', summary: 'Render only the rows of a batch that are not completed yet' },
    { name: 'dry-run', summary: 'Check everything and print the plan; render nothing' },
    { name: 'quiet', summary: 'Print only the path of the output, warnings and errors' },
    browser,
    ffmpeg,
  ],
  examples: [
    'framework render my-video -o out.mp4',
    'framework render my-video -o with-alpha.webm',
    `framework render my-video --variables '{"title":"Hello"}' --strict-variables`,
    'framework render my-video --dry-run --json',
    `framework render my-video --batch rows.json -o 'renders/{name}.mp4'`,
  ],
  run: async (input, io) => (await import('./render.ts')).runRender(input, io),
};

const preview: CommandSpec = {
  name: 'preview',
  summary: 'Show a composition in the browser as it will be rendered, and follow every change',
  positionals: [
    { name: 'dir', summary: 'Project folder or .html file (default: the current folder)', complete: 'folder' },
  ],
  options: [
    ...valueOptions.filter(({ name }) => name !== 'strict-variables'),
    { name: 'port', summary: 'Port to listen on (default: a free one)', value: { label: 'n', wholeNumberFrom: 0 } },
    { name: 'no-open', summary: 'Only print the address; open no browser' },
    { name: 'json', summary: 'Print one JSON document on standard output: the address, or the error' },
  ],
  examples: ['framework preview my-video', 'framework preview my-video -c square.html --no-open'],
  run: async (input, io) => (await import('./preview.ts')).runPreview(input, io),
};

const snapshot: CommandSpec = {
  name: 'snapshot',
  summary: 'Take single frames of a render as pictures',
  positionals: [{ name: 'dir', summary: 'Project folder (default: the current one)', complete: 'folder' }],
  options: [
    ...valueOptions,
    {
      name: 'at',
      summary: 'Time: seconds (2.5), a frame (12f) or a part (50%); may be repeated (default: 50%)',
      value: { label: 'time', repeatable: true },
    },
    {
      name: 'output',
      short: 'o',
      summary:
        'A .png, .jpg or .webp; of several, each has its frame in its name (default: snapshots/<composition>.png)',
      value: { label: 'path', complete: 'file' },
    },
    { name: 'sheet', summary: 'All frames in one picture, with their times below' },
    {
      name: 'max-side',
      summary: 'Make pictures smaller that have a longer side than this',
      value: { label: 'pixels', wholeNumberFrom: 16 },
    },
    { name: 'fps', summary: 'Frames per second of the render: 30, 29.97 or 30000/1001', value: { label: 'rate' } },
    {
      name: 'resolution',
      summary: `${resolutions.join(', ')} (default: as the composition)`,
      value: { label: 'name', choices: resolutions },
    },
    { name: 'width', summary: 'Pixels of the render, in proportion', value: { label: 'n', wholeNumberFrom: 1 } },
    { name: 'height', summary: 'Pixels of the render, in proportion', value: { label: 'n', wholeNumberFrom: 1 } },
    {
      name: 'capture',
      summary: 'How frames are taken: auto, paint or screenshot (default: auto)',
      value: { label: 'how', choices: captureModes },
    },
    ...reportOptions,
    browser,
    ffmpeg,
  ],
  examples: [
    'framework snapshot my-video --at 2.5 -o shot.png',
    'framework snapshot my-video --at 0 --at 50% --at 100% --sheet -o sheet.jpg',
    `framework snapshot my-video --at 12f --variables '{"title":"Hello"}' --json`,
  ],
  run: async (input, io) => (await import('./snapshot.ts')).runSnapshot(input, io),
};

const lint: CommandSpec = {
  name: 'lint',
  summary: 'Check compositions: variables, timing, embedded files, assets, scripts',
  positionals: [
    { name: 'dir', summary: 'Project folder or .html file (default: the current folder)', complete: 'folder' },
  ],
  options: [
    {
      name: 'rule',
      summary: `Level of a rule, over framework.json: <rule>=${ruleLevels.join('|')}; may be repeated`,
      value: { label: 'rule=level', repeatable: true },
    },
    { name: 'fix', summary: 'Apply the fixes that can only be what was meant, and write the files' },
    { name: 'dry-run', summary: 'With --fix: show the changes and write nothing' },
    {
      name: 'format',
      summary: `${lintFormats.join(', ')} (default: text)`,
      value: { label: 'name', choices: lintFormats },
    },
    { name: 'json', summary: 'Print one JSON document on standard output: the report, or the error' },
    {
      name: 'max-warnings',
      summary: 'Fail when there are more warnings than this',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
  ],
  examples: [
    'framework lint my-video',
    'framework lint my-video --fix --dry-run',
    'framework lint . --rule unused-variable=off --max-warnings 0',
    'framework lint . --format sarif > findings.sarif',
  ],
  run: async (input, io) => (await import('./lint.ts')).runLint(input, io),
};

const variables: CommandSpec = {
  name: 'variables',
  summary: 'List the variables of compositions, and what they embed',
  positionals: [
    { name: 'dir', summary: 'Project folder or .html file (default: the current folder)', complete: 'folder' },
  ],
  options: [{ name: 'json', summary: 'Print one JSON document on standard output: the list, or the error' }],
  examples: ['framework variables my-video', 'framework variables my-video/intro.html --json'],
  run: async (input, io) => (await import('./listVariables.ts')).runVariables(input, io),
};

const create: CommandSpec = {
  name: 'new',
  summary: 'Make a project from an example; nothing that is there is written over',
  positionals: [{ name: 'dir', summary: 'Folder to put it in (default: the current one)', complete: 'folder' }],
  options: [
    {
      name: 'example',
      short: 'e',
      summary: `${exampleNames.join(', ')} (default: ${exampleNames[0]})`,
      value: { label: 'name', complete: exampleNames },
    },
    { name: 'list', summary: 'Tell what the examples show, and make nothing' },
    { name: 'json', summary: 'Print one JSON document on standard output: what was made, or the error' },
  ],
  examples: ['framework new my-video', 'framework new titles --example lower-third', 'framework new --list'],
  run: async (input, io) => (await import('./new.ts')).runNew(input, io),
};

const doctor: CommandSpec = {
  name: 'doctor',
  summary: 'Check that this machine can render, and say what to do where it cannot',
  positionals: [],
  options: [{ name: 'json', summary: 'Print one JSON document on standard output' }, browser, ffmpeg],
  examples: ['framework doctor'],
  run: async (input, io) => (await import('./doctor.ts')).runDoctor(input, io),
};

const mcp: CommandSpec = {
  name: 'mcp',
  summary: 'Serve agents over standard input and output (Model Context Protocol)',
  positionals: [
    {
      name: 'dir',
      summary: 'Folders that agents may work in (default: those of their program, else the current one)',
      complete: 'folder',
      many: true,
    },
  ],
  options: [browser, ffmpeg],
  examples: ['framework mcp ~/videos'],
  run: async (input, io) => (await import('./mcp.ts')).runMcp(input, io),
};

/** What is described beside the answers of commands. */
const describedFiles = ['manifest', 'configuration', 'rows'];

const schema: CommandSpec = {
  name: 'schema',
  summary: 'Print the JSON Schema of what a command prints with --json',
  positionals: [
    {
      name: 'command',
      summary: 'Name of a command, with -events for its progress; without one, all are listed',
      get complete() {
        return [...commands.filter(printsJson).map(({ name }) => name.replaceAll(' ', '-')), ...describedFiles];
      },
      many: true,
    },
  ],
  options: [],
  examples: ['framework schema', 'framework schema cloud render', 'framework schema render-events'],
  run: async (input, io) => (await import('./schema.ts')).runSchema(input, io),
};

const printsJson = ({ options }: CommandSpec): boolean => options.some(({ name }) => name === 'json');

const setup: CommandSpec = {
  name: 'setup',
  summary: 'Download a browser and ffmpeg where this machine has none that can be used',
  positionals: [
    { name: 'program', summary: `${programs.join(' or ')} (default: both)`, complete: programs },
    { name: 'program', summary: 'The other one', complete: programs },
  ],
  options: [
    {
      name: 'into',
      summary: 'Folder for the programs (default: FRAMEWORK_PROGRAMS_DIR, else the cache)',
      value: { label: 'folder', complete: 'folder' },
    },
    { name: 'force', summary: 'Download also what is there and works' },
    { name: 'dry-run', summary: 'Say what would be downloaded, and how large it is; download nothing' },
    { name: 'remove', summary: 'Take away what was downloaded into the folder' },
    ...reportOptions,
  ],
  examples: ['framework setup', 'framework setup ffmpeg', 'framework setup --dry-run', 'framework setup --remove'],
  run: async (input, io) => (await import('./setup.ts')).runSetup(input, io),
};

const completion: CommandSpec = {
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell',
  positionals: [{ name: 'shell', summary: shells.join(', '), complete: shells }],
  options: [],
  examples: [
    'source <(framework completion bash)',
    `framework completion zsh > "\${fpath[1]}/_framework"`,
    'framework completion fish > ~/.config/fish/completions/framework.fish',
  ],
  run: async (input, io) => (await import('./completion.ts')).runCompletion(input, io, commands),
};

export const commands: readonly CommandSpec[] = [
  create,
  render,
  preview,
  snapshot,
  variables,
  lint,
  ...authCommands,
  ...cloudCommands,
  ...serveCommands,
  ...serverlessCommands,
  doctor,
  setup,
  mcp,
  schema,
  completion,
];

/** Understood by every command. */
export const commonOptions: readonly OptionSpec[] = [
  { name: 'help', short: 'h', summary: 'Show help' },
  { name: 'version', short: 'v', summary: 'Show the version' },
];
