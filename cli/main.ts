#!/usr/bin/env node
// The entry of the executable: ties the process's streams and signals to `runCli`.
import { runCli } from './runCli.ts';

const controller = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The first asks for an orderly end; whoever asks again does not want to wait for it.
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}

// A program that started this one with a channel to it asks for the end by closing that: on Windows no signal can, and
// it closes by itself when that program dies.
process.on('disconnect', () => controller.abort());

// A reader that went away (`| head`) takes away the output, not the render.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const status = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  signal: controller.signal,
});

// What is still buffered for a pipe would be lost by leaving at once; leaving by itself could hang on an open handle.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
process.exit(status);
