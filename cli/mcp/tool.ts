// What a tool is to an agent: a name, words and a schema for its input, and a function whose failures are results too.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { errorToJson, UserError } from '../errors.ts';
import type { WarmSnapshots } from '../render/warmSnapshots.ts';
import type { Folders } from './folders.ts';

/** What all tools share. */
export type Workplace = {
  folders: Folders;
  snapshots: WarmSnapshots;
  /** Executables to use; what is left out is found. */
  programs: { browserPath?: string; ffmpegPath?: string };
};

/** `signal` is aborted when the client cancels. `progress` does nothing for a client that has not asked for it. */
export type Call = {
  signal: AbortSignal;
  progress(done: number, total: number | undefined, message: string): void;
};

export type Tool<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  name: string;
  title: string;
  description: string;
  input: Shape;
  /** Whether it changes files: clients ask their users before such a one. */
  writes: boolean;
  run(input: z.infer<z.ZodObject<Shape>>, workplace: Workplace, call: Call): Promise<CallToolResult>;
};

/** Lets each tool have the type of its own input, and the table one for all. */
export const tool = <Shape extends z.ZodRawShape>(row: Tool<Shape>): Tool => row as unknown as Tool;

/** Text for the model, and the same as data for programs. */
export function answer(text: string, data: object): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data as Record<string, unknown> };
}

/** An error as the result of a call: what, where, and the way out. */
export function failure(error: unknown): CallToolResult {
  if (!(error instanceof UserError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { isError: true, content: [{ type: 'text', text: `Internal error: ${message}` }] };
  }
  const { place, problems = [], hint, message } = error;
  const where = place ? [place.file, place.line, place.column].filter((part) => part !== undefined).join(':') : '';
  const lines = [
    where === '' ? message : `${where}: ${message}`,
    ...problems.map((problem) => `- ${problem.row === undefined ? '' : `row ${problem.row}: `}${problem.message}`),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ];
  return {
    isError: true,
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { error: errorToJson(error) },
  };
}
