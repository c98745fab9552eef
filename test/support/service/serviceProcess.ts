// A service without an HTTP server as a process, for tests that kill it. Its argument is JSON: the settings, and the offset
// of its clock in milliseconds. It ends when its standard input closes.
import { createService } from '../../../cloud/service/service.ts';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';

const { settings, ahead }: { settings: ServiceSettings; ahead: number } = JSON.parse(process.argv[2] ?? '');
await createService(settings, { now: () => Date.now() + ahead, log: (...line) => console.error(JSON.stringify(line)) });
process.stdin.resume().once('end', () => process.exit());
