// The table of commands, which parsing, help and shell completion all read. It is long because it
// is one table.

import { ruleLevels } from '../renderer-core/lint/settings.ts';
import { invalidRowsChoices } from '../renderer-core/plan/batchRows.ts';
import { hdrCurves } from '../renderer-core/plan/deepColor.ts';
import { captionKinds, codecs, embedded, formats, formatTable, qualities } from '../renderer-core/plan/formats.ts';
import { commonAspectRatios } from '../renderer-core/plan/resolution.ts';
import { setupParts } from '../renderer-core/setup/builds.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { authCommands } from './commands/auth/authCommands.ts';
import { chunksCommands } from './commands/chunks/chunksCommands.ts';
import { cloudCommands } from './commands/cloud/cloudCommands.ts';
import { fontCommands } from './commands/fonts/fontCommands.ts';
import { serveCommands } from './commands/serve/serveCommands.ts';
import { serverlessCommands } from './commands/serverless/serverlessCommands.ts';
import { localeOptions } from './options/localeOptions.ts';
import { choice, flag, valueOption, wholeNumber } from './options/optionSpecs.ts';
import { lintFormats, portValue, reportOptions, valueOptions } from './options/sharedOptions.ts';
import { sizeOptions } from './options/sizeOptions.ts';

const browser: OptionSpec = valueOption(
  'browser',
  'Browser executable (default: FRAMEWORK_BROWSER, or an installed one)',
  'path',
  'file',
);
const ffmpeg: OptionSpec = valueOption(
  'ffmpeg',
  'ffmpeg executable (default: FRAMEWORK_FFMPEG, or an installed one)',
  'path',
  'file',
);

export const captureModes = ['auto', 'paint', 'screenshot'] as const;
export const gpuModes = ['auto', 'on', 'off'] as const;

const gpu = (byDefault: string): OptionSpec => ({
  name: 'gpu',
  summary: `Graphics card: auto (for WebGL, if there is one), on or off (default: ${byDefault})`,
  value: { label: 'mode', choices: gpuModes },
});
export const networks = ['any', 'public'] as const;
const network: OptionSpec = {
  name: 'network',
  summary: 'Hosts that pages can reach: any, or public for projects of other people (default: any)',
  value: { label: 'hosts', choices: networks },
};
const systemFonts: OptionSpec = flag(
  'system-fonts',
  'Use the fonts of this machine; text then differs between machines',
);
/** The names in `examples/examples.json`, in the same order. */
export const exampleNames = [
  'launch-card',
  'lower-third',
  'countdown',
  'release-notes',
  'data-chart',
  'speaker-cards',
  'quote-story',
  'sea-song',
  'blank',
] as const;
/** The names in `blocks/blocks.json`, in the same order. */
export const blockNames = [
  'title',
  'lower-third',
  'caption',
  'quote',
  'counter',
  'chart',
  'spectrum',
  'logo-reveal',
  'countdown',
  'transition',
  'background',
] as const;
export const shells = ['bash', 'zsh', 'fish'] as const;

/** `mp4 h264, h265, av1; webm …` */
const codecsByFormat = formats
  .filter((format) => formatTable[format].codecs.length > 0)
  .map((format) => `${format} ${formatTable[format].codecs.join(', ')}`)
  .join('; ');

