// The `framework serve` commands: run and manage the hosted service on your own machine.

import type { CommandSpec, OptionSpec } from '../../command.ts';
import { importOptional } from '../../importOptional.ts';
import { choice, flag, valueOption, wholeNumber } from '../../options/optionSpecs.ts';
import { portValue } from '../../options/sharedOptions.ts';

const data: OptionSpec = valueOption(
  'data',
  'Folder of the database and files (default: ~/.framework/service); DATABASE_URL selects PostgreSQL',
  'path',
  'folder',
);
const json: OptionSpec = flag('json', 'Print one JSON document to stdout: the result, or the error');
const allowHost = (summary: string): OptionSpec => ({
  name: 'allow-host',
  summary,
  value: { label: 'host', repeatable: true },
});
const email: OptionSpec = valueOption('email', 'Email address of the account', 'address', undefined);

export const engines = ['local', 'serverless'] as const;
export const signUps = ['open', 'closed'] as const;

const serve: CommandSpec = {
  name: 'serve',
  summary: 'Run the hosted rendering service on this machine',
  options: [
    valueOption('host', 'Address to listen on (default: 127.0.0.1)', 'address'),
    {
      name: 'port',
      summary: 'Port to listen on (default: 8787; 0: any free port)',
      value: portValue,
    },
    data,
    valueOption(
      'public-url',
      'URL for clients, such as https://render.example.com (default: the address it listens on)',
      'url',
    ),
    wholeNumber('workers', 'Maximum concurrent renders (default: chosen for this machine; 0: none)', 0),
    wholeNumber(
      'max-running-renders',
      'Maximum concurrent renders of an account (default: half of the workers, at least 2)',
      1,
    ),
    wholeNumber('max-frame-seconds', 'Time for one frame, after which the render fails (default: 60)', 1),
    wholeNumber('max-render-disk', 'MB of temporary files of one render, which then fails (default: 20480)', 1, 'mb'),
    wholeNumber(
      'drain-seconds',
      'Time for renders in progress to finish when the service shuts down (default: 30; 0: none)',
      0,
    ),
    choice('engine', 'Render engine: local workers or a serverless stack (default: local)', 'name', engines),
    valueOption(
      'stack-name',
      'Stack of the serverless engine, in the AWS account and region of AWS_* (default: framework-render)',
      'name',
    ),
    flag('allow-private-targets', 'Allow webhooks and project URLs on private addresses and without TLS'),
    allowHost(
      'Host from which pages may load files, such as cdn.example.com or *.example.com; may be repeated (default: all public ones)',
    ),
    flag('allow-root', 'Allow running as root, for projects that you trust'),
    choice('sign-up', 'Whether anyone can create an account on the web page (default: closed)', 'mode', signUps),
    {
      name: 'operator',
      summary: 'Account that sees the operator page (by its email address); may be repeated',
      value: { label: 'address', repeatable: true },
    },
    wholeNumber('initial-credits', 'Credits of a new account; one credit is one second of 1080p (default: 600)', 0),
    wholeNumber('requests-per-minute', 'Maximum requests per minute and account, or address (default: 600)', 1),
    wholeNumber('retention-days', 'Days until projects and videos are deleted (default: 30)', 1),
    wholeNumber('max-storage', 'MB of projects and videos per account (default: 10240)', 1, 'mb'),
    wholeNumber('max-uploads', 'Uploads in progress per account (default: 4)', 1),
    wholeNumber('max-renders', 'Queued and running renders per account (default: 200)', 1),
    wholeNumber('reserved-disk', 'MB that stay free on the disk of the data folder (default: 2048)', 0, 'mb'),
    wholeNumber('max-connections', 'Maximum number of open connections (default: 1000)', 1),
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
  options: [
    email,
    valueOption('name', 'Display name', 'text'),
    wholeNumber('credits', 'Initial credits (default: 600)', 0),
    data,
    json,
  ],
  examples: ['framework serve account add --email ann@example.com'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runAccountAdd(input, io),
};

const noConfirm: OptionSpec = flag('no-confirm', 'Do not ask for confirmation');
const operator = () => importOptional(() => import('./serveOperator.ts'));

const accountList: CommandSpec = {
  name: 'serve account list',
  summary: 'List the accounts with their credits and renders',
  options: [data, json],
  examples: ['framework serve account list', 'framework serve account list --json'],
  run: async (input, io) => (await operator()).runAccountList(input, io),
};

const accountSuspend: CommandSpec = {
  name: 'serve account suspend',
  summary: 'Reject the requests and sign-ins of an account; its queued renders wait',
  options: [email, data, json],
  examples: ['framework serve account suspend --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountSuspend(input, io),
};

const accountResume: CommandSpec = {
  name: 'serve account resume',
  summary: 'End the suspension of an account',
  options: [email, data, json],
  examples: ['framework serve account resume --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountResume(input, io),
};

const accountHosts: CommandSpec = {
  name: 'serve account hosts',
  summary: 'Show or set the hosts from which pages of an account may load files',
  options: [
    email,
    allowHost('Allow this host, or with *. all below it; may be repeated'),
    flag('any', 'Allow all hosts that the service allows'),
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
  options: [email, flag('keep-keys', 'Keep the API keys; otherwise they are revoked'), data, json],
  examples: ['framework serve account password --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountPassword(input, io),
};

const accountExport: CommandSpec = {
  name: 'serve account export',
  summary: 'Print everything stored about an account as JSON, without secrets',
  options: [email, data, { ...json, summary: 'Print the document on one line, and errors as JSON' }],
  examples: ['framework serve account export --email ann@example.com > ann.json'],
  run: async (input, io) => (await operator()).runAccountExport(input, io),
};

const accountDelete: CommandSpec = {
  name: 'serve account delete',
  summary: 'Delete an account with its projects, renders and videos',
  options: [email, noConfirm, data, json],
  examples: ['framework serve account delete --email ann@example.com'],
  run: async (input, io) => (await operator()).runAccountDelete(input, io),
};

const signingKeysRotate: CommandSpec = {
  name: 'serve signing-keys rotate',
  summary: 'Replace the keys that sign URLs, cookies and tokens; restart the service afterwards',
  options: [noConfirm, data, json],
  examples: ['framework serve signing-keys rotate --no-confirm'],
  run: async (input, io) => (await operator()).runSigningKeysRotate(input, io),
};

const keyAdd: CommandSpec = {
  name: 'serve key add',
  summary: 'Create an API key for an account; it is shown only once',
  options: [email, valueOption('name', 'Name of the key (default: command line)', 'text'), data, json],
  examples: ['framework serve key add --email ann@example.com --name ci'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runKeyAdd(input, io),
};

const keyList: CommandSpec = {
  name: 'serve key list',
  summary: 'List the API keys of an account',
  options: [email, data, json],
  examples: ['framework serve key list --email ann@example.com'],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runKeyList(input, io),
};

const keyRevoke: CommandSpec = {
  name: 'serve key revoke',
  summary: 'Revoke one or all API keys of an account',
  positionals: [{ name: 'id', summary: 'Key id, as listed: key_…' }],
  options: [email, flag('all', 'Revoke all keys of the account'), data, json],
  examples: [
    'framework serve key revoke key_1a2b --email ann@example.com',
    'framework serve key revoke --all --email ann@example.com',
  ],
  run: async (input, io) => (await importOptional(() => import('./serveAccounts.ts'))).runKeyRevoke(input, io),
};

const credits: CommandSpec = {
  name: 'serve credits',
  summary: 'Show or change the credits of an account',
  options: [
    email,
    valueOption('add', 'Credits to add; negative to subtract (--add=-10)', 'n'),
    valueOption('note', 'Reason, for the ledger', 'text'),
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
  options: [
    valueOption('render', 'Only deliveries of this render', 'id'),
    choice('status', `Only deliveries with this status: ${deliveryStatuses.join(', ')}`, 'name', deliveryStatuses),
    wholeNumber('limit', 'Maximum number of deliveries, newest first (default: 20)', 1),
    valueOption('redeliver', 'Send this delivery (whd_…) again, whatever its status; needs a running service', 'id'),
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
