// `framework serve`: runs the hosted service until it is cancelled.

import type { ServiceLog } from '../../../cloud/service/context.ts';
import { createLog } from '../../../cloud/service/context.ts';
import { findSandbox, type Sandbox } from '../../../cloud/service/isolation/sandbox.ts';
import { workerFile } from '../../../cloud/service/queue/workerFile.ts';
import { startService } from '../../../cloud/service/service.ts';
import { browserBuilt } from '../../../renderer-core/capture/browserAge.ts';
import { type FoundBrowser, findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { aborted } from '../../untilAborted.ts';
import { dataOption, readServeSettings } from './serveSettings.ts';

/** stderr is the service's log, one JSON object per line. Returns 0 after an orderly shutdown. */
export async function runServe(input: CommandInput, io: CliIo): Promise<number> {
  const settings = readServeSettings(input, io.env);
  const log = createLog((line) => io.stderr.write(line), Date.now);
  const { host, publicUrl } = settings;
  if (!isLoopback(host) && !publicUrl?.startsWith('https:')) {
    log('warn', 'API keys and videos are sent without encryption', {
      host,
      hint: 'Put a TLS proxy in front of the service and pass its URL: --public-url https://…',
    });
  }
  const rendersHere = settings.engine === 'local' && settings.workers > 0;
  const workers = rendersHere
    ? await prepareWorkers(io, log, settings.dataDir, input.flags.has('allow-root'))
    : undefined;
  const service = await startService(
    { ...settings, sandbox: workers?.sandbox },
    { log, browserBuilt: workers && (() => browserBuilt(workers.browser)) },
  );
  try {
    const { url } = service;
    const { dataDir, databaseUrl } = settings;
    const database = databaseUrl === undefined ? 'sqlite' : 'postgresql';
    if (input.flags.has('json')) io.stdout.write(`${JSON.stringify({ url, dataDir, database })}\n`);
    else
      io.stdout.write(
        greeting({ url, dataDir, database, isEmpty: await service.isEmpty(), dataOption: dataOption(input) }, io),
      );
    await aborted(io.signal);
  } finally {
    log('info', 'closing');
    await service.close();
  }
  return 0;
}

/**
 * Finds the programs of workers, because otherwise every render would fail after its upload, and their sandbox. Throws
 * UserError `config_invalid` for root, unless `allowRoot` is set: the kernel takes root in a sandbox for root.
 */
async function prepareWorkers(
  { env }: CliIo,
  log: ServiceLog,
  dataDir: string,
  allowRoot: boolean,
): Promise<{ browser: FoundBrowser; sandbox?: Sandbox }> {
  if (process.getuid?.() === 0 && !allowRoot)
    throw new UserError('config_invalid', 'The service runs as root, whose rights untrusted projects could use.', {
      hint: 'Run it as a user without other rights. If you trust all projects, use --allow-root.',
    });
  const [ffmpeg, browser] = await Promise.all([findFfmpeg({ env }), findBrowser({ env })]);
  const found = await findSandbox({ env, programs: [ffmpeg.path, browser.path], workerFile, dataDir });
  if (!('reason' in found)) return { browser, sandbox: found };
  log('warn', 'renders are not isolated from the service', { reason: found.reason, hint: 'Install bubblewrap.' });
  return { browser };
}

type Greeting = {
  url: string;
  dataDir: string;
  database: string;
  isEmpty: boolean;
  /** The option with which other commands find the same data. */
  dataOption: string;
};

function greeting({ url, dataDir, database, isEmpty, dataOption: option }: Greeting, io: CliIo): string {
  const colors = colorsFor(io.stdout, io.env);
  return [
    `Serving at ${colors.bold(url)}`,
    database === 'sqlite' ? `Data in ${dataDir}` : `Data in PostgreSQL and ${dataDir}`,
    ...(isEmpty
      ? [
          'There are no accounts yet. Create one, and an API key for it:',
          `  framework serve account add --email you@example.com${option}`,
          `  framework serve key add --email you@example.com${option}`,
          'Then, on the client:',
          `  SERVICE_API_URL=${url} SERVICE_API_KEY=fk_… framework cloud render my-video`,
        ]
      : []),
    '',
  ].join('\n');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
