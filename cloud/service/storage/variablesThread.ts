// The entry of a thread that reads the variables of one uploaded project.
import { parentPort, workerData } from 'node:worker_threads';
import { declaredVariables } from './projectVariables.ts';

// No top-level `await`: ending a thread while its modules start ends the whole process.
parentPort?.postMessage('started');
void declaredVariables(workerData as string).then((found) => parentPort?.postMessage(found));
