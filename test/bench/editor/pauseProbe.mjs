// Loaded into the service by pauses.ts: reports the longest pause of its event loop since the last report.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.argv[2] === 'serve') {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    process.stderr.write(`${JSON.stringify({ message: 'pause', ms: delay.max / 1e6 })}\n`);
    delay.reset();
  });
}
