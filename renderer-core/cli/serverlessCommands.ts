// Rows of the table of commands: `framework serverless`: renders by Step Functions and Lambda.
import type { CommandSpec } from './command.ts';

export const serverlessCommands: readonly CommandSpec[] = [];
