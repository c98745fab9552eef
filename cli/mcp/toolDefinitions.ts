// The tools of `framework mcp` for AI agents: names, descriptions and inputs.
import { z } from 'zod';
import { ruleLevels } from '../../renderer-core/lint/settings.ts';
import { embedded, formats, qualities } from '../../renderer-core/plan/formats.ts';
import { fits, resolutions } from '../../renderer-core/plan/resolution.ts';

export type ToolDefinition<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  name: string;
  title: string;
  description: string;
  input: Shape;
  /** Whether the tool changes files: clients then ask their users first. */
  writes: boolean;
};

/** The largest images that models use without scaling, in pixels. */
export const defaultSnapshotSide = 1280;
const maxSnapshotSide = 2000;
const maxSnapshotFrames = 16;

const optional = <Type extends z.ZodType>(type: Type, description: string) => type.optional().describe(description);

const project = optional(
  z.string(),
  'Project folder, or an .html composition in it: absolute, or relative to the first allowed folder. Default: that folder.',
);
const composition = optional(z.string(), 'Composition file, relative to the project folder. Default: index.html.');
const variables = optional(
  z.record(z.string(), z.unknown()),
  'Values of declared variables, by id. List the variables to get their ids. The others keep their defaults.',
);
const strict = optional(
  z.boolean(),
  'Fail instead of warning if a value does not match its declaration. Default: false.',
);
const fps = optional(z.string(), 'Frames per second: "30", "29.97" or "30000/1001".');
const side = (other: string) =>
  optional(z.number().int().min(1), `In pixels; the ${other} follows from the aspect ratio.`);
const sizeFields = {
  resolution: optional(z.enum(resolutions), 'Pixels of the shorter side. Default: the size of the composition.'),
  width: side('height'),
  height: side('width'),
  aspectRatio: optional(
    z.string(),
    '"16:9", "9:16", "1:1" or another "width:height". Default: that of the composition.',
  ),
  fit: optional(
    z.enum(fits),
    'How the page fills another aspect ratio: with bars, cropped or distorted. Default: contain.',
  ),
  background: optional(
    z.string(),
    "Color of the bars: #rrggbb, a CSS name or transparent. Default: the page's background, or black.",
  ),
};

export type SizeFields = z.infer<z.ZodObject<typeof sizeFields>>;

const renderFields = {
  project,
  composition,
  variables,
  strict,
  fps,
  ...sizeFields,
  format: optional(z.enum(formats), 'Default: from the extension of the output, or mp4. hls and png: a folder.'),
  quality: optional(z.enum(qualities), 'Default: standard. draft is faster.'),
  captions: optional(z.enum([embedded]), 'Also writes the captions into a track of the mp4, mov or webm.'),
};

export type RenderFields = z.infer<z.ZodObject<typeof renderFields>>;

/** Keeps the input type of each definition. */
const define = <Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): ToolDefinition<Shape> => definition;

export const lintDefinition = define({
  name: 'lint',
  title: 'Check Compositions',
  description:
    'Checks video compositions (HTML files with data-composition-id) statically: variables, timing, embedded files, assets, scripts. Returns findings with file, line, column, severity, rule, message and possible fixes. Does not start a browser. Run it after every edit, before you take a snapshot or render. With fix, it applies safe fixes to the files.',
  input: {
    project,
    fix: optional(z.boolean(), 'Apply safe fixes and write the files. Default: false.'),
    rules: optional(
      z.record(z.string(), z.enum(ruleLevels)),
      'Severity of rules for this run, overrides framework.json: {"unused-variable": "off"}.',
    ),
  },
  writes: true,
});

export const compositionsDefinition = define({
  name: 'list_compositions',
  title: 'List Compositions',
  description:
    'Lists the compositions of a folder with one or more projects: file, project folder, size, duration, number of variables, and embedded compositions.',
  input: { project },
  writes: false,
});

export const variablesDefinition = define({
  name: 'list_variables',
  title: 'List Variables',
  description:
    'Lists video compositions and the variables that they declare: id, type, label, default, and range, length or options. The ids are the keys of the variables of a snapshot or render.',
  input: {
    project,
    composition: composition.describe('Only this composition, relative to its project folder.'),
  },
  writes: false,
});

