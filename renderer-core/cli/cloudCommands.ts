// Rows of the table of commands: `framework cloud`: renders by the hosted service.
import type { CommandSpec } from './command.ts';

export const cloudCommands: readonly CommandSpec[] = [];
