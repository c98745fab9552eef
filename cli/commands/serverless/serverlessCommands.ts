// Rows of the table of commands: `framework serverless`: renders by Step Functions and Lambda in one's own AWS account.
import type { CommandSpec, OptionSpec } from './command.ts';
import { load } from './serveCommands.ts';
import { reportOptions, valueOptions } from './sharedOptions.ts';

const account: readonly OptionSpec[] = [
  { name: 'region', summary: 'AWS region (else AWS_REGION, else that of the profile)', value: { label: 'name' } },
  { name: 'profile', summary: 'Profile of the AWS configuration', value: { label: 'name' } },
  { name: 'stack-name', summary: 'Name of the stack (default: framework-render)', value: { label: 'name' } },
];

const yes: OptionSpec = { name: 'yes', short: 'y', summary: 'Do it without asking' };
const [progress, json] = reportOptions as [OptionSpec, OptionSpec];

const chunkOptions: readonly OptionSpec[] = [
  {
    name: 'max-parallel-chunks',
    summary: 'Most chunks of one render (default: 16)',
    value: { label: 'n', wholeNumberFrom: 1 },
  },
  {
    name: 'target-chunk-frames',
    summary: 'Frames that a chunk should have; not with --chunk-size',
    value: { label: 'n', wholeNumberFrom: 1 },
  },
  { name: 'chunk-size', summary: 'Frames of a chunk (default: 240)', value: { label: 'n', wholeNumberFrom: 1 } },
];

const videoOptions: readonly OptionSpec[] = [
  { name: 'site-id', summary: 'A project that was uploaded before; nothing is uploaded', value: { label: 'id' } },
  {
    name: 'width',
    summary: 'Width of the video in pixels; the height follows (default: as the composition)',
    value: { label: 'n', wholeNumberFrom: 1 },
  },
  {
    name: 'height',
    summary: 'Height of the video in pixels; the width follows',
    value: { label: 'n', wholeNumberFrom: 1 },
  },
  { name: 'fps', summary: 'Frames per second: 30, 29.97 or 30000/1001', value: { label: 'rate' } },
  {
    name: 'format',
    summary: 'mp4, webm, mov or gif',
    value: { label: 'name', choices: ['mp4', 'webm', 'mov', 'gif'] },
  },
  { name: 'codec', summary: 'Video codec', value: { label: 'name' } },
  { name: 'hdr', summary: 'Refused: HDR is rendered on one machine alone, with framework render' },
  {
    name: 'quality',
    short: 'q',
    summary: 'draft, standard or high (default: standard)',
    value: { label: 'name', choices: ['draft', 'standard', 'high'] },
  },
];

const waitOptions: readonly OptionSpec[] = [
  { name: 'wait', summary: 'Wait until the video is there, and show progress' },
  {
    name: 'output',
    short: 'o',
    summary: 'Wait, and bring the video to this file',
    value: { label: 'path', complete: 'file' },
  },
];

const project = { name: 'dir', summary: 'Project folder (default: the current one)', complete: 'folder' } as const;
const withoutFile = valueOptions.filter(({ name }) => name !== 'variables-file');

export const serverlessCommands: readonly CommandSpec[] = [
  {
    name: 'serverless deploy',
    summary: 'Deploy the render stack into an AWS account and region, or bring it up to date',
    positionals: [],
    options: [
      {
        name: 'concurrency',
        summary: 'Workers reserved for renders (default: whatever the account has free)',
        value: { label: 'n', wholeNumberFrom: 1 },
      },
      {
        name: 'memory',
        summary: 'Megabytes of a worker, 2048 to 10240; processors come with them (default: 10240)',
        value: { label: 'mb', wholeNumberFrom: 2048 },
      },
      ...account,
      yes,
      json,
    ],
    examples: [
      'framework serverless deploy',
      'framework serverless deploy --concurrency 200 --region eu-central-1 --yes',
    ],
    run: async (input, io) => (await load(() => import('./serverlessDeploy.ts'))).runDeploy(input, io),
  },
  {
    name: 'serverless destroy',
    summary: 'Take the stack away; the bucket with its results stays',
    positionals: [],
    options: [...account, yes, json],
    examples: ['framework serverless destroy'],
    run: async (input, io) => (await load(() => import('./serverlessDeploy.ts'))).runDestroy(input, io),
  },
  {
    name: 'serverless policies',
    summary: 'Print the IAM actions that the commands need, as policies to attach',
    positionals: [],
    options: [{ name: 'check', summary: 'Ask AWS whether the current credentials may do them' }, ...account, json],
    examples: ['framework serverless policies', 'framework serverless policies --check'],
    run: async (input, io) => (await load(() => import('./serverlessPolicies.ts'))).runPolicies(input, io),
  },
  {
    name: 'serverless sites create',
    summary: 'Upload a project once and print its id',
    positionals: [project],
    options: [...account, progress, json],
    examples: ['framework serverless sites create my-video'],
    run: async (input, io) => (await import('./serverlessSites.ts')).runSitesCreate(input, io),
  },
  {
    name: 'serverless render',
    summary: 'Start one render; prints its id and returns, or waits for the video',
    positionals: [project],
    options: [
      ...valueOptions,
      ...videoOptions,
      {
        name: 'output-key',
        summary: 'Place of the video in the bucket (default: renders/<id>.<ext>)',
        value: { label: 'key' },
      },
      ...chunkOptions,
      ...waitOptions,
      { name: 'dry-run', summary: 'Print chunks, time and cost to expect; start nothing' },
      ...account,
      progress,
      json,
    ],
    examples: [
      'framework serverless render my-video -o out.mp4',
      `framework serverless render my-video --variables '{"title":"Hello"}' --output-key videos/hello.mp4`,
      'framework serverless render my-video --dry-run',
    ],
    run: async (input, io) => (await import('./serverlessRender.ts')).runServerlessRender(input, io),
  },
  {
    name: 'serverless progress',
    summary: 'Tell how far a render is, what it costs, and what went wrong',
    positionals: [{ name: 'id', summary: 'Render id or execution ARN' }],
    options: [...waitOptions, ...account, progress, json],
    examples: ['framework serverless progress r-0b6e…', 'framework serverless progress r-0b6e… -o out.mp4'],
    run: async (input, io) => (await import('./serverlessProgress.ts')).runProgress(input, io),
  },
  {
    name: 'serverless render-batch',
    summary: 'Start one render for each line of a JSONL file',
    positionals: [project],
    options: [
      {
        name: 'batch',
        summary: 'JSONL file: {"outputKey": …, "variables": {…}} a line',
        value: { label: 'file', complete: 'file' },
      },
      ...withoutFile.filter(({ name }) => name !== 'variables'),
      ...videoOptions,
      ...chunkOptions,
      {
        name: 'max-concurrent',
        summary: 'Renders that are being started at once (default: 50)',
        value: { label: 'n', wholeNumberFrom: 1 },
      },
      { name: 'manifest', summary: 'Also write the rows to this file', value: { label: 'file', complete: 'file' } },
      { name: 'dry-run', summary: 'Check every line and start nothing' },
      ...account,
      progress,
      json,
    ],
    examples: [
      'framework serverless render-batch my-video --batch rows.jsonl --dry-run',
      'framework serverless render-batch my-video --batch rows.jsonl --max-concurrent 12 --json',
    ],
    run: async (input, io) => (await load(() => import('./serverlessBatch.ts'))).runServerlessBatch(input, io),
  },
];
