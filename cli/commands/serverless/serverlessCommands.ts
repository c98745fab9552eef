// The `framework serverless` commands: renders by Step Functions and Lambda in your own AWS account.

import { invalidRowsChoices } from '../../../renderer-core/plan/batchRows.ts';
import { choiceOf, renderStatuses } from '../../../serverless/renders/renderStatuses.ts';
import type { CommandSpec, OptionSpec } from '../../command.ts';
import { importOptional } from '../../importOptional.ts';
import { choice, flag, valueOption, wholeNumber } from '../../options/optionSpecs.ts';
import { reportOptions, valueOptions } from '../../options/sharedOptions.ts';
import { sizeOptions } from '../../options/sizeOptions.ts';

const account: readonly OptionSpec[] = [
  valueOption('region', 'AWS region (default: AWS_REGION, or the region of the profile)', 'name'),
  valueOption('profile', 'AWS profile', 'name'),
  valueOption('stack-name', 'Name of the stack (default: framework-render)', 'name'),
];

const yes: OptionSpec = { name: 'yes', short: 'y', summary: 'Skip the confirmation' };
const [progress, json] = reportOptions as [OptionSpec, OptionSpec];

const chunkOptions: readonly OptionSpec[] = [
  wholeNumber('max-parallel-chunks', 'Maximum number of chunks per render (default: 16)', 1),
  wholeNumber('target-chunk-frames', 'Target number of frames per chunk; ignored with --chunk-size', 1),
  wholeNumber('chunk-size', 'Frames per chunk (default: 240)', 1),
  choice('chunks', 'auto: the number of chunks that finishes first, by the measurements of the stack', 'auto', [
    'auto',
  ]),
];

const videoOptions: readonly OptionSpec[] = [
  valueOption('site-id', 'Render an uploaded project, without uploading again', 'id'),
  ...sizeOptions(),
  valueOption('fps', 'Frames per second: 30, 29.97 or 30000/1001', 'rate'),
  choice('format', 'mp4, webm, mov or gif', 'name', ['mp4', 'webm', 'mov', 'gif']),
  valueOption('codec', 'Video codec', 'name'),
  flag('hdr', 'Not supported here: HDR needs framework render on one machine'),
  {
    name: 'quality',
    short: 'q',
    summary: 'draft, standard or high (default: standard)',
    value: { label: 'name', choices: ['draft', 'standard', 'high'] },
  },
];

const waitOptions: readonly OptionSpec[] = [
  flag('wait', 'Wait for the video and show progress'),
  valueOption('output', 'Wait, then download the video to this file, or - for stdout', 'path', 'file', 'o'),
];

const project = { name: 'dir', summary: 'Project folder (default: current folder)', complete: 'folder' } as const;
const withoutFile = valueOptions.filter(({ name }) => name !== 'variables-file');

