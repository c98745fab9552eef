// Rows of the table of commands: `framework auth`: signing in to the hosted service.
import type { CommandSpec } from './command.ts';

export const authCommands: readonly CommandSpec[] = [];
