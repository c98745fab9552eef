// The `framework serve` commands: run and manage the hosted service on your own machine.
import type { CommandSpec, OptionSpec } from '../../command.ts';
import { importOptional } from '../../importOptional.ts';
import { portValue } from '../../sharedOptions.ts';

const data: OptionSpec = {
  name: 'data',
  summary: 'Folder of the database and files (default: ~/.framework/service); DATABASE_URL selects PostgreSQL',
  value: { label: 'path', complete: 'folder' },
};
const json: OptionSpec = {
  name: 'json',
  summary: 'Print one JSON document to stdout: the result, or the error',
};
const email: OptionSpec = { name: 'email', summary: 'Email address of the account', value: { label: 'address' } };

export const engines = ['local', 'serverless'] as const;
export const signUps = ['open', 'closed'] as const;

const serve: CommandSpec = {
  name: 'serve',
  summary: 'Run the hosted rendering service on this machine',
  positionals: [],
  options: [
    { name: 'host', summary: 'Address to listen on (default: 127.0.0.1)', value: { label: 'address' } },
    {
      name: 'port',
      summary: 'Port to listen on (default: 8787; 0: any free port)',
      value: portValue,
    },
    data,
    {
      name: 'public-url',
      summary: 'URL for clients, such as https://render.example.com (default: the address it listens on)',
      value: { label: 'url' },
    },
    {
      name: 'workers',
      summary: 'Maximum concurrent renders (default: chosen for this machine; 0: none)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    {
      name: 'engine',
      summary: 'Render engine: local workers or a serverless stack (default: local)',
      value: { label: 'name', choices: engines },
    },
    {
      name: 'stack-name',
      summary: 'Stack of the serverless engine, in the AWS account and region of AWS_* (default: framework-render)',
      value: { label: 'name' },
    },
    {
      name: 'allow-private-targets',
      summary: 'Allow webhooks and project URLs on private addresses and without TLS',
    },
    {
      name: 'sign-up',
      summary: 'Whether anyone can create an account on the web page (default: closed)',
      value: { label: 'mode', choices: signUps },
    },
    {
      name: 'initial-credits',
      summary: 'Credits of a new account; one credit is one second of 1080p (default: 600)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    {
      name: 'requests-per-minute',
      summary: 'Maximum requests per minute and account (default: 600)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'retention-days',
      summary: 'Days until projects and videos are deleted (default: 30)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    json,
  ],
  examples: [
    'framework serve',
    'framework serve --host 0.0.0.0 --public-url https://render.example.com --workers 4',
    'DATABASE_URL=postgres://localhost/framework framework serve',
  ],
  run: async (input, io) => (await importOptional(() => import('./serve.ts'))).runServe(input, io),
};

const accountAdd: CommandSpec = {
  name: 'serve account add',
  summary: 'Create an account; reads the password from a hidden prompt or stdin',
  positionals: [],
  options: [
    email,
    { name: 'name', summary: 'Display name', value: { label: 'text' } },
    {
      name: 'credits',
      summary: 'Initial credits (default: 600)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    data,
    json,
  ],
  examples: ['framework serve account add --email ann@example.com'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runAccountAdd(input, io),
};

const keyAdd: CommandSpec = {
  name: 'serve key add',
  summary: 'Create an API key for an account; it is shown only once',
  positionals: [],
  options: [
    email,
    { name: 'name', summary: 'Name of the key (default: command line)', value: { label: 'text' } },
    data,
    json,
  ],
  examples: ['framework serve key add --email ann@example.com --name ci'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runKeyAdd(input, io),
};

const keyList: CommandSpec = {
  name: 'serve key list',
  summary: 'List the API keys of an account',
  positionals: [],
  options: [email, data, json],
  examples: ['framework serve key list --email ann@example.com'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runKeyList(input, io),
};

const keyRevoke: CommandSpec = {
  name: 'serve key revoke',
  summary: 'Revoke an API key',
  positionals: [{ name: 'id', summary: 'Key id, as listed: key_…' }],
  options: [email, data, json],
  examples: ['framework serve key revoke key_1a2b --email ann@example.com'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runKeyRevoke(input, io),
};

const credits: CommandSpec = {
  name: 'serve credits',
  summary: 'Show or change the credits of an account',
  positionals: [],
  options: [
    email,
    { name: 'add', summary: 'Credits to add; negative to subtract (--add=-10)', value: { label: 'n' } },
    { name: 'note', summary: 'Reason, for the ledger', value: { label: 'text' } },
    data,
    json,
  ],
  examples: ['framework serve credits --email ann@example.com --add 3600'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runCredits(input, io),
};

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const webhooks: CommandSpec = {
  name: 'serve webhooks',
  summary: 'List webhook deliveries with their attempts, or redeliver one',
  positionals: [],
  options: [
    { name: 'render', summary: 'Only deliveries of this render', value: { label: 'id' } },
    {
      name: 'status',
      summary: `Only deliveries with this status: ${deliveryStatuses.join(', ')}`,
      value: { label: 'name', choices: deliveryStatuses },
    },
    {
      name: 'limit',
      summary: 'Maximum number of deliveries, newest first (default: 20)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'redeliver',
      summary: 'Send this delivery (whd_…) again, whatever its status; needs a running service',
      value: { label: 'id' },
    },
    data,
    json,
  ],
  examples: [
    'framework serve webhooks --status failed',
    'framework serve webhooks --redeliver whd_Q0mV5nq1Tg2y7bZ8kL3xWw',
  ],
  run: async (input, io) => (await importOptional(() => import('./serveWebhooks.ts'))).runServeWebhooks(input, io),
};

export const serveCommands: readonly CommandSpec[] = [serve, accountAdd, keyAdd, keyList, keyRevoke, credits, webhooks];
