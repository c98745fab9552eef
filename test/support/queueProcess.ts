// A process with a render queue over the data folder that it is given, to be killed.
import { startRenderQueue } from '../../renderer-core/service/renderQueue.ts';
import { queueContext } from './queueContext.ts';

const [dataDir = ''] = process.argv.slice(2);
const context = await queueContext(dataDir, { workers: 2 });
await startRenderQueue(context, { wake: () => {}, close: async () => {} }, { roundMs: 100 });
process.stdout.write('ready\n');
