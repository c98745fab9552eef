// A process with a render queue on the data folder in its arguments, for tests that kill it.
import { startRenderQueue } from '../../../cloud/service/queue/renderQueue.ts';
import { queueContext } from './queueContext.ts';

const [dataDir = ''] = process.argv.slice(2);
const context = await queueContext(dataDir, { workers: 2 });
await startRenderQueue(context, { wake: () => {}, close: async () => {} }, { pollMs: 100 });
process.stdout.write('ready\n');
