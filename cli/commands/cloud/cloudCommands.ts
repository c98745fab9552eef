// The `framework cloud` commands: renders by the hosted service.
import { aspectRatios, cloudFormats } from '../../../cloud/client/renderRequest.ts';
import { qualities } from '../../../renderer-core/plan/formats.ts';
import type { CommandSpec, OptionSpec } from '../../command.ts';
import { reportOptions, valueOptions } from '../../sharedOptions.ts';
import { sizeOptions } from '../../sizeOptions.ts';

const json: OptionSpec = {
  name: 'json',
  summary: 'Print one JSON document to stdout: the result, or the error',
};

const renderId = { name: 'render_id', summary: 'Render id, as listed by framework cloud list' };

const waitOptions: readonly OptionSpec[] = [
  {
    name: 'poll-interval',
    summary: 'Polling interval: 10, 10s, 1m (default: 10s, minimum: 1s)',
    value: { label: 'time' },
  },
  {
    name: 'max-wait',
    summary: 'Maximum time to wait: 90s, 15m, 2h (default: 60m)',
    value: { label: 'time' },
  },
];

const output: OptionSpec = {
  name: 'output',
  short: 'o',
  summary: 'Output file, or - for stdout (default: renders/<render_id>.<ext>)',
  value: { label: 'path', complete: 'file' },
};

const render: CommandSpec = {
  name: 'cloud render',
  summary: 'Render a project on the hosted service and download the video',
  positionals: [{ name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' }],
  options: [
    { name: 'asset-id', summary: 'Render a project that is already uploaded', value: { label: 'id' } },
    { name: 'url', summary: 'Render a zipped project that the service downloads', value: { label: 'url' } },
    ...valueOptions,
    output,
    {
      name: 'fps',
      summary: "Frames per second, 1 to 240 (default: 30, or the composition's)",
      value: { label: 'rate' },
    },
    {
      name: 'quality',
      short: 'q',
      summary: `${qualities.join(', ')} (default: standard)`,
      value: { label: 'name', complete: qualities },
    },
    {
      name: 'format',
      summary: `${cloudFormats.join(', ')} (default: from the extension of --output, or mp4)`,
      value: { label: 'name', complete: cloudFormats },
    },
    ...sizeOptions({ size: '1080p; 4k needs mp4', ratios: aspectRatios }),
    { name: 'title', summary: 'Title of the render, shown in lists', value: { label: 'text' } },
    { name: 'no-wait', summary: 'Print the render id and exit without waiting for the video' },
    ...waitOptions,
    {
      name: 'callback-url',
      summary: 'https URL that the service calls when the render ends',
      value: { label: 'url' },
    },
    { name: 'callback-id', summary: 'Text that is passed to the callback URL', value: { label: 'text' } },
    {
      name: 'idempotency-key',
      summary: 'Repeating a request with the same key within 24 hours returns the same render',
      value: { label: 'key' },
    },
    { name: 'dry-run', summary: 'Check everything and show what would be sent, without sending it' },
    ...reportOptions,
    { name: 'quiet', summary: 'Print only the output path, warnings and errors' },
  ],
  examples: [
    'framework cloud render my-video -o out.mp4',
    `framework cloud render my-video --variables '{"title":"Hello"}' --strict-variables`,
    'framework cloud render --asset-id asset_123 --variables-file monday.json',
    'framework cloud render my-video --no-wait --callback-url https://example.com/rendered',
    'framework cloud render my-video --dry-run',
  ],
  run: async (input, io) => (await import('./cloudRender.ts')).runCloudRender(input, io),
};

const list: CommandSpec = {
  name: 'cloud list',
  summary: 'List the renders of the account, newest first',
  positionals: [],
  options: [
    {
      name: 'limit',
      summary: 'Page size, 1 to 100 (default: 10)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    { name: 'token', summary: 'Token of the next page, from an earlier list', value: { label: 'token' } },
    { name: 'all', summary: 'List all renders' },
    json,
  ],
  examples: ['framework cloud list', 'framework cloud list --all --json'],
  run: async (input, io) => (await import('./cloudList.ts')).runCloudList(input, io),
};

const get: CommandSpec = {
  name: 'cloud get',
  summary: 'Show a render with a fresh URL of its video, or download the video',
  positionals: [renderId],
  options: [
    { ...output, summary: 'Download the video to this file, or - for stdout' },
    {
      name: 'wait',
      summary: 'Wait until the render ends, then download the video (default: renders/<render_id>.<ext>)',
    },
    ...waitOptions,
    ...reportOptions,
  ],
  examples: ['framework cloud get render_123', 'framework cloud get render_123 --wait -o out.mp4'],
  run: async (input, io) => (await import('./cloudGet.ts')).runCloudGet(input, io),
};

const remove: CommandSpec = {
  name: 'cloud delete',
  summary: 'Delete a render and its video',
  positionals: [renderId],
  options: [{ name: 'no-confirm', summary: 'Delete without asking' }, json],
  examples: ['framework cloud delete render_123', 'framework cloud delete render_123 --no-confirm'],
  run: async (input, io) => (await import('./cloudDelete.ts')).runCloudDelete(input, io),
};

export const cloudCommands: readonly CommandSpec[] = [render, list, get, remove];
