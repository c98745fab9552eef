// The `framework cloud` commands: renders by the hosted service.

import { aspectRatios, cloudFormats } from '../../../cloud/client/renderRequest.ts';
import { qualities } from '../../../renderer-core/plan/formats.ts';
import type { CommandSpec, OptionSpec } from '../../command.ts';
import { flag, valueOption, wholeNumber } from '../../options/optionSpecs.ts';
import { reportOptions, valueOptions } from '../../options/sharedOptions.ts';
import { sizeOptions } from '../../options/sizeOptions.ts';

const json: OptionSpec = flag('json', 'Print one JSON document to stdout: the result, or the error');

const renderId = { name: 'render_id', summary: 'Render id, as listed by framework cloud list' };

const waitOptions: readonly OptionSpec[] = [
  valueOption('poll-interval', 'Polling interval: 10, 10s, 1m (default: 10s, minimum: 1s)', 'time'),
  valueOption('max-wait', 'Maximum time to wait: 90s, 15m, 2h (default: 60m)', 'time'),
];

const output: OptionSpec = valueOption(
  'output',
  'Output file, or - for stdout (default: renders/<render_id>.<ext>)',
  'path',
  'file',
  'o',
);

const render: CommandSpec = {
  name: 'cloud render',
  summary: 'Render a project on the hosted service and download the video',
  positionals: [{ name: 'dir', summary: 'Project folder or .html file (default: current folder)', complete: 'folder' }],
  options: [
    valueOption('asset-id', 'Render a project that is already uploaded', 'id'),
    valueOption('url', 'Render a zipped project that the service downloads', 'url'),
    ...valueOptions,
    output,
    valueOption('fps', "Frames per second, 1 to 240 (default: 30, or the composition's)", 'rate'),
    valueOption('quality', `${qualities.join(', ')} (default: standard)`, 'name', qualities, 'q'),
    valueOption(
      'format',
      `${cloudFormats.join(', ')} (default: from the extension of --output, or mp4)`,
      'name',
      cloudFormats,
    ),
    ...sizeOptions({ size: '1080p; 4k needs mp4', ratios: aspectRatios }),
    valueOption('title', 'Title of the render, shown in lists', 'text'),
    flag('no-wait', 'Print the render id and exit without waiting for the video'),
    ...waitOptions,
    valueOption('callback-url', 'https URL that the service calls when the render ends', 'url'),
    valueOption('callback-id', 'Text that is passed to the callback URL', 'text'),
    valueOption(
      'idempotency-key',
      'Repeating a request with the same key within 24 hours returns the same render',
      'key',
    ),
    flag('dry-run', 'Check everything and show what would be sent, without sending it'),
    ...reportOptions,
    flag('quiet', 'Print only the output path, warnings and errors'),
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
  options: [
    wholeNumber('limit', 'Page size, 1 to 100 (default: 10)', 1),
    valueOption('token', 'Token of the next page, from an earlier list', 'token'),
    flag('all', 'List all renders'),
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
    flag('wait', 'Wait until the render ends, then download the video (default: renders/<render_id>.<ext>)'),
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
  options: [flag('no-confirm', 'Delete without asking'), json],
  examples: ['framework cloud delete render_123', 'framework cloud delete render_123 --no-confirm'],
  run: async (input, io) => (await import('./cloudDelete.ts')).runCloudDelete(input, io),
};

export const cloudCommands: readonly CommandSpec[] = [render, list, get, remove];
