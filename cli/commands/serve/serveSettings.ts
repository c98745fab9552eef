// Reads the settings of the service from the options and the environment of `framework serve`.
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { shellWord } from '../../../cloud/client/shellCommands.ts';
import { normalEmail } from '../../../cloud/service/auth/accounts.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import { objectSettings } from '../../../cloud/service/storage/objectSettings.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import { hostPattern } from '../../../renderer-core/model/hostPatterns.ts';
import type { CommandInput } from '../../command.ts';

export const defaultCredits = 600;

const megabyte = 1024 * 1024;

/** One render per four cores: each runs several pages and an encoder. */
const localWorkers = (): number => Math.max(1, Math.floor(availableParallelism() / 4));

/** Renders of a stack run on AWS, and the service only polls them. */
const serverlessWorkers = 8;

/** `publicUrl` is undefined for the address that the service listens on. Throws UserError `usage` or `config_invalid`. */
export function readServeSettings(
  { values, lists, flags }: CommandInput,
  env: NodeJS.ProcessEnv,
): Omit<ServiceSettings, 'publicUrl'> & { publicUrl: string | undefined } {
  const number = (name: string, otherwise: number): number => Number(values.get(name) ?? otherwise);
  const engine = values.get('engine') === 'serverless' ? 'serverless' : 'local';
  if (engine === 'local' && values.has('stack-name')) {
    throw new UserError('usage', '--stack-name needs --engine serverless', {
      hint: 'Local workers use no stack.',
    });
  }
  if (engine === 'serverless' && lists.has('allow-host'))
    throw new UserError('usage', '--allow-host cannot be combined with --engine serverless', {
      hint: 'List the hosts in the framework.json of each project: {"allowHosts": ["cdn.example.com"]}.',
    });
  const workers = number('workers', engine === 'local' ? localWorkers() : serverlessWorkers);
  return {
    ...readStore({ values }, env),
    host: values.get('host') ?? '127.0.0.1',
    port: number('port', 8787),
    publicUrl: readPublicUrl(values.get('public-url')),
    objects: objectSettings(env),
    workers,
    maxRunningRenders: number('max-running-renders', Math.max(2, Math.ceil(workers / 2))),
    maxFrameSeconds: number('max-frame-seconds', 60),
    maxRenderDiskBytes: number('max-render-disk', 20_480) * megabyte,
    drainSeconds: number('drain-seconds', 30),
    engine,
    stackName: values.get('stack-name'),
    allowPrivateTargets: flags.has('allow-private-targets'),
    allowHosts: readHosts(lists),
    openSignUp: values.get('sign-up') === 'open',
    operators: (lists.get('operator') ?? []).map(readOperator),
    initialCredits: number('initial-credits', defaultCredits),
    requestsPerMinute: number('requests-per-minute', 600),
    retentionDays: number('retention-days', 30),
    quotas: {
      storedBytes: number('max-storage', 10_240) * megabyte,
      uploads: number('max-uploads', 4),
      renders: number('max-renders', 200),
    },
    reservedDiskBytes: number('reserved-disk', 2_048) * megabyte,
    maxConnections: number('max-connections', 1_000),
    uploadPace: { bytesPerSecond: 10_000, windowMs: 30_000 },
    urlLifetime: 3600,
    metricsToken: env.SERVICE_METRICS_TOKEN || undefined,
    mail: readMail(env),
    browserPath: env.FRAMEWORK_BROWSER || undefined,
    ffmpegPath: env.FRAMEWORK_FFMPEG || undefined,
  };
}

/** Where the database and files are. The operator's commands need only this. */
export function readStore(
  { values }: Pick<CommandInput, 'values'>,
  env: NodeJS.ProcessEnv,
): Pick<ServiceSettings, 'dataDir' | 'databaseUrl'> {
  const dataDir = resolve(values.get('data') ?? join(homedir(), '.framework', 'service'));
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl)) {
    throw new UserError('config_invalid', 'DATABASE_URL must be a PostgreSQL URL', {
      hint: 'It must begin with postgres://. Without DATABASE_URL, the service uses SQLite in the data folder.',
    });
  }
  return { dataDir, databaseUrl };
}

/** The hosts of `--allow-host`; undefined without any. Throws UserError `usage`. */
export function readHosts(lists: CommandInput['lists']): string[] | undefined {
  return lists.get('allow-host')?.map((given) => {
    const pattern = hostPattern(given);
    if (pattern !== undefined) return pattern;
    throw new UserError('usage', `--allow-host must be a host (got "${given}")`, {
      hint: 'Write cdn.example.com, or *.example.com for all hosts below example.com.',
    });
  });
}

function readOperator(given: string): string {
  const email = normalEmail(given);
  if (email !== undefined) return email;
  throw new UserError('usage', `--operator must be the e-mail address of an account (got "${given}")`);
}

/** Both variables, or none. Throws UserError `config_invalid`; its message does not contain the URL, which has a password. */
function readMail({ SERVICE_SMTP_URL, SERVICE_MAIL_FROM }: NodeJS.ProcessEnv): ServiceSettings['mail'] {
  if (!SERVICE_SMTP_URL && !SERVICE_MAIL_FROM) return undefined;
  if (!SERVICE_SMTP_URL || !SERVICE_MAIL_FROM) {
    const [set, missing] = SERVICE_SMTP_URL
      ? ['SERVICE_SMTP_URL', 'SERVICE_MAIL_FROM']
      : ['SERVICE_MAIL_FROM', 'SERVICE_SMTP_URL'];
    throw new UserError('config_invalid', `${set} is set, but ${missing} is not`, {
      hint: 'Set both to send mails, or none.',
    });
  }
  if (!/^smtps?:\/\//.test(SERVICE_SMTP_URL) || !URL.canParse(SERVICE_SMTP_URL)) {
    throw new UserError('config_invalid', 'SERVICE_SMTP_URL must be the URL of a mail server', {
      hint: 'Example: smtps://user:password@mail.example.com or smtp://user:password@mail.example.com:587',
    });
  }
  return { smtpUrl: SERVICE_SMTP_URL, from: SERVICE_MAIL_FROM };
}

/** ` --data <path>` if it was given, for printed commands that must use the same data. */
export function dataOption({ values }: Pick<CommandInput, 'values'>): string {
  const given = values.get('data');
  return given === undefined ? '' : ` --data ${shellWord(given)}`;
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isOrigin && url.username === '') return url.origin;
  throw new UserError('usage', `--public-url must be a URL without a path (got "${text}")`, {
    hint: 'Example: https://render.example.com',
  });
}
