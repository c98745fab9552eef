// Entry point of the render host's process, which a client starts with the address as its argument.
import { existsSync } from 'node:fs';
import { parse } from 'node:path';
import { renderEnvironment } from './hostMessages.ts';
import { runRenderHost } from './renderHost.ts';

const [, , address = ''] = process.argv;

/** The browser is closed after this time without renders, to free its memory. */
const idleMs = 120_000;

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());

/** Node.js reads some of its own variables only when it starts. */
const nodeOptions = (env: Readonly<Record<string, string | undefined>>): string =>
  JSON.stringify(Object.entries(renderEnvironment(env)).filter(([name]) => name.startsWith('NODE_')));
const ownOptions = nodeOptions(process.env);

/** A process keeps its folder from being deleted on Windows. */
const leave = () => process.chdir(parse(process.execPath).root);
leave();

await runRenderHost({
  address,
  idleMs,
  leave,
  now: () => Date.now(),
  renderNow: () => performance.now(),
  signal: controller.signal,
  enter({ folder, env }) {
    if (nodeOptions(env) !== ownOptions || !existsSync(folder)) return false;
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    return true;
  },
});
process.exit(0);
