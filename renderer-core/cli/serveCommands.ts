// Rows of the table of commands: `framework serve`: the hosted service on one's own machine.
import type { CommandSpec } from './command.ts';

export const serveCommands: readonly CommandSpec[] = [];