const render: CommandSpec = {
  name: 'render',
  summary: 'Render a composition to a video file or a folder (HLS, frames)',
  positionals: [{ name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' }],
  options: [
    ...valueOptions,
    valueOption(
      'output',
      'Output file or folder, a device or a pipe, or - for stdout (default: renders/<composition>.<ext>)',
      'path',
      'file',
      'o',
    ),
    valueOption('fps', 'Frames per second: 30, 29.97 or 30000/1001', 'rate'),
    valueOption(
      'from',
      'Start of the rendered part: seconds (2.5) or a frame number (75f) (default: the start)',
      'time',
    ),
    valueOption('to', 'End of the rendered part, exclusive (default: the end)', 'time'),
    ...sizeOptions(),
    flag('all-sizes', 'Render one video for each size of data-sizes, such as out-16x9.mp4 and out-9x16.mp4'),
    valueOption('format', `${formats.join(', ')} (default: from the extension of --output)`, 'name', formats),
    valueOption('codec', `Video codec: ${codecsByFormat}`, 'name', codecs),
    {
      name: 'hdr',
      summary: 'HDR in BT.2020, in mp4 with h265 or av1, or mov with h265; the curve is PQ, or HLG with --hdr=hlg',
      modes: hdrCurves,
    },
    choice('bit-depth', 'Bits of each color: 8 or 10, for h265, av1 and vp9 (default: 8; 10 for HDR and ProRes)', 'n', [
      '8',
      '10',
    ]),
    valueOption('loudness', 'Loudness of the sound in LUFS, such as --loudness=-14 (default: as it is mixed)', 'LUFS'),
    valueOption(
      'captions',
      'Write the captions: embed (a track of the video), vtt or srt (a file next to it), or a path',
      'kind',
      [embedded, ...captionKinds],
    ),
    valueOption('quality', `${qualities.join(', ')} (default: standard)`, 'name', qualities, 'q'),
    wholeNumber('crf', 'Rate factor: smaller numbers look better and make larger files (default: from --quality)', 1),
    valueOption('bitrate', 'Bits per second of the frames: 8M or 4500k (default: from --quality)', 'rate'),
    wholeNumber('workers', 'Number of pages that capture in parallel (default: chosen for this machine)', 1),
    choice('capture', 'Capture method: auto, paint or screenshot (default: auto)', 'mode', captureModes),
    gpu('auto; off for batches'),
    network,
    systemFonts,
    ...localeOptions,
    ...reportOptions,
    valueOption(
      'batch',
      'Render one video for each row of a JSON, JSONL, CSV or TSV file; --output takes {key} and {index}',
      'file',
      'file',
    ),
    valueOption('rows', 'With --batch: render only these rows, counted from 1, such as 1,3-5', 'list'),
    wholeNumber('batch-concurrency', 'Maximum concurrent rows (default: 1)', 1),
    choice(
      'invalid-rows',
      'Rows with values that do not fit: defaults, skip or fail (default: defaults)',
      'mode',
      invalidRowsChoices,
    ),
    flag('batch-fail-fast', 'Stop starting rows after the first failure'),
    {
      name: 'resume',
      summary:
        'Continue a render that was killed; with --batch: render only rows that are not completed or whose inputs changed (=completed: ignore changed inputs)',
      modes: ['completed'],
    },
    flag('check', 'First look at what is shown, as framework check does, and render only if there are no errors'),
    flag('watch', 'Render again after every change of the project, until Ctrl+C'),
    flag('dry-run', 'Check everything and print the plan, without rendering'),
    flag('quiet', 'Print only the output path, warnings and errors'),
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
  run: async (input, io) => (await import('./commands/render.ts')).runRender(input, io),
};

const preview: CommandSpec = {
  name: 'preview',
  summary: 'Preview a composition in the browser and reload it on every change',
  positionals: [{ name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' }],
  options: [
    ...valueOptions.filter(({ name }) => name !== 'strict-variables'),
    ...sizeOptions(),
    systemFonts,
    ...localeOptions,
    { name: 'port', summary: 'Port to listen on (default: any free port)', value: portValue },
    flag('no-open', 'Print the address without opening a browser'),
    flag('json', 'Print one JSON document to stdout: the address, or the error'),
  ],
  examples: ['framework preview my-video', 'framework preview my-video -c square.html --no-open'],
  run: async (input, io) => (await import('./commands/preview.ts')).runPreview(input, io),
};

const snapshot: CommandSpec = {
  name: 'snapshot',
  summary: 'Save single frames of a composition as images',
  positionals: [{ name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' }],
  options: [
    ...valueOptions,
    {
      name: 'at',
      summary: 'Time in seconds (2.5), a frame (12f), a percentage (50%) or poster; repeatable (default: 50%)',
      value: { label: 'time', repeatable: true },
    },
    valueOption(
      'output',
      'Image file: .png, .jpg or .webp, or - for stdout; several images get the frame number in their names (default: snapshots/<composition>.png)',
      'path',
      'file',
      'o',
    ),
    flag('contact-sheet', 'Combine all frames into one contact sheet'),
    flag('hdr', 'Save PNG files in HDR: BT.2020 with the curve PQ, and 16 bits'),
    wholeNumber('max-side', 'Maximum width or height, in pixels', 16, 'pixels'),
    valueOption('fps', 'Frames per second: 30, 29.97 or 30000/1001', 'rate'),
    ...sizeOptions(),
    choice('capture', 'Capture method: auto, paint or screenshot (default: auto)', 'mode', captureModes),
    gpu('auto'),
    network,
    systemFonts,
    ...localeOptions,
    ...reportOptions,
    browser,
    ffmpeg,
  ],
  examples: [
    'framework snapshot my-video --at 2.5 -o shot.png',
    'framework snapshot my-video --at 0 --at 50% --at 100% --contact-sheet -o sheet.jpg',
    `framework snapshot my-video --at 12f --variables '{"title":"Hello"}' --json`,
  ],
  run: async (input, io) => (await import('./commands/snapshot.ts')).runSnapshot(input, io),
};

const thumbnail: CommandSpec = {
  name: 'thumbnail',
  summary: 'Save a frame of a finished video as an image',
  positionals: [{ name: 'video', summary: 'Video file, or folder of an HLS stream', complete: 'file' }],
  options: [
    valueOption('at', 'Time in seconds (2.5), a frame (12f), a percentage (50%) or poster (default: poster)', 'time'),
    valueOption('output', 'Image file: .png or .jpg (default: the path of the video with .jpg)', 'path', 'file', 'o'),
    wholeNumber('max-side', 'Maximum width or height, in pixels', 16, 'pixels'),
    flag('json', 'Print one JSON document to stdout: the report, or the error'),
    ffmpeg,
  ],
  examples: [
    'framework thumbnail renders/my-video.mp4',
    'framework thumbnail my-video.mp4 --at 2.5 --max-side 640 -o thumbnail.png',
  ],
  run: async (input, io) => (await import('./commands/thumbnail.ts')).runThumbnail(input, io),
};

const ruleOption: OptionSpec = {
  name: 'rule',
  summary: `Severity of a rule, overrides framework.json: <rule>=${ruleLevels.join('|')}; repeatable`,
  value: { label: 'rule=level', repeatable: true },
};

const lint: CommandSpec = {
  name: 'lint',
  summary: 'Check compositions: variables, timing, embedded files, assets, scripts',
  positionals: [{ name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' }],
  options: [
    ruleOption,
    flag('fix', 'Apply safe fixes automatically'),
    flag('dry-run', 'With --fix: print the changes as a patch without writing files'),
    choice('format', `${lintFormats.join(', ')} (default: text)`, 'name', lintFormats),
    flag('json', 'Print one JSON document to stdout: the report, or the error'),
    wholeNumber('max-warnings', 'Fail if there are more warnings than this', 0),
  ],
  examples: [
    'framework lint my-video',
    'framework lint my-video --fix --dry-run',
    'framework lint . --rule unused-variable=off --max-warnings 0',
    'framework lint . --format sarif > findings.sarif',
  ],
  run: async (input, io) => (await import('./commands/lint.ts')).runLint(input, io),
};

const sounds: CommandSpec = {
  name: 'sounds',
  summary: 'List the sounds of a video: when each begins and ends, its loudness and its peak',
  positionals: [{ name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' }],
  options: [
    ...valueOptions,
    valueOption('output', 'PNG file for an image of the waveforms', 'path', 'file', 'o'),
    valueOption('loudness', 'Loudness of the sound in LUFS, such as --loudness=-14 (default: as it is mixed)', 'LUFS'),
    valueOption('fps', 'Frames per second: 30, 29.97 or 30000/1001', 'rate'),
    flag('json', 'Print one JSON document to stdout: the report, or the error'),
    network,
    ...localeOptions,
    browser,
    ffmpeg,
  ],
  examples: ['framework sounds my-video', 'framework sounds my-video -o sounds.png --json'],
  run: async (input, io) => (await import('./commands/sounds.ts')).runSounds(input, io),
};

const check: CommandSpec = {
  name: 'check',
  summary: 'Look at what a composition shows, also with the values of many rows: text, contrast, clips, sound',
  positionals: [{ name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' }],
  options: [
    ...valueOptions,
    valueOption('batch', 'Also check each row of a JSON, JSONL, CSV or TSV file', 'file', 'file'),
    valueOption('rows', 'With --batch: check only these rows, counted from 1, such as 1,3-5', 'list'),
    flag('extremes', 'Also check rows with the longest and shortest texts, limits of numbers, and each option'),
    flag('all-sizes', 'Look at each size of data-sizes'),
    valueOption(
      'aspect-ratio',
      'Look at the layout of a video with this aspect ratio: 16:9, 9:16, 1:1 (default: same as the composition)',
      'ratio',
      commonAspectRatios,
    ),
    valueOption('output', 'Folder for images of the findings', 'folder', 'folder', 'o'),
    ruleOption,
    valueOption('fps', 'Frames per second: 30, 29.97 or 30000/1001', 'rate'),
    choice('format', `${lintFormats.join(', ')} (default: text)`, 'name', lintFormats),
    flag('json', 'Print one JSON document to stdout: the report, or the error'),
    wholeNumber('max-warnings', 'Fail if there are more warnings than this', 0),
    gpu('auto'),
    network,
    systemFonts,
    ...localeOptions,
    browser,
    ffmpeg,
  ],
  examples: [
    'framework check my-video',
    'framework check my-video --batch rows.csv -o findings',
    'framework check my-video --extremes --all-sizes --max-warnings 0',
    'framework check my-video --rule low-contrast=error --format github',
  ],
  run: async (input, io) => (await import('./commands/check.ts')).runCheck(input, io),
};

const variables: CommandSpec = {
  name: 'variables',
  summary: 'List compositions with their variables and embedded compositions',
  positionals: [{ name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' }],
  options: [{ name: 'json', summary: 'Print one JSON document to stdout: the list, or the error' }],
  examples: ['framework variables my-video', 'framework variables my-video/intro.html --json'],
  run: async (input, io) => (await import('./commands/variables.ts')).runVariables(input, io),
};

const create: CommandSpec = {
  name: 'new',
  summary: 'Create a project from an example; never overwrites files',
  positionals: [
    { name: 'dir', summary: 'Folder to create the project in (default: current folder)', complete: 'folder' },
  ],
  options: [
    valueOption('example', `${exampleNames.join(', ')} (default: ${exampleNames[0]})`, 'name', exampleNames, 'e'),
    flag('list', 'List the examples without creating a project'),
    flag('json', 'Print one JSON document to stdout: the created project, or the error'),
  ],
  examples: ['framework new my-video', 'framework new titles --example lower-third', 'framework new --list'],
  run: async (input, io) => (await import('./commands/new.ts')).runNew(input, io),
};

const add: CommandSpec = {
  name: 'add',
  summary: 'Add a block of the catalog to a composition, or list the catalog',
  positionals: [
    { name: 'block', summary: blockNames.join(', '), complete: blockNames },
    { name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' },
  ],
  options: [
    valueOption('composition', 'Composition file in the project (default: index.html)', 'path', 'file', 'c'),
    valueOption('at', 'Time in the composition, in seconds (default: 0)', 'seconds'),
    valueOption(
      'duration',
      'Duration in seconds (default: that of the block, at most until the composition ends)',
      'seconds',
    ),
    flag('list', 'List the blocks without changing files'),
    flag('json', 'Print one JSON document to stdout: what was added, the list, or the error'),
  ],
  examples: ['framework add', 'framework add lower-third my-video --at 2', 'framework add chart -c intro.html --json'],
  run: async (input, io) => (await import('./commands/add.ts')).runAdd(input, io),
};

const doctor: CommandSpec = {
  name: 'doctor',
  summary: 'Check whether this machine can render, and suggest fixes',
  options: [
    flag('service', 'Also check whether framework serve can isolate renders on this machine'),
    flag('json', 'Print one JSON document to stdout'),
    browser,
    ffmpeg,
  ],
  examples: ['framework doctor', 'framework doctor --service'],
  run: async (input, io) => (await import('./commands/doctor.ts')).runDoctor(input, io),
};

const mcp: CommandSpec = {
  name: 'mcp',
  summary: 'Run a Model Context Protocol (MCP) server for AI agents on stdin and stdout',
  positionals: [
    {
      name: 'dir',
      summary: 'Folders that agents may access (default: the roots of the MCP client, or the current folder)',
      complete: 'folder',
      many: true,
    },
  ],
  options: [network, browser, ffmpeg],
  examples: ['framework mcp ~/videos'],
  run: async (input, io) => (await import('./commands/mcp.ts')).runMcp(input, io),
};

/** Files that have a schema too. */
const fileSchemas = ['manifest', 'configuration', 'rows'];

const schema: CommandSpec = {
  name: 'schema',
  summary: 'Print the JSON Schema of the --json output of a command',
  positionals: [
    {
      name: 'command',
      summary: 'Command name, with -events for its progress events (default: list all schemas)',
      get complete() {
        return [...commands.filter(printsJson).map(({ name }) => name.replaceAll(' ', '-')), ...fileSchemas];
      },
      many: true,
    },
  ],
  options: [],
  examples: ['framework schema', 'framework schema cloud render', 'framework schema render-events'],
  run: async (input, io) => (await import('./commands/schema.ts')).runSchema(input, io),
};

const printsJson = ({ options }: CommandSpec): boolean => options.some(({ name }) => name === 'json');

const setup: CommandSpec = {
  name: 'setup',
  summary: 'Install the browser, ffmpeg and fonts that this machine lacks',
  positionals: [
    { name: 'program', summary: `${setupParts.join(', ')} (default: all)`, complete: setupParts, many: true },
  ],
  options: [
    valueOption(
      'dir',
      'Installation folder (default: FRAMEWORK_PROGRAMS_DIR, or ~/.cache/framework/programs)',
      'folder',
      'folder',
    ),
    flag('force', 'Download even if a working program is installed'),
    flag('dry-run', 'Show what would be downloaded and its size, without downloading'),
    flag('remove', 'Delete the downloaded programs and fonts'),
    ...reportOptions,
  ],
  examples: ['framework setup', 'framework setup ffmpeg', 'framework setup --dry-run', 'framework setup --remove'],
  run: async (input, io) => (await import('./commands/setup.ts')).runSetup(input, io),
};

const completion: CommandSpec = {
  name: 'completion',
  summary: 'Print a shell completion script',
  positionals: [{ name: 'shell', summary: shells.join(', '), complete: shells }],
  options: [],
  examples: [
    'source <(framework completion bash)',
    `framework completion zsh > "\${fpath[1]}/_framework"`,
    'framework completion fish > ~/.config/fish/completions/framework.fish',
  ],
  run: async (input, io) => (await import('./commands/completion.ts')).runCompletion(input, io, commands),
};

export const commands: readonly CommandSpec[] = [
  create,
  add,
  render,
  preview,
  snapshot,
  thumbnail,
  variables,
  lint,
  check,
  sounds,
  ...fontCommands,
  ...authCommands,
  ...cloudCommands,
  ...serveCommands,
  ...chunksCommands([browser, ffmpeg], network),
  ...serverlessCommands,
  doctor,
  setup,
  mcp,
  schema,
  completion,
];

/** Options of every command. */
export const commonOptions: readonly OptionSpec[] = [
  { name: 'help', short: 'h', summary: 'Show help' },
  { name: 'version', short: 'v', summary: 'Show the version' },
];

/** Commands that only the extension runs. They are in neither help nor completion. */
export const editorCommands: readonly CommandSpec[] = [
  {
    name: 'copy-video',
    summary: 'Copy an MP4 video with its sound as FLAC, because VS Code cannot play AAC',
    positionals: [{ name: 'video', summary: 'Video file' }],
    options: [
      valueOption('output', 'The copy; a video without sound is not copied', 'path'),
      flag('json', 'Print one JSON document to stdout: the report, or the error'),
      ffmpeg,
    ],
    examples: [],
    run: async (input, io) => (await import('./commands/copyVideo.ts')).runCopyVideo(input, io),
  },
];
