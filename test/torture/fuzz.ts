// Sends generated requests to the hosted service and checks its responses: `npm run fuzz:service -- --requests 200000`.
import { parseArgs } from 'node:util';
import { hasNoProblems, runFuzz } from './runFuzz.ts';

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '200000' },
    json: { type: 'boolean', default: false },
  },
});
const report = await runFuzz({
  seed: Number(values.seed),
  requests: Number(values.requests),
  say: (line) => console.error(line),
});
if (values.json) console.log(JSON.stringify(report, undefined, 2));
else {
  const { statuses, problems, memoryMiB, seconds } = report;
  console.log(`${values.requests} requests with seed ${values.seed} in ${seconds} s.`);
  for (const [manner, counts] of Object.entries(statuses)) {
    const list = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
    console.log(`${manner}: ${list.join(', ')}`);
  }
  console.log(
    `Memory of the service: ${memoryMiB.before} MiB before, ${memoryMiB.after} MiB after, at most ${memoryMiB.peak} MiB.`,
  );
  for (const [kind, found] of Object.entries(problems)) {
    console.log(`${kind}: ${found.length}`);
    for (const problem of found.slice(0, 10)) console.log(`  ${problem}`);
  }
}
process.exitCode = hasNoProblems(report) ? 0 : 1;
