// Rows of the table of commands: `framework cloud`: renders by the hosted service.
import { aspectRatios, cloudFormats, resolutions } from '../cloud/order.ts';
import { qualities } from '../plan/formats.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { reportOptions, valueOptions } from './sharedOptions.ts';

const json: OptionSpec = {
  name: 'json',
  summary: 'Print one JSON document on standard output: the result, or the error',
};

const renderId = { name: 'render_id', summary: 'Id of the render: framework cloud list shows them' };

/** Of the commands that wait for a render. */
const waitOptions: readonly OptionSpec[] = [
  {
    name: 'poll-interval',
    summary: 'Time between two looks at the render: 10, 10s, 1m (default: 10s, at least 1s)',
    value: { label: 'time' },
  },
  {
    name: 'max-wait',
    summary: 'Longest wait for its end: 90s, 15m, 2h (default: 60m)',
    value: { label: 'time' },
  },
];

const output: OptionSpec = {
  name: 'output',
  short: 'o',
  summary: 'Where the video goes (default: renders/<render_id>.<ext>)',
  value: { label: 'path', complete: 'file' },
};

const render: CommandSpec = {
  name: 'cloud render',
  summary: 'Render a project by the hosted service and download the video',
  positionals: [
    { name: 'dir', summary: 'Project folder or .html file (default: the current folder)', complete: 'folder' },
  ],
  options: [
    { name: 'asset-id', summary: 'Render a project that was uploaded before', value: { label: 'id' } },
    { name: 'url', summary: 'Render a zipped project that the service fetches', value: { label: 'url' } },
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
      summary: `${cloudFormats.join(', ')} (default: by the extension of the output, else mp4)`,
      value: { label: 'name', complete: cloudFormats },
    },
    {
      name: 'resolution',
      summary: `${resolutions.join(', ')} (default: 1080p); 4k is for mp4`,
      value: { label: 'name', complete: resolutions },
    },
    {
      name: 'aspect-ratio',
      summary: `${aspectRatios.join(', ')} (default: that of the composition)`,
      value: { label: 'ratio', complete: aspectRatios },
    },
    { name: 'title', summary: 'Name of the render in lists', value: { label: 'text' } },
    { name: 'no-wait', summary: 'Print the id of the render once it is accepted, and end' },
    ...waitOptions,
    {
      name: 'callback-url',
      summary: 'https URL that the service calls when the render has ended',
      value: { label: 'url' },
    },
    { name: 'callback-id', summary: 'Text that comes back with that call', value: { label: 'text' } },
    {
      name: 'idempotency-key',
      summary: 'The same key with the same request is one render, for 24 hours',
      value: { label: 'key' },
    },
    { name: 'dry-run', summary: 'Check everything, list what would be sent, and send nothing' },
    ...reportOptions,
    { name: 'quiet', summary: 'Print only the path of the output, warnings and errors' },
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
      summary: 'So many, 1 to 100 (default: 10); with --all: so many in each request',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    { name: 'token', summary: 'Begin where an earlier list ended', value: { label: 'token' } },
    { name: 'all', summary: 'List all of them' },
    json,
  ],
  examples: ['framework cloud list', 'framework cloud list --all --json'],
  run: async (input, io) => (await import('./cloudList.ts')).runCloudList(input, io),
};

const get: CommandSpec = {
  name: 'cloud get',
  summary: 'Show all about a render, with a fresh URL of its video; or download that',
  positionals: [renderId],
  options: [
    { ...output, summary: 'Download the video to this file' },
    { name: 'wait', summary: 'Wait for its end, then download (default: to renders/<render_id>.<ext>)' },
    ...waitOptions,
    ...reportOptions,
  ],
  examples: ['framework cloud get render_123', 'framework cloud get render_123 --wait -o out.mp4'],
  run: async (input, io) => (await import('./cloudGet.ts')).runCloudGet(input, io),
};

const remove: CommandSpec = {
  name: 'cloud delete',
  summary: 'Delete a render: it is gone from lists, and its video can no longer be fetched',
  positionals: [renderId],
  options: [{ name: 'no-confirm', summary: 'Do not ask' }, json],
  examples: ['framework cloud delete render_123', 'framework cloud delete render_123 --no-confirm'],
  run: async (input, io) => (await import('./cloudDelete.ts')).runCloudDelete(input, io),
};

export const cloudCommands: readonly CommandSpec[] = [render, list, get, remove];
