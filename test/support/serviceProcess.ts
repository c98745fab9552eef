// A service without a server, in a process of its own, for tests that kill it. The argument is JSON: its settings, and
// the milliseconds by which its clock is ahead. It ends with its standard input.
import { createService } from '../../renderer-core/service/service.ts';
import type { ServiceSettings } from '../../renderer-core/service/settings.ts';

const { settings, ahead }: { settings: ServiceSettings; ahead: number } = JSON.parse(process.argv[2] ?? '');
await createService(settings, { now: () => Date.now() + ahead, log: (...line) => console.error(JSON.stringify(line)) });
process.stdin.resume().once('end', () => process.exit());
