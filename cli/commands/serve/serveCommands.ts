// Rows of the table of commands: `framework serve`: the hosted service on one's own machine.
import { UserError } from '../errors.ts';
import type { CommandSpec, OptionSpec } from './command.ts';

const data: OptionSpec = {
  name: 'data',
  summary: 'Folder of the database and of files (default: ~/.framework/service; DATABASE_URL: PostgreSQL instead)',
  value: { label: 'path', complete: 'folder' },
};
const json: OptionSpec = {
  name: 'json',
  summary: 'Print one JSON document on standard output: the result, or the error',
};
const email: OptionSpec = { name: 'email', summary: 'E-mail address of the account', value: { label: 'address' } };

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
      summary: 'Port to listen on (default: 8787; 0: any)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    data,
    {
      name: 'public-url',
      summary: 'How clients reach it, such as https://render.example.com (default: where it listens)',
      value: { label: 'url' },
    },
    {
      name: 'workers',
      summary: 'Renders at once (default: by the machine; 0: none here)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    {
      name: 'engine',
      summary: 'Who renders: local workers, or a serverless stack (default: local)',
      value: { label: 'name', choices: engines },
    },
    {
      name: 'stack-name',
      summary: 'Stack of the serverless engine, in the account and region of AWS_* (default: framework-render)',
      value: { label: 'name' },
    },
    {
      name: 'allow-private-targets',
      summary: 'Webhooks and project URLs may be on private addresses, and without TLS',
    },
    {
      name: 'sign-up',
      summary: 'Whether anybody may make an account on the web page (default: closed)',
      value: { label: 'how', choices: signUps },
    },
    {
      name: 'initial-credits',
      summary: 'What a new account begins with; one is a second of 1080p (default: 600)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    {
      name: 'requests-per-minute',
      summary: 'Requests that one account may make (default: 600)',
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
  run: async (input, io) => (await load(() => import('./serve.ts'))).runServe(input, io),
};

const accountAdd: CommandSpec = {
  name: 'serve account add',
  summary: 'Make an account; the password is asked for, or read from standard input',
  positionals: [],
  options: [
    email,
    { name: 'name', summary: 'What its owner is called', value: { label: 'text' } },
    {
      name: 'credits',
      summary: 'What it begins with (default: 600)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    data,
    json,
  ],
  examples: ['framework serve account add --email ann@example.com'],
  run: async (input, io) => (await load(() => import('./serveAccounts.ts'))).runAccountAdd(input, io),
};

const keyAdd: CommandSpec = {
  name: 'serve key add',
  summary: 'Make an API key for an account; it is shown once',
  positionals: [],
  options: [
    email,
    { name: 'name', summary: 'What it is for (default: command line)', value: { label: 'text' } },
    data,
    json,
  ],
  examples: ['framework serve key add --email ann@example.com --name ci'],
  run: async (input, io) => (await load(() => import('./serveAccounts.ts'))).runKeyAdd(input, io),
};

const keyList: CommandSpec = {
  name: 'serve key list',
  summary: 'List the API keys of an account',
  positionals: [],
  options: [email, data, json],
  examples: ['framework serve key list --email ann@example.com'],
  run: async (input, io) => (await load(() => import('./serveAccounts.ts'))).runKeyList(input, io),
};

const keyRevoke: CommandSpec = {
  name: 'serve key revoke',
  summary: 'Revoke an API key, from now on',
  positionals: [{ name: 'id', summary: 'Of the key, as listed: key_…' }],
  options: [email, data, json],
  examples: ['framework serve key revoke key_1a2b --email ann@example.com'],
  run: async (input, io) => (await load(() => import('./serveAccounts.ts'))).runKeyRevoke(input, io),
};

const credits: CommandSpec = {
  name: 'serve credits',
  summary: 'Show the credits of an account, or add to them',
  positionals: [],
  options: [
    email,
    { name: 'add', summary: 'How many; --add=-10 takes away', value: { label: 'n' } },
    { name: 'note', summary: 'Why, for the ledger', value: { label: 'text' } },
    data,
    json,
  ],
  examples: ['framework serve credits --email ann@example.com --add 3600'],
  run: async (input, io) => (await load(() => import('./serveAccounts.ts'))).runCredits(input, io),
};

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const webhooks: CommandSpec = {
  name: 'serve webhooks',
  summary: 'List webhooks and every attempt to deliver them, or deliver one again',
  positionals: [],
  options: [
    { name: 'render', summary: 'Only that of this render', value: { label: 'id' } },
    {
      name: 'status',
      summary: `Only those that are ${deliveryStatuses.join(', ')}`,
      value: { label: 'name', choices: deliveryStatuses },
    },
    { name: 'limit', summary: 'How many, newest first (default: 20)', value: { label: 'n', wholeNumberFrom: 1 } },
    {
      name: 'redeliver',
      summary: 'Make this delivery due now, whatever became of it: whd_…; a running service sends it',
      value: { label: 'id' },
    },
    data,
    json,
  ],
  examples: [
    'framework serve webhooks --status failed',
    'framework serve webhooks --redeliver whd_Q0mV5nq1Tg2y7bZ8kL3xWw',
  ],
  run: async (input, io) => (await load(() => import('./serveWebhooks.ts'))).runServeWebhooks(input, io),
};

export const serveCommands: readonly CommandSpec[] = [serve, accountAdd, keyAdd, keyList, keyRevoke, credits, webhooks];

/** The copy of the command line in the editor's extension comes without the service, and without what deploys to AWS. */
export async function load<T>(module: () => Promise<T>): Promise<T> {
  try {
    return await module();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError('usage', 'This copy of framework comes without this command', {
      hint: 'Install the command line, which has it: npm install --global framework',
      cause: error,
    });
  }
}
