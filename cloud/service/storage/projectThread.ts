// The entry of the thread that checks one uploaded project.
import { parentPort, workerData } from 'node:worker_threads';
import { checkInThread } from './projectCheck.ts';

// No top-level `await`: ending a thread while its modules start ends the whole process.
void checkInThread(workerData as string, (step) => parentPort?.postMessage(step));
