// `framework serve`: starts the hosted service, says where it is, and ends it in order when asked to.
import { createLog } from '../service/log.ts';
import { startService } from '../service/service.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { readServeSettings, sameData } from './serveSettings.ts';

/** Standard error is the service's log, a JSON object a line. The status is 0 when it was ended in order. */
export async function runServe(input: CommandInput, io: CliIo): Promise<number> {
  const settings = readServeSettings(input, io.env);
  const log = createLog((line) => io.stderr.write(line));
  const { host, publicUrl } = settings;
  if (!isLoopback(host) && !publicUrl?.startsWith('https:')) {
    log('warn', 'keys and videos travel without encryption', {
      host,
      hint: 'Put a proxy with TLS in front, and name it: --public-url https://…',
    });
  }
  const service = await startService(settings, { log });
  try {
    const { url } = service;
    const { dataDir, databaseUrl } = settings;
    const database = databaseUrl === undefined ? 'sqlite' : 'postgresql';
    if (input.switches.has('json')) io.stdout.write(`${JSON.stringify({ url, dataDir, database })}\n`);
    else
      io.stdout.write(
        greeting({ url, dataDir, database, isEmpty: await service.isEmpty(), there: sameData(input) }, io),
      );
    await aborted(io.signal);
  } finally {
    log('info', 'closing');
    await service.close();
  }
  return 0;
}

type Greeting = {
  url: string;
  dataDir: string;
  database: string;
  isEmpty: boolean;
  /** What the other commands need to find the same data. */
  there: string;
};

function greeting({ url, dataDir, database, isEmpty, there }: Greeting, io: CliIo): string {
  const colors = colorsFor(io.stdout, io.env);
  return [
    `Serving at ${colors.bold(url)}`,
    database === 'sqlite' ? `Data in ${dataDir}` : `Data in PostgreSQL and ${dataDir}`,
    ...(isEmpty
      ? [
          'There are no accounts yet. Make one, and a key for it:',
          `  framework serve account add --email you@example.com${there}`,
          `  framework serve key add --email you@example.com${there}`,
          'Then, where the client runs:',
          `  SERVICE_API_URL=${url} SERVICE_API_KEY=fk_… framework cloud render my-video`,
        ]
      : []),
    '',
  ].join('\n');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