export const serverlessCommands: readonly CommandSpec[] = [
  {
    name: 'serverless deploy',
    summary: 'Deploy or update the render stack in an AWS account and region',
    options: [
      valueOption(
        'concurrency',
        'Reserved concurrency of the render function, or none to remove the reservation (default: none)',
        'n|none',
        ['none'],
      ),
      wholeNumber(
        'memory',
        'Memory of a worker in MB, 2048 to 10240; more memory also means more CPUs (default: 4096, or what the account allows)',
        2048,
        'mb',
      ),
      flag('webhooks', 'Let the stack send webhooks when renders end ($0.40 a month for the secret)'),
      flag('no-webhooks', 'Remove what sends webhooks (default: as it is)'),
      flag('no-canary', 'Do not render a test video on the deployed stack'),
      ...account,
      yes,
      json,
    ],
    examples: [
      'framework serverless deploy',
      'framework serverless deploy --concurrency 200 --region eu-central-1 --yes',
    ],
    run: async (input, io) => (await importOptional(() => import('./serverlessDeploy.ts'))).runDeploy(input, io),
  },
  {
    name: 'serverless destroy',
    summary: 'Delete the stack; keep the results bucket',
    options: [
      flag('all', 'Also delete the results bucket with all videos, projects and chunks'),
      ...account,
      yes,
      json,
    ],
    examples: ['framework serverless destroy', 'framework serverless destroy --all'],
    run: async (input, io) => (await importOptional(() => import('./serverlessDeploy.ts'))).runDestroy(input, io),
  },
  {
    name: 'serverless quotas',
    summary: 'Show the quotas of the account that limit renders, and request more workers',
    options: [wholeNumber('request', 'Request this number of concurrent workers from AWS', 1), ...account, json],
    examples: ['framework serverless quotas', 'framework serverless quotas --request 1000'],
    run: async (input, io) => (await importOptional(() => import('./serverlessQuotas.ts'))).runQuotas(input, io),
  },
  {
    name: 'serverless policies',
    summary: 'Print IAM policies with the actions that the commands need',
    options: [flag('check', 'Check whether the current credentials allow these actions'), ...account, json],
    examples: ['framework serverless policies', 'framework serverless policies --check'],
    run: async (input, io) => (await importOptional(() => import('./serverlessPolicies.ts'))).runPolicies(input, io),
  },
  {
    name: 'serverless webhook-secret',
    summary: 'Show the secret that signs the webhooks of renders',
    options: [...account, json],
    examples: ['framework serverless webhook-secret'],
    run: async (input, io) =>
      (await importOptional(() => import('./serverlessWebhooks.ts'))).runWebhookSecret(input, io),
  },
  {
    name: 'serverless sites create',
    summary: 'Upload a project and print its site id',
    positionals: [project],
    options: [...account, progress, json],
    examples: ['framework serverless sites create my-video'],
    run: async (input, io) => (await import('./serverlessSites.ts')).runSitesCreate(input, io),
  },
  {
    name: 'serverless sites list',
    summary: 'List the uploaded projects',
    options: [...account, json],
    examples: ['framework serverless sites list'],
    run: async (input, io) => (await import('./serverlessSites.ts')).runSitesList(input, io),
  },
  {
    name: 'serverless sites delete',
    summary: 'Delete an uploaded project, and its files that no other one uses',
    positionals: [{ name: 'site', summary: 'Site id' }],
    options: [...account, json],
    examples: ['framework serverless sites delete 3f2a…'],
    run: async (input, io) => (await import('./serverlessSites.ts')).runSitesDelete(input, io),
  },
  {
    name: 'serverless render',
    summary: 'Start a render and print its id, or wait for the video',
    positionals: [project],
    options: [
      ...valueOptions,
      ...videoOptions,
      valueOption('output-key', 'Object key of the video in the bucket (default: renders/<id>.<ext>)', 'key'),
      ...chunkOptions,
      ...waitOptions,
      valueOption('callback-url', 'https URL that is called when the render ends', 'url'),
      valueOption('callback-id', 'Text that is passed to the callback URL', 'text'),
      flag('dry-run', 'Estimate chunks, time and cost, without rendering'),
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
    summary: 'Show the progress, cost and errors of a render',
    positionals: [{ name: 'id', summary: 'Render id or execution ARN' }],
    options: [
      ...waitOptions,
      flag('timings', 'Also show how long each stage took'),
      flag('url', 'Also show a URL that downloads the video without credentials for an hour'),
      ...account,
      progress,
      json,
    ],
    examples: [
      'framework serverless progress r-0b6e…',
      'framework serverless progress r-0b6e… -o out.mp4',
      'framework serverless progress r-0b6e… --timings',
    ],
    run: async (input, io) => (await import('./serverlessRenders.ts')).runProgress(input, io),
  },
  {
    name: 'serverless list',
    summary: 'List the renders of the last 90 days, newest first',
    options: [
      choice('status', 'Only renders with this status', 'name', renderStatuses.map(choiceOf)),
      wholeNumber('limit', 'Maximum number of renders (default: 20)', 1),
      ...account,
      json,
    ],
    examples: ['framework serverless list', 'framework serverless list --status running --json'],
    run: async (input, io) => (await import('./serverlessRenders.ts')).runList(input, io),
  },
  {
    name: 'serverless cancel',
    summary: 'Cancel a running render; resume continues it',
    positionals: [{ name: 'id', summary: 'Render id or execution ARN' }],
    options: [...account, json],
    examples: ['framework serverless cancel r-0b6e…'],
    run: async (input, io) => (await import('./serverlessRenders.ts')).runCancel(input, io),
  },
  {
    name: 'serverless resume',
    summary: 'Continue a failed or cancelled render without repeating its finished chunks',
    positionals: [{ name: 'id', summary: 'Render id or execution ARN' }],
    options: [...waitOptions, ...account, progress, json],
    examples: ['framework serverless resume r-0b6e…', 'framework serverless resume r-0b6e… -o out.mp4'],
    run: async (input, io) => (await import('./serverlessRenders.ts')).runResume(input, io),
  },
  {
    name: 'serverless render-batch',
    summary: 'Start one render for each line of a JSONL file',
    positionals: [project],
    options: [
      valueOption('batch', 'JSONL file with one {"outputKey": …, "variables": {…}} per line', 'file', 'file'),
      ...withoutFile.filter(({ name }) => name !== 'variables'),
      ...videoOptions,
      ...chunkOptions,
      wholeNumber('max-concurrent', 'Maximum number of renders that run at the same time (default: 50)', 1),
      choice(
        'invalid-rows',
        'Lines with values that do not fit: defaults, skip or fail (default: defaults)',
        'mode',
        invalidRowsChoices,
      ),
      flag('wait', 'Wait for all videos and show progress'),
      valueOption('output', 'Wait, and download each video to this folder, by its output key', 'folder', 'folder', 'o'),
      valueOption('manifest', 'Also write the results to this file', 'file', 'file'),
      flag('resume', 'Start only lines that the manifest does not list as started or succeeded with the same input'),
      flag('dry-run', 'Check every line, without rendering'),
      ...account,
      progress,
      json,
    ],
    examples: [
      'framework serverless render-batch my-video --batch rows.jsonl --dry-run',
      'framework serverless render-batch my-video --batch rows.jsonl --max-concurrent 12 --json',
      'framework serverless render-batch my-video --batch rows.jsonl --output videos',
    ],
    run: async (input, io) =>
      (await importOptional(() => import('./serverlessBatch.ts'))).runServerlessBatch(input, io),
  },
];
