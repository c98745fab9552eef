// A Model Context Protocol server on stdin and stdout, with tools, documentation and a prompt for agents.
import { realpath } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  RootsListChangedNotificationSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { UserError } from '../../renderer-core/errors.ts';
import type { BatchSurroundings } from '../../renderer-core/render/batch/renderBatch.ts';
import { createWarmSnapshots } from '../../renderer-core/render/snapshot/warmSnapshots.ts';
import { checkTool } from './checkTool.ts';
import { openFolders } from './folders.ts';
import { lintTool } from './lintTool.ts';
import { compositionsTool, variablesTool } from './projectTools.ts';
import { registerPrompts } from './prompts.ts';
import { batchTool, renderTool } from './renderTools.ts';
import { registerResources } from './resources.ts';
import { snapshotTool } from './snapshotTool.ts';
import { soundsTool } from './soundsTool.ts';
import { type Call, failure, type Tool, type ToolContext } from './tool.ts';

export type McpOptions = {
  /** Allowed folders. If empty: the client's roots or, without roots, the working directory. */
  folders: readonly string[];
  version: string;
  programs: ToolContext['programs'];
  surroundings: BatchSurroundings;
  stdin: Readable;
  stdout: Writable;
  /** Prints a message for users. stdout carries the protocol. */
  log(line: string): void;
  signal: AbortSignal;
};

const tools: readonly Tool[] = [
  lintTool,
  compositionsTool,
  variablesTool,
  snapshotTool,
  checkTool,
  soundsTool,
  renderTool,
  batchTool,
];

/** The shared browser is closed after this time without snapshots, to free its memory. */
const idleMs = 120_000;

const instructions = `Renders HTML compositions with typed variables to video. Workflow: write or edit the HTML, call lint, call snapshot and look at the image, call check, fix problems, and call render when everything is right. The resource framework://docs/compositions.md explains how to write compositions. Paths are absolute or relative to the first allowed folder.`;

/** Resolves when the client has disconnected or `signal` is aborted, and everything is closed. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { version, surroundings, stdin, stdout, log, signal, programs } = options;
  const given = await realFolders(options.folders);
  let allowed = given.length > 0 ? given : await realFolders([process.cwd()]);
  const snapshots = createWarmSnapshots({ ...programs, ...surroundings, idleMs });
  const context: ToolContext = { folders: openFolders(() => allowed), snapshots, programs, surroundings };
  const server = new McpServer({ name: 'framework', title: 'Framework', version }, { instructions });
  const ending = new AbortController();
  const calls = new Set<Promise<unknown>>();

  /** Uses the client's roots if no folders were given. */
  async function askRoots(): Promise<void> {
    if (given.length > 0 || !server.server.getClientCapabilities()?.roots) return;
    try {
      const { roots } = await server.server.listRoots();
      const paths = roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []));
      allowed = await realFolders(paths, log);
      log(`Working in ${allowed.join(', ') || 'no folder'}`);
    } catch (error) {
      log(`The client did not return its roots: ${error instanceof Error ? error.message : error}`);
    }
  }
  let asked: Promise<void> = Promise.resolve();
  server.server.oninitialized = () => {
    asked = askRoots();
  };
  server.server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    asked = askRoots();
  });

  for (const { name, title, description, input, writes, run } of tools) {
    const annotations = { readOnlyHint: !writes, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (args, extra) => {
      const call = callOf(extra, ending.signal);
      const work = asked.then(() => run(args, context, call)).catch(failure);
      calls.add(work);
      return work.finally(() => calls.delete(work));
    });
  }
  await registerResources(server, context);
  registerPrompts(server);

  const disconnected = new Promise<void>((done) => {
    for (const event of ['end', 'close'] as const) stdin.once(event, done);
    signal.addEventListener('abort', () => done(), { once: true });
    if (signal.aborted) done();
  });
  log(`Working in ${allowed.join(', ')}`);
  try {
    await server.connect(new StdioServerTransport(stdin, stdout));
    await disconnected;
  } finally {
    ending.abort();
    await snapshots.close();
    await Promise.allSettled(calls);
    // The client has disconnected and cannot be told.
    await server.close().catch(() => undefined);
  }
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

function callOf({ signal, _meta, sendNotification }: Extra, ending: AbortSignal): Call {
  const progressToken = _meta?.progressToken;
  let last = 0;
  let known: number | undefined;
  return {
    signal: AbortSignal.any([signal, ending]),
    progress(done, total, message) {
      if (progressToken === undefined) return;
      known = total ?? known;
      // Progress must increase with every notification, and must not exceed the total.
      const progress = Math.max(done, last + 0.001);
      if (progress > (known ?? Number.POSITIVE_INFINITY)) return;
      last = progress;
      const params = { progressToken, progress, message, ...(known === undefined ? {} : { total: known }) };
      // A client that has disconnected needs no progress.
      sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

/** Absolute paths without links. A missing folder is skipped with a log message; without `log`, it is a UserError. */
async function realFolders(folders: readonly string[], log?: (line: string) => void): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) found.push(real);
    else if (log) log(`There is no folder ${folder}`);
    else {
      throw new UserError('project_not_found', `There is no folder ${folder}`, {
        hint: 'Pass existing folders that agents may access.',
      });
    }
  }
  return found;
}
