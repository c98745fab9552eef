#!/usr/bin/env node
// Entry point of the executable: passes the process's arguments, streams, environment and signals to `runCli`.
import module from 'node:module';
import { join } from 'node:path';
import { cacheRoot } from '../renderer-core/project/cacheFolder.ts';

// Keeps the compiled code for the next command, from Node 22.1 on. Only what is loaded after it is kept.
(module as { enableCompileCache?(folder: string): unknown }).enableCompileCache?.(
  join(cacheRoot(process.env), 'compiled'),
);
const [{ runCli }, { createStdoutWriter }] = await Promise.all([
  import('./runCli.ts'),
  import('./output/standardOutput.ts'),
]);

const controller = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The first signal cancels the command; a second one exits immediately.
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}

// A parent process with an IPC channel cancels the command by closing the channel, because Windows has no signals for
// that. The channel also closes when the parent dies.
process.on('disconnect', () => controller.abort());

// Keep rendering when the reader of a pipe closes it, as in `| head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const status = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  writeStdout: createStdoutWriter(process.stdout),
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  signal: controller.signal,
  ...(process.connected ? { owner: process.ppid } : {}),
});

// Flush pipes before exiting. Exit explicitly, because an open handle could keep the process alive.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
process.exit(status);
