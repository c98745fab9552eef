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
const allowHost = (summary: string): OptionSpec => ({
  name: 'allow-host',
  summary,
  value: { label: 'host', repeatable: true },
});
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
      name: 'max-running-renders',
      summary: 'Maximum concurrent renders of an account (default: half of the workers, at least 2)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'max-frame-seconds',
      summary: 'Time for one frame, after which the render fails (default: 60)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'max-render-disk',
      summary: 'MB of temporary files of one render, which then fails (default: 20480)',
      value: { label: 'mb', wholeNumberFrom: 1 },
    },
    {
      name: 'drain-seconds',
      summary: 'Time for renders in progress to finish when the service shuts down (default: 30; 0: none)',
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
    allowHost(
      'Host from which pages may load files, such as cdn.example.com or *.example.com; may be repeated (default: all public ones)',
    ),
    {
      name: 'allow-root',
      summary: 'Allow running as root, for projects that you trust',
    },
    {
      name: 'sign-up',
      summary: 'Whether anyone can create an account on the web page (default: closed)',
      value: { label: 'mode', choices: signUps },
    },
    {
      name: 'operator',
      summary: 'Account that sees the operator page (by its email address); may be repeated',
      value: { label: 'address', repeatable: true },
    },
    {
      name: 'initial-credits',
      summary: 'Credits of a new account; one credit is one second of 1080p (default: 600)',
      value: { label: 'n', wholeNumberFrom: 0 },
    },
    {
      name: 'requests-per-minute',
      summary: 'Maximum requests per minute and account, or address (default: 600)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'retention-days',
      summary: 'Days until projects and videos are deleted (default: 30)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'max-storage',
      summary: 'MB of projects and videos per account (default: 10240)',
      value: { label: 'mb', wholeNumberFrom: 1 },
    },
    {
      name: 'max-uploads',
      summary: 'Uploads in progress per account (default: 4)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'max-renders',
      summary: 'Queued and running renders per account (default: 200)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    {
      name: 'reserved-disk',
      summary: 'MB that stay free on the disk of the data folder (default: 2048)',
      value: { label: 'mb', wholeNumberFrom: 0 },
    },
    {
      name: 'max-connections',
      summary: 'Maximum number of open connections (default: 1000)',
      value: { label: 'n', wholeNumberFrom: 1 },
    },
    json,
  ],
  examples: [
    'framework serve',
    'framework serve --public-url https://render.example.com --workers 4',
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

const noConfirm: OptionSpec = { name: 'no-confirm', summary: 'Do not ask for confirmation' };
const operator = () => importOptional(() => import('./serveOperator.ts'));

const accountList: CommandSpec = {
  name: 'serve account list',
  summary: 'List the accounts with their credits and renders',
  positionals: [],
  options: [data, json],
  examples: ['framework serve account list', 'framework serve account list --json'],
  run: async (input, io) => (await operator()).runAccountList(input, io),
};

const accountSuspend: CommandSpec = {
  name: 'serve account suspend',
  summary: 'Reject the requests and sign-ins of an account; its queued renders wait',
  positionals: [],
  options: [email, data, json],
  examples: ['framework serve account suspend --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountSuspend(input, io),
};

const accountResume: CommandSpec = {
  name: 'serve account resume',
  summary: 'End the suspension of an account',
  positionals: [],
  options: [email, data, json],
  examples: ['framework serve account resume --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountResume(input, io),
};

const accountHosts: CommandSpec = {
  name: 'serve account hosts',
  summary: 'Show or set the hosts from which pages of an account may load files',
  positionals: [],
  options: [
    email,
    allowHost('Allow this host, or with *. all below it; may be repeated'),
    { name: 'any', summary: 'Allow all hosts that the service allows' },
    data,
    json,
  ],
  examples: [
    'framework serve account hosts --email ann@example.com',
    'framework serve account hosts --email ann@example.com --allow-host cdn.example.com',
    'framework serve account hosts --email ann@example.com --any',
  ],
  run: async (input, io) => (await operator()).runAccountHosts(input, io),
};

const accountPassword: CommandSpec = {
  name: 'serve account password',
  summary: 'Change the password of an account; reads it from a hidden prompt or stdin',
  positionals: [],
  options: [email, { name: 'keep-keys', summary: 'Keep the API keys; otherwise they are revoked' }, data, json],
  examples: ['framework serve account password --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountPassword(input, io),
};

const accountExport: CommandSpec = {
  name: 'serve account export',
  summary: 'Print everything stored about an account as JSON, without secrets',
  positionals: [],
  options: [email, data, { ...json, summary: 'Print the document on one line, and errors as JSON' }],
  examples: ['framework serve account export --email ann@example.com > ann.json'],
  run: async (input, io) => (await operator()).runAccountExport(input, io),
};

const accountDelete: CommandSpec = {
  name: 'serve account delete',
  summary: 'Delete an account with its projects, renders and videos',
  positionals: [],
  options: [email, noConfirm, data, json],
  examples: ['framework serve account delete --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountDelete(input, io),
};

const signingKeysRotate: CommandSpec = {
  name: 'serve signing-keys rotate',
  summary: 'Replace the keys that sign URLs, cookies and tokens; restart the service afterwards',
  positionals: [],
  options: [noConfirm, data, json],
  examples: ['framework serve signing-keys rotate --no-confirm'],
  run: async (input, io) => (await operator()).runSigningKeysRotate(input, io),
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
  summary: 'Revoke one or all API keys of an account',
  positionals: [{ name: 'id', summary: 'Key id, as listed: key_…' }],
  options: [email, { name: 'all', summary: 'Revoke all keys of the account' }, data, json],
  examples: [
    'framework serve key revoke key_1a2b --email ann@example.com',
    'framework serve key revoke --all --email ann@example.com',
  ],
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

const backupModule = () => importOptional(() => import('./serveBackup.ts'));

const backup: CommandSpec = {
  name: 'serve backup',
  summary: 'Write a backup of the database and files to a new folder, while the service runs',
  positionals: [{ name: 'folder', summary: 'New folder of the backup', complete: 'folder' }],
  options: [data, json],
  examples: ['framework serve backup /mnt/backups/2026-11-23'],
  run: async (input, io) => (await backupModule()).runServeBackup(input, io),
};

const restore: CommandSpec = {
  name: 'serve restore',
  summary: 'Replace the data of a stopped service by a backup, and keep the data of before',
  positionals: [{ name: 'backup', summary: 'Folder of the backup', complete: 'folder' }],
  options: [noConfirm, data, json],
  examples: [
    'framework serve restore /mnt/backups/2026-11-23',
    'DATABASE_URL=postgres://localhost/empty framework serve restore /mnt/backups/2026-11-23',
  ],
  run: async (input, io) => (await backupModule()).runServeRestore(input, io),
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

export const serveCommands: readonly CommandSpec[] = [
  serve,
  accountAdd,
  accountList,
  accountSuspend,
  accountResume,
  accountHosts,
  accountPassword,
  accountExport,
  accountDelete,
  keyAdd,
  keyList,
  keyRevoke,
  signingKeysRotate,
  credits,
  webhooks,
  backup,
  restore,
];
