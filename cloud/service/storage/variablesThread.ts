// The entry of a thread that reads the variables of one uploaded project.
import { parentPort, workerData } from 'node:worker_threads';
import { declaredVariables } from './projectVariables.ts';

parentPort?.postMessage(await declaredVariables(workerData as string));
