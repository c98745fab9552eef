// The parts that all MCP tools share: context, call, and results.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { errorToJson, UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { BatchSurroundings } from '../../renderer-core/render/batch/renderBatch.ts';
import type { WarmSnapshots } from '../../renderer-core/render/snapshot/warmSnapshots.ts';
import type { Folders } from './folders.ts';
import type { SizeFields, ToolDefinition } from './toolDefinitions.ts';
import { toolErrorText } from './toolText.ts';

/** The state that all tools share. */
export type ToolContext = {
  folders: Folders;
  snapshots: WarmSnapshots;
  /** Executables, and what pages can reach, as in `RenderRequest`; a missing path means an installed program. */
  programs: { browserPath?: string; ffmpegPath?: string; features?: string; network?: 'public' };
  surroundings: BatchSurroundings;
};

/** `signal` is aborted when the client cancels. `progress` does nothing if the client did not request progress. */
export type Call = {
  signal: AbortSignal;
  progress(done: number, total: number | undefined, message: string): void;
};

/** A tool and the function that runs it. */
export type Tool<Shape extends z.ZodRawShape = z.ZodRawShape> = ToolDefinition<Shape> & {
  run(input: z.infer<z.ZodObject<Shape>>, context: ToolContext, call: Call): Promise<CallToolResult>;
};

/** Types `run` by the tool's own input; the table of tools has one type for all. */
export const tool = <Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>, run: Tool<Shape>['run']): Tool =>
  ({ ...definition, run }) as unknown as Tool;

/** The size options of a render or snapshot. */
export const sizeOf = ({ resolution, width, height, aspectRatio, fit, background }: SizeFields) =>
  given({ resolution, width, height, aspectRatio, fit, background });

/** Text for the model, and the same facts as data for programs. */
export function result(text: string, data: object): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data as Record<string, unknown> };
}

/** A failed call: the text and the data of the error. */
export function failure(error: unknown): CallToolResult {
  if (!(error instanceof UserError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { isError: true, content: [{ type: 'text', text: `Internal error: ${message}` }] };
  }
  return {
    isError: true,
    content: [{ type: 'text', text: toolErrorText(error) }],
    structuredContent: { error: errorToJson(error) },
  };
}