export const snapshotDefinition = define({
  name: 'snapshot',
  title: 'Take Snapshot',
  description:
    'Shows frames of a video composition exactly as they will be rendered, in one image. Use it to look at a composition after you change it: several times are combined into one contact sheet with their times. Takes about a second. An error of the page or a missing file is reported with its file and line.',
  input: {
    project,
    composition,
    at: optional(
      z.array(z.union([z.string(), z.number()])).max(maxSnapshotFrames),
      'Times: seconds (2.5), frames ("12f") or percentages ("50%"). Default: ["50%"].',
    ),
    variables,
    strict,
    fps,
    ...sizeFields,
    maxSide: optional(
      z.number().int().min(64).max(maxSnapshotSide),
      `Maximum width or height of the image, in pixels. Default: ${defaultSnapshotSide}.`,
    ),
    output: optional(
      z.string(),
      'Also write the image to this .png, .jpg or .webp file, relative to the project folder.',
    ),
  },
  writes: true,
});

export const checkDefinition = define({
  name: 'check',
  title: 'Check What Is Shown',
  description:
    'Opens a video composition in a browser and reports what viewers would notice: text that is cut off, leaves the frame or overlaps, low contrast, clips that never show, blank parts, sounds that are cut off. With rows or extremes, it also finds which values cause such problems. Returns findings with file, line and time, and an image of the worst ones. Takes some seconds. Run it before you render.',
  input: {
    project,
    composition,
    variables,
    rows: optional(
      z.union([z.array(z.record(z.string(), z.unknown())).min(1), z.string()]),
      'Also check these rows of values, or the path of a JSON, JSONL, CSV or TSV file with rows, relative to the project folder.',
    ),
    extremes: optional(
      z.boolean(),
      'Also check the longest and shortest texts, limits of numbers and all options that the declarations allow. Default: false.',
    ),
    allSizes: optional(z.boolean(), 'Check each size that the composition declares in data-sizes. Default: false.'),
    rules: optional(
      z.record(z.string(), z.enum(ruleLevels)),
      'Severity of checks for this run: {"low-contrast": "off"}.',
    ),
  },
  writes: false,
});

export const soundsDefinition = define({
  name: 'list_sounds',
  title: 'List Sounds',
  description:
    'Lists the sounds of a video composition as they are heard: when each begins and ends, its loudness (LUFS) and true peak, and those of the mix, with an image of the waveforms. Takes some seconds.',
  input: { project, composition, variables },
  writes: false,
});

export const renderDefinition = define({
  name: 'render',
  title: 'Render Video',
  description:
    'Renders a video composition to a file. A render takes seconds to minutes and can be cancelled, so look at a snapshot first. If it fails or is cancelled, no file is written. Returns the path, number of frames, size and duration.',
  input: {
    ...renderFields,
    output: optional(
      z.string(),
      'File to write, relative to the project folder; its extension selects the format (.mp4, .webm, .mov, .gif). Default: renders/<composition>.mp4.',
    ),
  },
  writes: true,
});

export const batchDefinition = define({
  name: 'render_batch',
  title: 'Render Batch',
  description:
    'Renders one video for each row of values. All rows are checked before the first one is rendered; a failed row does not stop the others. The batch can be cancelled; with resume, it continues where it stopped.',
  input: {
    ...renderFields,
    rows: z
      .union([z.array(z.record(z.string(), z.unknown())).min(1), z.string()])
      .describe(
        'Rows of values by variable id, or the path of a JSON, JSONL, CSV or TSV file with rows, relative to the project folder.',
      ),
    output: optional(
      z.string(),
      'Files to write, relative to the project folder; {key} inserts a value of the row or a default, {index} the number of the row. Default: renders/<composition>-{index}.mp4.',
    ),
    concurrency: optional(z.number().int().min(1).max(8), 'Maximum concurrent rows. Default: 1.'),
    resume: optional(
      z.union([z.boolean(), z.enum(['completed'])]),
      'true: skip rows that are already completed and whose values, options and files have not changed. "completed": skip all completed rows. Default: false.',
    ),
  },
  writes: true,
});
