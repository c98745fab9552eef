// What a Lambda function has for its pages. The system reports more: whole processors, and the memory of the virtual machine.
import { availableParallelism, freemem, totalmem } from 'node:os';
import type { Machine } from '../../renderer-core/render/chunks/workers.ts';

/** AWS gives a function the time of one processor for each of these megabytes. */
const megabytesPerProcessor = 1769;

/** `cores` and memory as the system reports them; memory in bytes. */
export type SystemFacts = { cores: number; totalMemory: number; freeMemory: number };

/** Everything that is in use counts against the limit of the function. */
export function workerMachine(memoryMb: number, system: SystemFacts = readSystem()): Machine {
  const { cores, totalMemory, freeMemory } = system;
  const used = totalMemory - freeMemory;
  return {
    cores: Math.min(cores, memoryMb / megabytesPerProcessor),
    freeMemory: Math.max(0, Math.min(freeMemory, memoryMb * 2 ** 20 - used)),
  };
}

const readSystem = (): SystemFacts => ({
  cores: availableParallelism(),
  totalMemory: totalmem(),
  freeMemory: freemem(),
});
