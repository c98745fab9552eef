// Kills processes of the hosted service at random and checks that every render ends once: `npm run torture -- --seed 1`.
// CONTRIBUTING.md describes its options.
import { parseArgs } from 'node:util';
import { printReport } from './printReport.ts';
import { isClean, runTorture } from './runTorture.ts';

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '1000' },
    database: { type: 'string', default: 'sqlite' },
    store: { type: 'string', default: 'disk' },
    accounts: { type: 'string', default: '4' },
    'pause-ms': { type: 'string', default: '1200' },
    long: { type: 'string', default: '0.1' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (values.database !== 'sqlite' && values.database !== 'postgres')
  throw new Error(`--database must be sqlite or postgres, not ${values.database}.`);
if (values.store !== 'disk' && values.store !== 's3')
  throw new Error(`--store must be disk or s3, not ${values.store}.`);
const report = await runTorture({
  seed: Number(values.seed),
  kills: Number(values.kills),
  database: values.database,
  store: values.store,
  instances: values.database === 'postgres' ? 2 : 1,
  accounts: Number(values.accounts),
  pauseMs: Number(values['pause-ms']),
  longShare: Number(values.long),
  keep: values.keep,
  say: (line) => console.error(line),
});
if (values.json) console.log(JSON.stringify(report, undefined, 2));
else printReport(report);
process.exitCode = isClean(report) ? 0 : 1;
