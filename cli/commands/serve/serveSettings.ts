// What `framework serve` was given, by options and environment, as settings of the service.
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { shellWord } from '../cloud/typedCommands.ts';
import { UserError } from '../errors.ts';
import { objectSettings } from '../service/objectSettings.ts';
import type { ServiceSettings } from '../service/settings.ts';
import type { CommandInput } from './command.ts';

export const defaultCredits = 600;

/** A render has pages and an encoder of its own, which share the cores that it has. */
const localWorkers = (): number => Math.max(1, Math.floor(availableParallelism() / 4));

/** Renders of a stack only have to be followed. */
const followedAtOnce = 8;

/** `publicUrl` undefined: where it listens. Throws UserError `usage` or `config_invalid`. */
export function readServeSettings(
  { values, switches }: CommandInput,
  env: NodeJS.ProcessEnv,
): Omit<ServiceSettings, 'publicUrl'> & { publicUrl: string | undefined } {
  const number = (name: string, otherwise: number): number => Number(values.get(name) ?? otherwise);
  const port = number('port', 8787);
  if (port > 65_535) throw new UserError('usage', `--port cannot be ${port}`, { hint: 'It takes 0 to 65535.' });
  const engine = values.get('engine') === 'serverless' ? 'serverless' : 'local';
  if (engine === 'local' && values.has('stack-name')) {
    throw new UserError('usage', '--stack-name needs --engine serverless', {
      hint: 'Workers on this machine need no stack.',
    });
  }
  return {
    ...readStore({ values }, env),
    host: values.get('host') ?? '127.0.0.1',
    port,
    publicUrl: readPublicUrl(values.get('public-url')),
    objects: objectSettings(env),
    workers: number('workers', engine === 'local' ? localWorkers() : followedAtOnce),
    engine,
    stackName: values.get('stack-name'),
    allowPrivateTargets: switches.has('allow-private-targets'),
    openSignUp: values.get('sign-up') === 'open',
    initialCredits: number('initial-credits', defaultCredits),
    requestsPerMinute: number('requests-per-minute', 600),
    retentionDays: number('retention-days', 30),
    urlLifetime: 3600,
    metricsToken: env.SERVICE_METRICS_TOKEN || undefined,
    browserPath: env.FRAMEWORK_BROWSER || undefined,
    ffmpegPath: env.FRAMEWORK_FFMPEG || undefined,
  };
}

/** Where the database is; all that the commands for operators need. */
export function readStore(
  { values }: Pick<CommandInput, 'values'>,
  env: NodeJS.ProcessEnv,
): Pick<ServiceSettings, 'dataDir' | 'databaseUrl'> {
  const dataDir = resolve(values.get('data') ?? join(homedir(), '.framework', 'service'));
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl)) {
    throw new UserError('config_invalid', 'DATABASE_URL is no URL of PostgreSQL', {
      hint: 'It begins with postgres://. Without it, SQLite in the data folder is used.',
    });
  }
  return { dataDir, databaseUrl };
}

/** For printed commands: ` --data <path>` where it was given, so that they find the same accounts. */
export function sameData({ values }: Pick<CommandInput, 'values'>): string {
  const given = values.get('data');
  return given === undefined ? '' : ` --data ${shellWord(given)}`;
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isOrigin && url.username === '') return url.origin;
  throw new UserError('usage', `--public-url cannot be "${text}"`, {
    hint: 'It takes a URL without a path: https://render.example.com',
  });
}
